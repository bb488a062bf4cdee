"""What leads in the paragraph after it and stands on its line: a term and what it means, Note and what is noted."""

from __future__ import annotations

from .writer import Writer

_GOES_ON = frozenset(("p", "div", "dd", "td", "tr"))  # what may stand on the line of what leads it in


class Leads:
    """Knows where the line stood when a term, or what leads in a paragraph, was written."""

    def __init__(self, writer: Writer) -> None:
        self._writer = writer
        self._term = self._lead = -1
        self._in_term = self._in_label = False

    def forget(self) -> None:
        """The line has become a block."""
        self._term = self._lead = -1
        self._in_term = self._in_label = False

    def goes_on(self, tag: str) -> bool:
        """Whether this tag, opened or closed, leaves the line as it is: nothing was added to what leads."""
        return (tag in ("dt", "dd") and self._is_last(self._term)) or (tag in _GOES_ON and self._is_last(self._lead))

    def _is_last(self, column: int) -> bool:
        return column >= 0 and self._writer.is_blank_after(column)

    def entry(self, tag: str) -> None:
        """A list of definitions becomes one of items: `- term, other term: what it means`."""
        goes_on, self._term = self._is_last(self._term), -1
        if goes_on:
            self._writer.trim()
            self._writer.put(", " if tag == "dt" else ": ")
        elif tag == "dt":
            self._writer.marker = "- "
        self._in_term = tag == "dt"
        self._lead = self._writer.column if goes_on and tag == "dd" else -1

    def end_term(self) -> None:
        """Before whatever follows a term, closed or not."""
        if self._in_term and self._writer.column:
            self._term = self._writer.column
        self._in_term = False

    def label(self, begins: bool) -> None:
        self._in_label = begins

    def end_label(self) -> bool:
        """Whether what leads in an admonition ends here."""
        if not self._in_label or not self._writer.column:
            return False
        self._in_label = False
        self._writer.trim()
        self._writer.put(": ")
        self._lead = self._writer.column
        return True
