"""Which pages belong to a section of a site: those of its host, below its folder."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from wekadocs_fetch import FetchFailed, WebUrl

_MOST_VARIANTS = 5  # of one path, by its query: calendars and sort orders have no end
_NO_PAGES = (
    ".png", ".jpg", ".jpeg", ".gif", ".svg", ".webp", ".ico", ".css", ".js", ".json", ".zip", ".gz", ".tar", ".xml",
    ".rss", ".mp4", ".mp3", ".woff", ".woff2", ".ttf", ".exe", ".dmg", ".whl", ".jar",
)  # fmt: skip


@dataclass
class Section:
    """`https://host/docs/intro.html` is of the section `https://host/docs/`."""

    host: str
    port: int
    folder: str
    variants: Counter[str] = field(default_factory=Counter)

    @classmethod
    def of(cls, url: WebUrl) -> Section:
        return cls(url.host.removeprefix("www."), url.port, url.path.rpartition("/")[0] + "/")

    def takes(self, base: str, reference: str) -> str | None:
        """The page that this leads to; None for what is not of the section."""
        try:
            url = WebUrl.of(base).join(reference)
        except FetchFailed:
            return None
        inside = url.host.removeprefix("www.") == self.host and url.port == self.port
        if not inside or not url.path.startswith(self.folder) or url.path.lower().endswith(_NO_PAGES):
            return None
        if url.query is not None:
            self.variants[url.path] += 1
            if self.variants[url.path] > _MOST_VARIANTS:
                return None
        return str(url)
