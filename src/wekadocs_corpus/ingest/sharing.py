"""An ingest that several machines share, as one of them sees it: see store/truth/jobs.py."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from wekadocs_corpus.store.truth.jobs import Job, Part, Tally

if TYPE_CHECKING:
    from wekadocs_corpus.ingest.planning import Plan, Stamp
    from wekadocs_corpus.ingest.reading.prepare import Task

    from .report import Progress
    from .sources.source import Source

# Few at a time, so that nobody sits on what others could read; looked for among so many.
_AT_ONCE, _AMONG = 32, 128
_TOLD_EVERY = 1.0  # seconds


def job_of(sources: Sequence[Source], stamp: Stamp, work: Plan) -> Job | None:
    """None for what only this process has."""
    names = tuple(dict.fromkeys(each.shared_as for each in sources))
    if not all(names):
        return None
    marks = {task.place.document_id: task.mark for task in work.tasks}
    return Job(names, stamp.project_id, stamp.environment, stamp.version, marks, tuple(work.gone))


class Share:
    """What is left for this machine, and how far all of them are."""

    def __init__(self, part: Part, tasks: Sequence[Task], progress: Progress) -> None:
        self.part = part
        self.left = {task.place.document_id: task for task in tasks}
        self._progress = progress
        self._tally, self._asked, self._since = part.tally(), time.monotonic(), 0

    def claimed(self) -> Iterator[Task]:
        """What is free now, in the order of the tasks; others may leave more later."""
        waiting = deque(self.left)
        while waiting:
            among = [waiting.popleft() for _ in range(min(_AMONG, len(waiting)))]
            mine, settled = self.part.claim({each: self.left[each].mark for each in among}, _AT_ONCE)
            for each in settled:
                del self.left[each]
            if len(mine) == _AT_ONCE:
                waiting.extendleft(each for each in reversed(among) if each not in mine | settled)
            yield from (self.left.pop(each) for each in among if each in mine)

    def read(self, item: str) -> None:
        """One more, by this machine."""
        self._since += 1
        if time.monotonic() - self._asked > _TOLD_EVERY:
            self.tally()
        self._tell(item)

    def tally(self) -> Tally:
        self._tally, self._asked, self._since = self.part.tally(), time.monotonic(), 0
        return self._tally

    def wait(self) -> None:
        self._tell("")

    def is_others(self, tally: Tally) -> bool:
        """Whether somebody who has gone left something that is not known here, or has begun anew without this part."""
        return not tally.is_mine or bool(tally.left and not self.left and not tally.others)

    def _tell(self, item: str) -> None:
        now = self._tally
        self._progress("documents", min(now.total, now.done + now.failed + self._since), now.total, item)
