"""One ingest of a project's folders: files that are new or changed are read, each document written in one go."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..errors import embedding_mismatch, index_unavailable
from ..filters import FIELDS
from ..storing import batch
from ..storing.store_chunks import prepared
from .files import document_id, look
from .items import Reading, facts, items, reference
from .plan import Known, Plan, ToRead, make_plan
from .report import FAILED, REMOVED, FileReport, IngestReport

if TYPE_CHECKING:
    from wekadocs_corpus import Claim, CollectionsView, Embedder, Parsed, StoredChunk

    from ..projects import Project
    from ..references.bibliographies import Bibliography
    from ..state import ChunksState

Tell = Callable[[int, int, str], None]  # how many files are done, of how many, and the last


@dataclass(frozen=True)
class Target:
    claim: Claim
    embedder: Embedder


async def target_of(state: ChunksState, project: Project) -> Target:
    """The project's collection and what embeds for it; raises where nothing here does."""
    from wekadocs_corpus import Claim

    rows = await state.rows()
    bound = await state.binding(project, rows.get(project.id))
    if bound.embedder is None:
        raise index_unavailable(project.id, f"this server does not have {bound.model}, so nothing can be embedded")
    claim = Claim(project.id, state.names(rows)[project.id], bound.model, bound.embedder.profile.dimension, FIELDS)
    return Target(claim, bound.embedder)


class Ingest:
    """For one thread; what was written when it is stopped stays, and the next one goes on from there."""

    def __init__(self, state: ChunksState, project: Project, target: Target, until: float) -> None:
        self._state, self._project, self._target, self._until = state, project, target, until
        self._settings: Mapping[str, Any] = state.corpus.settings
        self.report = IngestReport(model=target.claim.model)

    def run(self, only: Sequence[str] = (), tell: Tell = lambda *_: None) -> IngestReport:
        from wekadocs_corpus import PARSER_VERSION, OtherModel, Stopped

        try:
            references = self._references()
            found = look(self._project, only)
            known = Known(self._heads())
            limits = self._settings["ingest"]
            reading = Reading(PARSER_VERSION, limits["max_file_seconds"])
            plan = make_plan(found, known, references, reading, limits["max_file_bytes"], not only)
            self.report.unchanged, self.report.files = plan.unchanged, plan.told
            self.report.warnings += _warnings(found.missing, found.left_out, plan.elsewhere)
            self._read(plan, references, reading, tell)
            self._remove(plan)
        except (Stopped, TimeoutError):
            self.report.interrupted = True
        except OtherModel as error:
            raise embedding_mismatch(self._project.id, error.model, self._target.claim.model, 0) from None
        return self.report

    def _heads(self) -> list[StoredChunk]:
        def heads(view: CollectionsView) -> list[StoredChunk]:
            row = view.collection(self._project.id)
            return view.heads(row.number) if row else []

        return self._state.collections.look(heads)

    def _references(self) -> Bibliography | None:
        found = self._state.bibliographies.of(self._project)
        self.report.warnings += found.unreadable if found else []
        return found if found and found.references else None

    def _read(self, plan: Plan, references: Bibliography | None, reading: Reading, tell: Tell) -> None:
        from wekadocs_corpus import Failure, read_apart

        origins = [each.file.origin for each in plan.to_read]
        total = len(origins)
        outcomes = read_apart(origins, self._settings, self._project.id)
        for done, (each, (_, outcome)) in enumerate(zip(plan.to_read, outcomes, strict=True), 1):
            if isinstance(outcome, Failure):
                told = FileReport(each.file.path, FAILED, reason=outcome.reason)
            else:
                told = self._written(each, outcome, references, reading)
            self.report.files.append(told)
            tell(done, total, each.file.path)

    def _written(self, each: ToRead, parsed: Parsed, references: Bibliography | None, reading: Reading) -> FileReport:
        document = parsed.document
        record = reference(references, each.file.path, facts(document))
        made = list(items(each.file, parsed, record, reading))
        if not made:
            return FileReport(each.file.path, FAILED, reason="it has no words to find", unread=document.unread)
        claim, doc = self._target.claim, document_id(parsed.digest)
        judged = batch.read(self._project.id, made, claim.model)
        chunks, _ = prepared(judged, self._target.embedder)
        self._state.collections.replace(claim, [doc, *each.former], chunks, self._until)
        if record is None and references is not None:
            self.report.warnings.append(f"no reference matches {each.file.path!r} (by its name, DOI or title)")
        citekey = record.citekey if record else None
        return FileReport(
            each.file.path, each.status, doc, len(chunks), document.pages, citekey, unread=document.unread
        )

    def _remove(self, plan: Plan) -> None:
        if not plan.gone:
            return
        count, _ = self._state.collections.delete(self._project.id, list(plan.gone), [], self._until)
        self.report.chunks_removed = count
        self.report.files += [FileReport(path, REMOVED, doc) for doc, path in plan.gone.items()]


def _warnings(missing: Sequence[str], left_out: str, elsewhere: int) -> list[str]:
    found = [f"{folder} is not there or cannot be read; what was taken in of it stays" for folder in missing]
    if left_out:
        found.append(f"not read: {left_out}")
    if elsewhere:
        found.append(f"{elsewhere} documents are of folders that the settings name no more; they stay until deleted")
    return found
