"""What a fetch comes to: a page, or why there is none."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property


@dataclass(frozen=True)
class Fetched:
    """A page as its server sent it, unpacked. `url`, `final_url`, `redirects` and `canonical` are normalised."""

    url: str  # as it was asked for
    final_url: str  # where the last redirect led
    status: int
    media_type: str  # `text/html`: without parameters, in small letters, guessed where the server says none
    charset: str | None  # of text, as its bytes have it; None for what is no text
    body: bytes
    fetched_at: float  # seconds since 1970: when the server last said so
    from_cache: bool  # its bytes came from this machine
    etag: str | None = None
    last_modified: str | None = None
    canonical: str | None = None  # by the header Link; pages say it in their text as well
    redirects: tuple[str, ...] = ()  # from `url` on, without `final_url`
    language: str | None = None
    notes: tuple[str, ...] = field(default=())  # what was odd: a charset that its server got wrong

    @cached_property
    def text(self) -> str:
        """The body as letters; what its charset cannot say is U+FFFD."""
        from .charsets import decoded

        return decoded(self.body, self.charset or "utf-8")

    @property
    def names(self) -> tuple[str, ...]:
        """Every address that led here."""
        return tuple(dict.fromkeys((self.url, *self.redirects, self.final_url)))


class FetchFailed(Exception):
    """No page. `reason` is a short clause of ours, never a foreign exception's text; `code` is for programs."""

    def __init__(self, url: str, code: str, reason: str, *, passing: bool = False, retry_after: float | None = None):
        super().__init__(f"{url}: {reason}")
        self.url = url
        self.code = code
        self.reason = reason
        self.passing = passing  # another try later may do
        self.retry_after = retry_after  # seconds, as the server asks for
