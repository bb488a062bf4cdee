"""The sample: pages that hang together, and questions that its pages answer."""

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

SAMPLE = Path(__file__).parent.parent / "docs" / "sample"
DOCS = SAMPLE / "docs"
PAGES = {path.relative_to(DOCS).as_posix(): path.read_text("utf-8") for path in sorted(DOCS.rglob("*.md"))}
QUESTIONS = yaml.safe_load((SAMPLE / "golden.yaml").read_text("utf-8"))["questions"]
FENCE = re.compile(r"^ *```.*?^ *```$", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"\]\(([^)\s]+)\)")


def anchors(page: str) -> set[str]:
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", PAGES[page]), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.strip().lower()).replace(" ", "-") for heading in headings}


def answering(question: dict) -> list[str]:
    """The pages that answer, in the order they are needed."""
    document = question["document"]
    return document if isinstance(document, list) else [document] if document else []


def test_there_are_pages_and_questions_enough():
    assert len(PAGES) >= 30
    assert len(QUESTIONS) == 60


def test_ids_are_unique():
    assert not [name for name, count in Counter(question["id"] for question in QUESTIONS).items() if count > 1]


def test_every_kind_of_question_is_there():
    kinds = Counter(question["kind"] for question in QUESTIONS)
    assert kinds == {
        "easy": 17,
        "paraphrase": 10,
        "identifier": 10,
        "version": 6,
        "multi_hop": 8,
        "unanswerable": 9,
    }


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda question: question["id"])
def test_the_answer_stands_in_its_page(question):
    pages = answering(question)
    assert len(pages) == {"unanswerable": 0, "multi_hop": 2}.get(question["kind"], 1)
    assert set(pages) <= set(PAGES)
    assert question["max_calls"] == 1
    assert question["max_bytes"] == 8000
    if not pages:
        assert question["answer"] is None
        assert question["keywords"] == []
        return
    assert question["answer"] in PAGES[pages[-1]]
    text = "\n".join(PAGES[page] for page in pages).lower()
    assert question["keywords"]
    assert not [word for word in question["keywords"] if word.lower() not in text]


@pytest.mark.parametrize("page", PAGES)
def test_links_and_anchors_resolve(page):
    for link in LINK.findall(FENCE.sub("", PAGES[page])):
        path, _, anchor = link.partition("#")
        target = (DOCS / page).parent.joinpath(path).resolve() if path else DOCS / page
        name = target.relative_to(DOCS.resolve()).as_posix()
        assert name in PAGES, f"{page} links to {link}"
        assert not anchor or anchor in anchors(name), f"{page} links to {link}"


@pytest.mark.parametrize("page", PAGES)
def test_every_error_code_is_explained(page):
    codes = set(re.findall(r"STR-\d{4}", PAGES[page]))
    assert {code.lower() for code in codes} <= anchors("troubleshooting/error-codes.md")


def test_front_matter_is_complete_where_there_is_any():
    heads = [text.split("---\n")[1] for text in PAGES.values() if text.startswith("---\n")]
    assert 0 < len(heads) < len(PAGES)
    for head in heads:
        assert set(yaml.safe_load(head)) == {"title", "doc_tag", "updated"}


def test_one_page_says_how_to_mount():
    assert [page for page, text in PAGES.items() if "To mount a filesystem, run" in text] == ["filesystems/mount.md"]
