"""Folders that have pages of one name: each page has a path of its own, which stays."""

import pytest

from wekadocs_corpus import Stamp
from wekadocs_corpus.ingest.run import Run
from wekadocs_corpus.ingest.sources.scan import roots

SETTINGS = {"embedding": {"provider": "static"}, "ingest": {"max_file_bytes": 1 << 20, "workers": 1}, "index": "sqlite"}


@pytest.fixture
def take(tmp_path):
    def ingest(*folders):
        run = Run(tmp_path / "data", SETTINGS, Stamp("p", "e"), lambda *_: None)
        try:
            run.ingest(roots([str(tmp_path / folder) for folder in folders]))
            rows = run.truth.known_files("p", "e", tmp_path.as_uri()).values()
            return sorted(row.path for row in rows)
        finally:
            run.truth.close()

    return ingest


def write(folder, *names):
    for name in names:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_text(f"# {name}\n\nThe page {name}.\n")


def test_two_folders_with_an_index_each_are_told_apart(tmp_path, take):
    write(tmp_path, "a/index.md", "a/one.md", "b/index.md", "b/two.md")
    apart = ["b/index.md", "b/two.md", "index.md", "one.md"]
    assert take("a", "b") == apart
    write(tmp_path, "b/three.md")
    assert take("b") == sorted([*apart, "b/three.md"])
    assert take("a") == sorted([*apart, "b/three.md"])


def test_folders_of_one_name_are_told_apart_by_what_they_lie_in(tmp_path, take):
    write(tmp_path, "one/docs/index.md", "two/docs/index.md")
    assert take("one/docs") == ["index.md"]
    assert take("two/docs") == ["index.md", "two/docs/index.md"]


def test_a_part_of_a_folder_keeps_the_paths_of_the_folder(tmp_path, take):
    write(tmp_path, "a/guide/index.md", "b/guide/index.md")
    take("a", "b")
    assert take("b/guide") == ["b/guide/index.md", "guide/index.md"]


def test_folders_that_share_no_page_need_nothing_before_their_paths(tmp_path, take):
    write(tmp_path, "a/one.md", "b/two.md")
    assert take("a", "b") == ["one.md", "two.md"]


def test_a_page_that_comes_later_tells_its_folder_apart(tmp_path, take):
    write(tmp_path, "a/index.md", "b/two.md")
    assert take("a", "b") == ["index.md", "two.md"]
    write(tmp_path, "b/index.md")
    apart = ["b/index.md", "b/two.md", "index.md"]
    assert take("b") == apart
    assert take("a", "b") == apart


def test_folders_of_a_corpus_from_before_are_told_apart_at_the_next_ingest(tmp_path, take, monkeypatch):
    write(tmp_path, "a/index.md", "b/index.md")
    with monkeypatch.context() as patch:
        patch.setattr("wekadocs_corpus.ingest.telling_apart.TellingApart.prefix", lambda *_: "")
        assert take("a", "b") == ["index.md", "index.md"]
    assert take("b") == ["b/index.md", "index.md"]
    assert take("a", "b") == ["b/index.md", "index.md"]


def test_what_tells_a_folder_apart_is_no_other_page_either(tmp_path, take):
    write(tmp_path, "a/index.md", "a/b/index.md", "c/b/index.md")
    assert take("a", "c/b") == ["b/index.md", "c/b/index.md", "index.md"]
