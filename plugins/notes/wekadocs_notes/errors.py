"""The seed's codes, each with what its caller can do about it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

from wekadocs_mcp import ToolError


def invalid(message: str, **details: object) -> ToolError:
    return ToolError("INVALID_ARGUMENT", message, details)


def unknown_vault(name: str, known: Iterable[str]) -> ToolError:
    names = list(known)
    return invalid(f"No vault is called {name!r}. Vaults here: {', '.join(names)}.", path="/vault", vaults=names)


def provider_error(reason: str, *, passing: bool = False) -> ToolError:
    return ToolError("PROVIDER_ERROR", reason, {}, retryable=passing)


@contextmanager
def provider_errors() -> Iterator[None]:
    """Failures of the store and of files as the seed names them."""
    from wekadocs_corpus import CorpusError, Unavailable

    from .index import VaultGone

    try:
        yield
    except CorpusError as error:
        raise provider_error(
            f"The notes cannot be had now: {error}.", passing=isinstance(error, Unavailable)
        ) from error
    except VaultGone as error:
        raise provider_error(f"The notes cannot be had now: {error}.", passing=True) from error
    except OSError as error:
        raise provider_error(
            f"A file of the vault cannot be read or written: {error.strerror or type(error).__name__}."
        ) from error
