"""What keeps a schema from being compared at all.

UnusableSchema
├── InvalidSchema        not a schema of its dialect
└── UnresolvableRef      a `$ref` that leads nowhere, or out of the document (nothing is ever fetched)
"""

from __future__ import annotations


class UnusableSchema(ValueError):
    """Read by the author of the contract: names the place and what is wrong there."""


class InvalidSchema(UnusableSchema):
    """The schema breaks the rules of its dialect."""


class UnresolvableRef(UnusableSchema):
    """A reference cannot be followed inside the document."""

    def __init__(self, ref: str) -> None:
        super().__init__(f"$ref {ref!r} does not lead to a schema in this document; nothing is fetched")
        self.ref = ref


class TooLarge(Exception):
    """More nodes or levels than a comparison may cost; the answer is 'not proven', not an error."""
