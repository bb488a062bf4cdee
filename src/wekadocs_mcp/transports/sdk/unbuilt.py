"""The SDK's types without their validators, each of which is made when it is first used.

There are some 450 models, of which a connection uses a dozen: to make all of them takes a sixth of the start.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TypeVar

import pydantic
from pydantic import BaseModel, ConfigDict, TypeAdapter

T = TypeVar("T")
_LATER = ConfigDict(defer_build=True)


# Final, since it looks at the frame it is called from: one further away here.
class _Adapter(TypeAdapter[T]):  # type: ignore[misc]
    """Models say by themselves when they are built; unions of them are told."""

    def __init__(self, type_: type[T], *, config: ConfigDict | None = None, _parent_depth: int = 2) -> None:
        if config is None and not isinstance(type_, type):
            config = _LATER
        super().__init__(type_, config=config, _parent_depth=_parent_depth + 1)


@contextmanager
def unbuilt() -> Iterator[None]:
    """For imports: models that are defined meanwhile are built on first use."""
    before, pydantic.TypeAdapter = pydantic.TypeAdapter, _Adapter  # type: ignore[assignment, misc]
    BaseModel.model_config.update(_LATER)
    try:
        yield
    finally:
        del BaseModel.model_config["defer_build"]
        pydantic.TypeAdapter = before  # type: ignore[misc]
