"""Citations lead to the page on its site, at the heading that its generator made."""

import shutil

import pytest

CONFIGURATION = "site_name: Strata\nsite_url: {}\ntheme: {{name: material}}\n"
PAGE = """# Mounting

Words before the first part.

## Usage

Run `strata mount fs` as root to mount a filesystem.

## Undo

Something quite different, on taking a filesystem away.

## Usage

Run `strata umount fs` to unmount the filesystem from a client.
"""
SITE = "https://docs.example.com/strata/"
THERE = f"{SITE}guide/mounting/#usage_1"


@pytest.fixture
def folder(tmp_path):
    docs = tmp_path / "site" / "docs" / "guide"
    docs.mkdir(parents=True)
    (docs / "mounting.md").write_text(PAGE, "utf-8")
    (tmp_path / "site" / "mkdocs.yml").write_text(CONFIGURATION.format(SITE), "utf-8")
    return tmp_path / "site" / "docs"


@pytest.fixture
def asked(tmp_path, take_in, serve, folder):
    """The best row for a question, after the folder was taken in once more."""
    rounds = []

    def ask(**changes):
        rounds.append(1)
        take_in(tmp_path / "data", folder, **changes)
        data = shutil.copytree(tmp_path / "data", tmp_path / f"served{len(rounds)}")
        kb = serve(data)
        return kb, kb.ask("kb.search", {"query": "unmount strata umount"})["results"][0]

    return ask


def test_every_answer_leads_to_the_site(asked):
    kb, row = asked()
    passage = {"passage_id": row["passage_id"]}
    at = PAGE.index("Run `strata umount") - kb.ask("kb.read_excerpt", passage)["citation"]["start"]
    excerpt = kb.outcome("kb.read_excerpt", {**passage, "start_char": at})
    assert excerpt.data["citation"]["url"] == THERE
    assert f"Mounting, {THERE} [" in excerpt.content[0]["text"]
    evidence = kb.outcome("kb.retrieve_evidence", {"question": "How do I unmount the filesystem from a client?"})
    quote = next(each for each in evidence.data["quotes"] if "umount" in each["quote"])
    assert quote["url"] == f"{SITE}guide/mounting/#{quote['anchor']}"
    assert SITE in evidence.content[0]["text"]
    checked = kb.ask("kb.verify_quote", {"quote": "Run `strata umount fs` to unmount", **passage})
    assert checked["citation"]["url"] == THERE
    wider = kb.ask("kb.expand_excerpt", {**passage, "start_char": at, "before_tokens": 0, "after_tokens": 10})
    assert wider["citation"]["url"] == THERE
    assert row["url"] == f"{SITE}guide/mounting/#{row['anchor']}"
    assert row["url"] in kb.outcome("kb.search", {"query": "unmount strata umount"}).content[0]["text"]


def test_what_the_configuration_says_is_taken_over_by_the_next_ingest(asked, folder):
    asked()
    (folder.parent / "mkdocs.yml").write_text(CONFIGURATION.format("https://moved.example.com"), "utf-8")
    _, row = asked()
    assert row["url"].startswith("https://moved.example.com/guide/mounting/#")
    (folder.parent / "mkdocs.yml").unlink()
    _, row = asked()
    assert "url" not in row


def test_a_setting_names_the_site(asked, folder):
    (folder.parent / "mkdocs.yml").unlink()
    _, row = asked(site_url="https://example.com/blob/main/docs")
    assert row["url"].startswith("https://example.com/blob/main/docs/guide/mounting.md#")
    _, row = asked(site_url="https://example.com/x/")
    assert row["url"].startswith("https://example.com/x/guide/mounting.md#")
    _, row = asked(site_urls={folder.as_posix(): "https://one.example.com/"})
    assert row["url"].startswith("https://one.example.com/guide/mounting.md#")


def test_without_a_known_site_there_is_no_url(kb):
    outcome = kb.outcome("kb.search", {"query": "mount a filesystem"})
    row = outcome.data["results"][0]
    assert "url" not in row
    assert f"{row['path']}#{row['anchor']} [" in outcome.content[0]["text"]
