"""The four steps of `init`: each can say what it would do, and do it."""

from __future__ import annotations

import os
import shlex
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING, Any

from wekadocs_corpus_plugin.progress import Progress
from wekadocs_text import one_line

from .journal import Journal, Note, hash_of, write_whole
from .repository import Repository, tools_yaml

if TYPE_CHECKING:
    from wekadocs_corpus import Run
    from wekadocs_mcp import ClientFile, Config

_HEADINGS = 3000  # that a question is looked for among
_QUOTES = 1


@dataclass(frozen=True)
class Step:
    name: str  # write | ingest | ask | install
    says: str  # what it would do
    detail: str
    do: Callable[[], dict[str, Any]]  # what it did: `told` for people, the rest for programs


@dataclass(frozen=True)
class Setup:
    found: Repository
    config: Config  # as it was when the command began: where the data is
    data: str | None  # the data directory that was named, if one was
    journal: Journal
    as_json: bool

    def steps(self, clients: list[ClientFile]) -> Iterator[Step]:
        file, pages = self.found.tools_yaml, self.found.pages
        if file.exists():
            yield Step("write", f"keep {file}, which is there already", "", lambda: {"told": "kept", "file": str(file)})
        else:
            text = tools_yaml(self.found)
            yield Step("write", f"write {file}:", text, lambda: self._write(text))
        yield Step("ingest", f"take in {pages}, into {self.config.data_dir}", "", self._ingest)
        yield Step("ask", "ask a question made from one of its headings", "", self._ask)
        for client in clients:
            says = f"put `{self.found.server}` into {client.title}'s {client.file}"
            yield Step("install", says, "", lambda client=client: self._install(client))  # type: ignore[misc]

    def _write(self, text: str) -> dict[str, Any]:
        file = self.found.tools_yaml
        self.journal.add({"kind": "file", "path": str(file), "after": sha256(text.encode()).hexdigest()})
        write_whole(file, text)
        return {"told": f"{file} is written.", "file": str(file)}

    def written(self) -> Config:
        """The deployment as tools.yaml makes it by now."""
        from wekadocs_mcp import read_config

        file = self.found.tools_yaml
        config = read_config(file if file.exists() else None, self.config.data_dir)
        config.plugins["corpus"].pop("docs", None)  # nothing is to be followed here
        return config

    def _run(self) -> Run:
        from wekadocs_corpus import Run, Stamp

        config = self.written()
        stamp = Stamp(config.scope["project_id"], config.scope["environment"])
        return Run(config.data_dir, config.plugins["corpus"], stamp, Progress(as_json=self.as_json))

    def _ingest(self) -> dict[str, Any]:
        from wekadocs_corpus import has_truth, roots

        pages, new = str(self.found.pages), not has_truth(self.config.data_dir, self.config.plugins.get("corpus", {}))
        project = self.written().scope["project_id"]
        if new or not self._has(pages):
            self.journal.add({"kind": "documents", "path": pages, "name": project, "new_data": new})
        run = self._run()
        try:
            done = run.ingest(roots([pages]))
        finally:
            run.truth.close()
        if done.report.interrupted:
            raise KeyboardInterrupt
        return {"told": done.sentence(), **done.event()}

    def _has(self, pages: str) -> bool:
        """Whether documents of these pages were there before."""
        from wekadocs_corpus import CorpusError

        run = self._run()
        try:
            return bool(run.known([pages]))
        except CorpusError:
            return False
        finally:
            run.truth.close()

    def _ask(self) -> dict[str, Any]:
        from wekadocs_corpus_plugin.ask import called
        from wekadocs_corpus_plugin.showing import answer

        found: dict[str, Any] = {}
        for question in self._questions():
            given = {"question": question, "max_quotes": _QUOTES}
            found = {"question": question, **called(self.written(), "kb.retrieve_evidence", given)}
            if found.get("answerable"):
                return {"told": f'$ {self._asking} "{one_line(question)}"\n{answer(found)}', **found}
        return {"told": f"No heading made a question that the pages answer; try your own: {self._asking} …", **found}

    @property
    def _asking(self) -> str:
        """As a person types it: the project is the one that tools.yaml names."""
        return f"wekadocs-mcp --config {shlex.quote(os.path.relpath(self.found.tools_yaml))} ask"

    def _questions(self) -> list[str]:
        from wekadocs_corpus import Area, suggested_questions

        scope, run = self.written().scope, self._run()
        try:
            headings = run.truth.headings(Area(scope["project_id"], scope["environment"]), _HEADINGS)
            return suggested_questions(headings)
        finally:
            run.truth.close()

    def _install(self, client: ClientFile) -> dict[str, Any]:
        name, file = self.found.server, client.file
        before = file.read_text("utf-8", "replace") if file.is_file() else ""
        note: Note = {"kind": "client", "path": str(file), "client": client.client, "name": name, "after": ""}
        self.journal.add({**note, "backup": "", "had_entry": name in before})
        backup = client.install(name, self._arguments())
        if hash_of(file) == sha256(before.encode()).hexdigest():
            self.journal.notes.pop()
            self.journal.keep()
            return {"told": f"`{name}` is in {file} already.", "client": client.client, "file": str(file)}
        self.journal.notes[-1].update({"backup": str(backup or ""), "after": hash_of(file)})
        self.journal.keep()
        return {"told": f"`{name}` is in {file}. {client.then}", "client": client.client, "file": str(file)}

    def _arguments(self) -> list[str]:
        """A client starts it elsewhere, and without the shell's environment."""
        data = ["--data", str(Path(self.data).expanduser().absolute())] if self.data else []
        return ["serve", "--config", str(self.found.tools_yaml), *data]
