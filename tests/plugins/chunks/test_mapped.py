"""Large collections are kept as arrays on disk: a new process maps them, reads what changed since, answers the same."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from citing import config, done

from wekadocs_corpus.collections import image
from wekadocs_mcp.testing import Client, client_for

TOPICS = ["ledger", "harbour", "orchid", "lattice", "spindle", "glacier", "tariff"]
Answers = list[dict[str, Any]]


class Server:
    """One process's life: what it mapped stands in `mapped`."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._folder, self._patch = folder, monkeypatch
        self.least = 410  # changes that are worth an image: more than `filled` stores at first
        self.mapped: list[int] = []
        self.images: list[image.Images] = []
        self.calm = 0.0

    def __call__(self, work: Callable[[Client], Any]) -> Any:
        self.mapped.clear()
        real = image.Images.load

        def load(images: image.Images, row: Any) -> image.Image | None:
            found = real(images, row)
            images.calm = self.calm
            self.images.append(images)
            self.mapped.append(len(found.numbers) if found else 0)
            return found

        with self._patch.context() as patch:
            patch.setattr(image, "LEAST", self.least)
            patch.setattr(image.Images, "load", load)
            with client_for(config({"a/b": {"min_batch": 1}}), toolsets=["citeloom"], data_dir=self._folder) as client:
                answer = work(client)
                for each in self.images if not self.calm else ():
                    each.written()
        return answer

    @property
    def kept(self) -> list[Path]:
        return sorted((self._folder / "collections").glob("*/*image-*"))


@pytest.fixture
def server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    yield Server(tmp_path / "data", monkeypatch)


def text(number: int, word: str = "") -> str:
    return f"Passage {number} on the {TOPICS[number % 7]} and the {TOPICS[number % 5]} {word}."


def filled(client: Client) -> None:
    items = [{"id": str(n), "text": text(n), "metadata": {"doc": {"id": f"d{n % 9}"}}} for n in range(400)]
    done(client.call("store_chunks", project="a/b", items=items))
    done(client.call("query_hybrid", project="a/b", query="ledger"))  # from here on it is in memory, and changes there
    again = [{"id": str(n), "text": text(n, "revised"), "metadata": {"doc": {"id": "d1"}}} for n in range(0, 400, 20)]
    done(client.call("store_chunks", project="a/b", items=again))
    done(client.call("delete_chunks", project="a/b", ids=["7", "21"]))


def changed(client: Client) -> None:
    done(client.call("store_chunks", project="a/b", items=[{"id": "new", "text": "The glacier and the xylophone."}]))
    done(client.call("store_chunks", project="a/b", items=[{"id": "3", "text": text(3, "rewritten")}]))
    done(client.call("delete_chunks", project="a/b", ids=["5"]))


def asked(client: Client) -> Answers:
    questions = ["glacier", "revised ledger", "xylophone", "passage 21 on the orchid", "rewritten tariff", "harbour"]
    given = {"project": "a/b", "top_k": 20}
    return [
        *(done(client.call("query_hybrid", query=each, debug=True, **given)) for each in questions),
        *(done(client.call("find_chunks", query=each, **given)) for each in questions),
        *(done(client.call("find_quote", project="a/b", quote=each, top_k=5)) for each in questions),
        done(client.call("find_chunks", query="glacier", filters={"doc": "d1"}, **given)),
    ]


def test_a_new_process_maps_what_another_wrote_and_answers_the_same(server: Server) -> None:
    first = server(lambda client: (filled(client), asked(client))[1])
    assert server.mapped[0] == 0 and len(server.kept) == 1
    assert server(asked) == first
    assert server.mapped == [398]  # without those that were replaced or deleted, and only once


def test_a_process_that_ends_before_there_was_a_calm_moment_writes_what_it_has(server: Server) -> None:
    server.calm = 600.0
    first = server(lambda client: (filled(client), asked(client))[1])
    assert len(server.kept) == 1
    assert server(asked) == first and server.mapped == [398]


def test_what_changed_since_is_seen_as_if_nothing_were_mapped(server: Server) -> None:
    server(lambda client: (filled(client), asked(client)))
    mapped = server(lambda client: (changed(client), asked(client))[1])
    assert server.mapped == [398]
    shutil.rmtree(server.kept[0].parent)
    assert server(asked) == mapped and server.mapped == [0]


@pytest.mark.parametrize("harm", ["vectors", "numbers", "about.json", "terms0"])
def test_a_damaged_file_is_not_believed(server: Server, harm: str) -> None:
    first = server(lambda client: (filled(client), asked(client))[1])
    (server.kept[0] / harm).write_bytes(b"x" * 10)
    assert server(asked) == first
    assert server.mapped == [0]


def test_what_a_killed_process_left_is_swept_and_a_rebuilt_collection_is_read_anew(server: Server) -> None:
    server.least = 100
    server(lambda client: (filled(client), asked(client)))
    left = server.kept[0].with_name("building-0000")
    left.mkdir()

    def migrated(client: Client) -> dict[str, Any]:
        item = {"id": "only", "text": "Vectors of three.", "embedding": [1, 2, 3], "metadata": {"embed_model": "x/3"}}
        return done(client.call("store_chunks", project="a/b", items=[item], migrate=True))

    assert server(migrated)["embed_model"] == "x/3"
    found = server(lambda client: done(client.call("find_quote", project="a/b", quote="Vectors of three.")))
    assert server.mapped == [0] and [each["id"] for each in found["items"]] == ["only"]
    back = [{"id": str(n), "text": text(n)} for n in range(300)]
    server(lambda client: done(client.call("store_chunks", project="a/b", items=back, migrate=True)))
    server(asked)
    assert len(server.kept) == 1 and not left.exists()
    server(asked)
    assert server.mapped[0] >= 300
