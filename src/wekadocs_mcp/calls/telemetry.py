"""What an operator may know of calls: tool, code, how long, how big. Never an argument, never a document's text."""

from __future__ import annotations

import logging
import re
import sys
import time
import traceback
from collections import Counter, deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from wekadocs_text import printed

log = logging.getLogger("wekadocs.call")
log.addHandler(logging.NullHandler())  # whoever calls from a terminal sees the failure itself
_WORD, _LONGEST = re.compile(r"[a-z_]{1,40}"), 80
_RECENT = 200
_BUCKETS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


@dataclass(slots=True)
class Served:
    """A call that is over. Of arguments and answer only whether, how many and why not all: never what."""

    tool: str
    code: str
    seconds: float
    size: int = 0
    request: Any = None
    arguments: Mapping[str, Any] | None = None
    answer: Mapping[str, Any] | None = None
    pointer: str = ""

    @property
    def limit_reason(self) -> str:
        reason = (self.answer or {}).get("limit_reason")
        return reason if isinstance(reason, str) and _WORD.fullmatch(reason) else "other"

    def line(self) -> str:
        parts = [f"request={_short(self.request)} tool={self.tool} code={self.code}"]
        parts.append(f"ms={self.seconds * 1000:.1f} bytes={self.size}")
        parts += [f"pointer={self.pointer}"] if self.pointer else []
        parts += [f"{name}={len(each)}" for name, each in (self.answer or {}).items() if isinstance(each, list)]
        parts += ["cursor=yes"] if self.arguments and self.arguments.get("cursor") else []
        parts += [f"partial={self.limit_reason}"] if self.answer and self.answer.get("partial") else []
        return " ".join(parts)


class Seen(NamedTuple):
    """A call that is over, for whoever watches; numbered from 1."""

    number: int
    ended: float  # seconds since 1970
    tool: str
    code: str
    seconds: float
    size: int
    pointer: str
    limit: str  # what kept the answer from being whole


def _short(value: object) -> str:
    """What a client chose itself: in one line of plain letters, and no longer than a name is."""
    return ascii(value[:_LONGEST] if isinstance(value, str) else value)[: _LONGEST + 2]


class Telemetry:
    """Counters in memory, rendered for Prometheus on request."""

    def __init__(self) -> None:
        self._calls: Counter[tuple[str, str]] = Counter()
        self._seconds: Counter[str] = Counter()
        self._bytes: Counter[str] = Counter()
        self._buckets: dict[str, list[int]] = {}
        self._deprecated: Counter[tuple[str, str]] = Counter()
        self._undeclared: Counter[str] = Counter()
        self._refused: Counter[str] = Counter()
        self._cursors: Counter[str] = Counter()
        self._truncated: Counter[tuple[str, str]] = Counter()
        self._recent: deque[Seen] = deque(maxlen=_RECENT)
        self._count = 0

    def refused(self, why: str) -> None:
        """A request or connection that came no further than the transport: its HTTP status, or `evicted`."""
        self._refused[why] += 1

    def record(self, call: Served) -> None:
        tool, code, seconds, size = call.tool, call.code, call.seconds, call.size
        self._calls[tool, code] += 1
        self._seconds[tool] += seconds  # type: ignore[assignment]
        self._bytes[tool] += size
        buckets = self._buckets.get(tool)
        if buckets is None:
            buckets = self._buckets[tool] = [0] * len(_BUCKETS)
        for index, bound in enumerate(_BUCKETS):
            if seconds <= bound:
                buckets[index] += 1
                break
        if call.arguments and call.arguments.get("cursor"):
            self._cursors[tool] += 1
        limit = call.limit_reason if call.answer and call.answer.get("partial") else ""
        if limit:
            self._truncated[tool, limit] += 1
        self._count += 1
        self._recent.append(Seen(self._count, time.time(), tool, code, seconds, size, call.pointer, limit))
        level = logging.INFO if code in ("OK", "CANCELLED") else logging.WARNING
        if log.isEnabledFor(level):
            log.log(level, call.line())

    def recent(self, after: int = 0) -> list[Seen]:
        """The last calls, the oldest first; only those that ended after the one of that number."""
        return [each for each in self._recent if each.number > after]

    @property
    def refusals(self) -> Mapping[str, int]:
        return dict(self._refused)

    def record_deprecated(self, tool: str, client: str, undeclared: int) -> None:
        """A call by a name that will go: who made it, and with how many arguments that nobody reads."""
        self._deprecated[tool, client] += 1
        self._undeclared[tool] += undeclared

    def _going(self) -> list[str]:
        calls, unread = sorted(self._deprecated.items()), sorted(self._undeclared.items())
        return [
            "# HELP wekadocs_deprecated_calls_total Calls of deprecated tools, by the client's own name.",
            "# TYPE wekadocs_deprecated_calls_total counter",
            *(
                f'wekadocs_deprecated_calls_total{{tool="{tool}",client="{client}"}} {count}'
                for (tool, client), count in calls
            ),
            "# HELP wekadocs_undeclared_arguments_total Arguments of deprecated tools that no contract names.",
            "# TYPE wekadocs_undeclared_arguments_total counter",
            *(f'wekadocs_undeclared_arguments_total{{tool="{tool}"}} {count}' for tool, count in unread),
        ]

    def prometheus(self) -> str:
        lines = [
            "# HELP wekadocs_tool_calls_total Tool calls by outcome.",
            "# TYPE wekadocs_tool_calls_total counter",
            *(
                f'wekadocs_tool_calls_total{{tool="{tool}",code="{code}"}} {count}'
                for (tool, code), count in sorted(self._calls.items())
            ),
            "# HELP wekadocs_tool_response_bytes_total Bytes of structured answers.",
            "# TYPE wekadocs_tool_response_bytes_total counter",
            *(
                f'wekadocs_tool_response_bytes_total{{tool="{tool}"}} {size}'
                for tool, size in sorted(self._bytes.items())
            ),
            "# HELP wekadocs_tool_cursors_total Calls that asked for a further page.",
            "# TYPE wekadocs_tool_cursors_total counter",
            *(f'wekadocs_tool_cursors_total{{tool="{tool}"}} {count}' for tool, count in sorted(self._cursors.items())),
            "# HELP wekadocs_tool_truncated_total Answers that left something out, by what limited them.",
            "# TYPE wekadocs_tool_truncated_total counter",
            *(
                f'wekadocs_tool_truncated_total{{tool="{tool}",reason="{reason}"}} {count}'
                for (tool, reason), count in sorted(self._truncated.items())
            ),
            *(self._going() if self._deprecated else ()),
            "# HELP wekadocs_http_refused_total Requests and connections refused before any tool, by HTTP status.",
            "# TYPE wekadocs_http_refused_total counter",
            *(f'wekadocs_http_refused_total{{status="{why}"}} {count}' for why, count in sorted(self._refused.items())),
            "# HELP wekadocs_tool_seconds Time of tool calls.",
            "# TYPE wekadocs_tool_seconds histogram",
        ]
        for tool, buckets in sorted(self._buckets.items()):
            below = 0
            for bound, count in zip(_BUCKETS, buckets, strict=True):
                below += count
                lines.append(f'wekadocs_tool_seconds_bucket{{tool="{tool}",le="{bound:g}"}} {below}')
            total = sum(count for (name, _), count in self._calls.items() if name == tool)
            lines.append(f'wekadocs_tool_seconds_bucket{{tool="{tool}",le="+Inf"}} {total}')
            lines.append(f'wekadocs_tool_seconds_sum{{tool="{tool}"}} {self._seconds[tool]:.6f}')
            lines.append(f'wekadocs_tool_seconds_count{{tool="{tool}"}} {total}')
        return "\n".join(lines) + "\n"


def frames(error: BaseException) -> str:
    """Where an exception came from, without its text: a message may quote a document."""
    where = [f"{frame.filename}:{frame.lineno} {frame.name}" for frame in traceback.extract_tb(error.__traceback__)]
    return f"{type(error).__name__} at {' < '.join(reversed(where[-6:]))}"


class _Plain(logging.Formatter):
    """What strangers wrote stays text, on a terminal and in CI."""

    def format(self, record: logging.LogRecord) -> str:
        return printed(super().format(record))


def start_logging(verbose: bool = False) -> None:
    """Everything to stderr, one line each; WEKADOCS_LOG=info|debug says more, and so does MCP_LOG_LEVEL."""
    import os

    named = os.environ.get("WEKADOCS_LOG") or os.environ.get("MCP_LOG_LEVEL")
    level = (named or ("info" if verbose else "warning")).strip().upper()
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Plain("%(asctime)s %(levelname)s %(name)s %(message)s"))
    root = logging.getLogger()
    root.handlers[:] = [handler]
    known = level in logging.getLevelNamesMapping()
    root.setLevel(level if known else "WARNING")
    if not known:
        log.warning("%r is no level of the log: debug, info, warning and error are; warning is used", named)
    for library in ("httpcore", "httpx", "hpack"):  # they write addresses and headers down, cookies among them
        logging.getLogger(library).setLevel(logging.WARNING)
    if root.level > logging.DEBUG:
        logging.getLogger("mcp.server.streamable_http_manager").setLevel(logging.ERROR)  # it writes session ids down
