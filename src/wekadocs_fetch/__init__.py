"""Pages of the web as bytes. No other code opens a URL that a caller or a document names.

`Fetcher.fetch(url)` gives a `Fetched` or raises `FetchFailed` in words of our own. Names are loaded when asked for.

Imported by: plugins.
"""

TYPE_CHECKING = False
if TYPE_CHECKING:
    from . import media_types
    from .fetched import Fetched, FetchFailed
    from .fetcher import Fetcher
    from .guard.policy import Policy
    from .limits import Limits
    from .proxies import proxied
    from .urls import WebUrl, document_url, shown_url

_HOME = {
    "FetchFailed": "fetched",
    "Fetched": "fetched",
    "Fetcher": "fetcher",
    "Limits": "limits",
    "Policy": "guard.policy",
    "WebUrl": "urls",
    "document_url": "urls",
    "proxied": "proxies",
    "shown_url": "urls",
}

__all__ = [
    "FetchFailed", "Fetched", "Fetcher", "Limits", "Policy", "WebUrl", "document_url", "media_types", "proxied",
    "shown_url",
]  # fmt: skip


def __getattr__(name: str) -> object:
    from importlib import import_module

    if name == "media_types":
        return import_module(f"{__name__}.{name}")
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
