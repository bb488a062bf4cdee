"""A call of the plainest form: one that the SDK would pass on unchanged."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from wekadocs_mcp.transports.sdk.names import Context

from .clients import LOG_LEVEL_KEY, is_modern

_KEYS = frozenset({"name", "arguments", "_meta"})


def exact(ctx: Context) -> Mapping[str, Any] | None:
    """The parameters of such a call; the SDK's validation of them costs more than our whole pipeline."""
    params = ctx.params
    is_exact = (
        params
        and params.keys() <= _KEYS
        and type(params.get("name")) is str
        and isinstance(params.get("arguments", {}), dict)
        and ctx.session.client_params is not None  # it has introduced itself, as it must before it asks
        and ("_meta" not in params or ctx.meta is not None)
        and (not is_modern(ctx) or LOG_LEVEL_KEY not in (ctx.meta or {}))
    )
    return params if is_exact else None


def is_open(ctx: Context) -> bool:
    """Whether its client has introduced itself."""
    return is_modern(ctx) or ctx.session.client_params is not None
