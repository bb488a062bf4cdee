"""What unquoted words of front matter are: as editors of notes read them, which is YAML 1.2, and not PyYAML's 1.1.

There `no`, `on` and `yes` are truths, `1:30` is 90, `010` is 8, and a day that no month has makes all of it unreadable.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Any

_TAG = "tag:yaml.org,2002:"
_VALUES = (
    ("bool", re.compile(r"(?:true|True|TRUE|false|False|FALSE)\Z"), "tTfF"),
    ("int", re.compile(r"[-+]?(?:0|[1-9][0-9]*|0x[0-9a-fA-F]+)\Z"), "-+0123456789"),
    (
        "float",
        re.compile(
            r"[-+]?(?:\.[0-9]+|(?:0|[1-9][0-9]*)\.[0-9]*)(?:[eE][-+]?[0-9]+)?\Z"
            r"|[-+]?\.(?:inf|Inf|INF)\Z|\.(?:nan|NaN|NAN)\Z"
        ),
        "-+.0123456789",
    ),
)
_READ_OTHERWISE = frozenset(_TAG + name for name in ("bool", "int", "float", "value"))


@cache
def yaml_loader() -> Any:
    """Safe, and in C where there is one. The two read tabs differently: whoever looks at places takes the same."""
    import yaml

    base = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    kept = {
        first: [(tag, pattern) for tag, pattern in some if tag not in _READ_OTHERWISE]
        for first, some in base.yaml_implicit_resolvers.items()
    }
    loader: Any = type("FrontMatterLoader", (base,), {"yaml_implicit_resolvers": kept})
    for name, pattern, firsts in _VALUES:
        loader.add_implicit_resolver(_TAG + name, pattern, list(firsts))
    loader.add_constructor(f"{_TAG}timestamp", _moment)
    return loader


def _moment(loader: Any, node: Any) -> object:
    """A text where the calendar has no such day."""
    try:
        return loader.construct_yaml_timestamp(node)
    except ValueError:
        return loader.construct_scalar(node)
