"""Which files an ingest looks at."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from wekadocs_corpus.ingest.sources import checkout as git_facts
from wekadocs_corpus.ingest.sources import scan
from wekadocs_corpus.ingest.sources.left_out import LeftOut
from wekadocs_corpus.ingest.sources.scan import NothingThere, Root


def tree(folder: Path, *names: str, **contents: str) -> Path:
    for name in names:
        file = folder / name
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(contents.get(name, f"# {name}\n"))
    return folder


def paths(root: Root, left_out: LeftOut | None = None) -> list[str]:
    return [found.path for found in root.origins(left_out or LeftOut())]


def only(path: Path | str) -> Root:
    (root,) = scan.roots([str(path)])
    return root


def test_a_folder_gives_its_documents_in_a_stable_order(tmp_path: Path) -> None:
    tree(tmp_path, "b.md", "a/z.md", "a/b.txt", "code.py", "A.MD")
    assert paths(only(tmp_path)) == ["A.MD", "a/b.txt", "a/z.md", "b.md"]


def test_a_file_named_by_hand_is_taken_whatever_its_name(tmp_path: Path) -> None:
    tree(tmp_path, "notes.rst")
    assert paths(only(tmp_path / "notes.rst")) == ["notes.rst"]


def test_a_glob_names_files(tmp_path: Path) -> None:
    tree(tmp_path, "a/one.md", "b/two.md", "b/three.txt")
    found = scan.roots([str(tmp_path / "**" / "*.md")])
    assert [root.path.name for root in found] == ["one.md", "two.md"]


def test_a_path_inside_another_given_folder_is_part_of_it(tmp_path: Path) -> None:
    tree(tmp_path, "a/one.md")
    assert scan.roots([str(tmp_path), str(tmp_path / "a"), str(tmp_path / "a" / "one.md")]) == [only(tmp_path)]


def test_a_path_that_is_not_there_is_said(tmp_path: Path) -> None:
    with pytest.raises(NothingThere, match="no such file or folder"):
        scan.roots([str(tmp_path / "nowhere")])


def test_ignore_files_leave_out_what_they_name(tmp_path: Path) -> None:
    tree(tmp_path, "keep.md", "drop.md", "build/x.md", "deep/secret.md", "deep/open.md", "deep/drop.md")
    (tmp_path / ".gitignore").write_text("drop.md\nbuild/\n")
    (tmp_path / "deep" / ".wekadocsignore").write_text("secret.md\n!drop.md\n")
    assert paths(only(tmp_path)) == ["deep/drop.md", "deep/open.md", "keep.md"]


def test_an_ignore_file_above_the_root_counts_inside_a_checkout(tmp_path: Path) -> None:
    tree(tmp_path, "docs/a.md", "docs/draft.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("draft.md\n")
    assert paths(only(tmp_path / "docs")) == ["a.md"]


def test_folders_of_tools_are_left_out(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "node_modules/pkg/README.md", ".git/description.md", ".venv/x.md", "_sources/a.rst.txt")
    assert paths(only(tmp_path)) == ["a.md"]


def test_a_link_out_of_the_tree_or_to_what_is_no_document_is_not_followed(tmp_path: Path) -> None:
    outside = tree(tmp_path / "outside", "secret.md")
    docs = tree(tmp_path / "docs", "a.md")
    (docs / "leak.md").symlink_to(outside / "secret.md")
    (docs / ".env").write_text("KEY=1\n")
    (docs / "key.md").symlink_to(docs / ".env")
    (docs / "again.md").symlink_to(docs / "a.md")
    (docs / "folder").symlink_to(outside, target_is_directory=True)
    assert paths(only(docs)) == ["a.md", "again.md"]


def test_a_folder_that_cannot_be_read_is_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tree(tmp_path, "a.md", "locked/b.md")
    real = os.scandir

    def scandir(folder: Path) -> object:
        if folder == tmp_path / "locked":  # root, as whom tests may run, can read whatever chmod says
            raise PermissionError(13, "Permission denied")
        return real(folder)

    monkeypatch.setattr(os, "scandir", scandir)
    left_out = LeftOut()
    assert paths(only(tmp_path), left_out) == ["a.md"]
    assert left_out.blocked == [tmp_path / "locked"]


def git(folder: Path, *arguments: str, date: str = "2024-05-06T07:08:09+00:00") -> None:
    names = {f"GIT_{who}_{what}": "x@example.org" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {"GIT_AUTHOR_DATE": date, "GIT_COMMITTER_DATE": date}
    subprocess.run(
        ["git", "-C", folder, *arguments], check=True, capture_output=True, env={**os.environ, **names, **dates}
    )


def test_a_checkout_gives_name_dates_and_locators(tmp_path: Path) -> None:
    checkout = tree(tmp_path / "clone", "docs/ä b.md", "docs/new.md")
    git(checkout, "init", "-q")
    git(checkout, "remote", "add", "origin", "git@example.org:team/handbook.git")
    git(checkout, "add", "docs/ä b.md")
    git(checkout, "commit", "-qm", "one")
    root = only(checkout / "docs")
    assert root.repository == "handbook"
    assert [found.locator for found in root.origins(LeftOut())] == ["docs/new.md", "docs/ä b.md"]
    assert git_facts.git_dates(checkout) == {"docs/ä b.md": 1714979289.0}


def test_the_same_file_has_one_locator_under_every_root(tmp_path: Path) -> None:
    tree(tmp_path, "docs/a.md")
    (whole,), (part,) = (
        list(only(tmp_path).origins(LeftOut())),
        list(only(tmp_path / "docs").origins(LeftOut())),
    )
    assert whole.locator == part.locator
    assert (whole.path, part.path) == ("docs/a.md", "a.md")


@pytest.mark.parametrize("pattern", ["build/", "build", "/build/*", "build/**", "*"])
def test_a_folder_that_is_named_is_read_though_an_ignore_file_above_leaves_it_out(tmp_path: Path, pattern: str) -> None:
    tree(tmp_path, "build/docs/a.md", "build/docs/draft.md", "build/docs/old/b.md")
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text(f"{pattern}\ndraft.md\n")
    (tmp_path / "build" / "docs" / ".gitignore").write_text("old/\n")
    assert paths(only(tmp_path / "build" / "docs")) == ["a.md"]
    assert paths(only(tmp_path)) == []


def test_what_is_left_out_is_counted_by_its_rule(tmp_path: Path) -> None:
    tree(tmp_path, "a.md", "x.png", "y.png", "Makefile", "draft.md", "gone/b.md", "deep/c.md", "node_modules/d.md")
    (tmp_path / ".gitignore").write_text("draft.md\ngone/\nx.png\n")
    (tmp_path / "deep" / ".wekadocsignore").write_text("c.md\n")
    left_out = LeftOut()
    assert paths(only(tmp_path), left_out) == ["a.md"]
    assert left_out.kinds == {".png": 1, "without an ending": 1}
    assert left_out.ignored == {".gitignore": 2, "deep/.wekadocsignore": 1}
    assert left_out.tool_folders == {"node_modules": 1}


def test_templates_and_partials_are_no_pages_and_are_told(tmp_path: Path) -> None:
    tree(
        tmp_path, "content/_index.md", "content/a.md", "layouts/b.html", "archetypes/c.md", "docs/_part.mdx",
        "docs/d.mdx",
        "rst/e.rst", "rst/shared/f.txt", "rst/_templates/g.rst", "antora/pages/h.adoc", "antora/partials/i.adoc",
        "ui/layouts/j.md", "notes/k.txt",
    )  # fmt: skip
    (tmp_path / "rst" / "conf.py").write_text("project = 'x'\nextensions = []\n")
    left_out = LeftOut()
    read = ["antora/pages/h.adoc", "content/_index.md", "content/a.md", "docs/d.mdx", "notes/k.txt", "rst/e.rst"]
    assert paths(only(tmp_path), left_out) == [*read, "ui/layouts/j.md"]
    assert left_out.fragments == {
        "layouts/": 1,
        "archetypes/": 1,
        "_templates/": 1,
        "partials/": 1,
        ".mdx": 1,
        ".txt": 1,
    }
    assert paths(only(tmp_path / "archetypes")) == ["c.md"]  # who names one means it


def test_pages_that_hugo_only_puts_into_others_are_no_pages_and_are_told(tmp_path: Path) -> None:
    tree(tmp_path, "content/a.md", "content/_common/b.md", "content/docs/_index.md", "content/docs/c.md")
    (tmp_path / "content/_common/_index.md").write_text("---\ncascade:\n  build: {list: never, render: never}\n---\n")
    left_out = LeftOut()
    assert paths(only(tmp_path), left_out) == ["content/a.md", "content/docs/_index.md", "content/docs/c.md"]
    assert left_out.fragments == {"_common/": 1}


def test_navigation_is_no_page(tmp_path: Path) -> None:
    tree(
        tmp_path, "book/src/SUMMARY.md", "book/src/a.md", "gitbook/SUMMARY.md", "gitbook/b.md", "notes/SUMMARY.md",
        "antora/modules/ROOT/nav.adoc", "antora/modules/ROOT/pages/nav.adoc",
    )  # fmt: skip
    (tmp_path / "book" / "book.toml").write_text("[book]\ntitle = 'B'\n")
    (tmp_path / "gitbook" / ".gitbook.yaml").write_text("root: ./\n")
    left_out = LeftOut()
    assert paths(only(tmp_path), left_out) == [
        "antora/modules/ROOT/pages/nav.adoc",
        "book/src/a.md",
        "gitbook/b.md",
        "notes/SUMMARY.md",
    ]
    assert left_out.fragments == {".md": 2, ".adoc": 1}


def test_html_that_is_filled_in_is_no_page(tmp_path: Path) -> None:
    contents = {
        "child.html": "{# Licence #}\n{% extends base %}\n{% block body %}<h1>Title</h1>{% endblock %}",
        "base.html": "<!doctype html><html><head><title>{{ title }}</title></head><body>{{ content }}</body></html>",
        "vue.html": "<span>{{ message }}</span>",
        "real.html": "<html><body><h1>Blocks</h1><pre>{% block a %}{{ b }}{% endblock %}</pre></body></html>",
        "hugo.html": "---\ntitle: A\n---\n<p>{{< warning >}}Mind{{< /warning >}}</p>",
        "piece.html": "<p>Write <code>{{ name }}</code>.</p>",
    }
    tree(tmp_path, *contents, **contents)
    left_out = LeftOut()
    assert paths(only(tmp_path), left_out) == ["hugo.html", "piece.html", "real.html"]
    assert left_out.fragments == {".html": 3}


def test_text_is_a_page_where_sphinx_says_so(tmp_path: Path) -> None:
    tree(tmp_path, "a.txt")
    (tmp_path / "conf.py").write_text("project = 'x'\nsource_suffix = '.txt'\n")
    assert paths(only(tmp_path)) == ["a.txt"]


def test_what_a_generator_of_markdown_copies_as_it_is_is_no_page(tmp_path: Path) -> None:
    tree(
        tmp_path, "site/docs/a.md", "site/docs/b.txt", "site/static/llms-full.txt", "site/static/c.md",
        "site/build/d.html", "vue/src/e.md", "vue/src/demo/f.html", "vue/.vitepress/g.md", "plain/h.html",
        ".github/i.md",
    )  # fmt: skip
    (tmp_path / "site" / "docusaurus.config.ts").write_text("export default {}")
    left_out = LeftOut()
    assert paths(only(tmp_path), left_out) == ["plain/h.html", "site/docs/a.md", "vue/src/e.md"]
    assert left_out.fragments == {".txt": 2, ".md": 1, ".html": 2}
    assert left_out.tool_folders == {".vitepress": 1, ".github": 1}
    assert paths(only(tmp_path / "site" / "build")) == ["d.html"]  # who names one means it
    assert paths(only(tmp_path / "vue" / "src")) == ["e.md"]
