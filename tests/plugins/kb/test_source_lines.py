"""A citation says which lines of the file it was read from, whatever the file's format."""

import pytest

PAGE = """Leases
======

.. warning::
   :class: x

   A lease of the quota daemon ends after forty seconds without a heartbeat.

.. list-table::
   :header-rows: 1

   * - Setting
     - Meaning
   * - ``quota_lease_seconds``
     - How long a lease of the quota daemon lasts.

Renewal
-------

.. include:: shared.inc

The quota daemon renews a lease after half of its time. It never renews one that has ended.
"""
INCLUDED = "Whoever holds a lease may renew it with ``quota renew``.\n"
HTML = "<html><body>\n<h1>Ports</h1>\n\n<p>The quota daemon listens\non port 9917.</p>\n</body></html>\n"


@pytest.fixture(scope="module")
def kb(serve, ingested):
    pages = {"guide/leases.rst": PAGE, "guide/shared.inc": INCLUDED, "guide/ports.html": HTML}
    return serve(ingested(pages))


def in_file(lines, page=PAGE):
    return "\n".join(page.split("\n")[lines[0] - 1 : lines[1]])


@pytest.mark.parametrize(
    ("question", "words", "line"),
    [
        ("when does a lease of the quota daemon end", "forty seconds", "forty seconds"),
        ("what is quota_lease_seconds", "| `quota_lease_seconds` |", "quota_lease_seconds"),
        ("when does the quota daemon renew a lease", "half of its time", "half of its time"),
        ("how do I renew a lease with quota renew", "`quota renew`", ".. include:: shared.inc"),
    ],
)
def test_a_quote_says_its_lines(kb, question, words, line):
    quotes = kb.ask("kb.retrieve_evidence", {"question": question})["quotes"]
    quote = next(each for each in quotes if words in each["quote"])
    assert line in in_file(quote["source_lines"])
    again = kb.ask("kb.extract_evidence", {"question": question, "passage_ids": [quote["passage_id"]]})["quotes"]
    assert any(line in in_file(each["source_lines"]) for each in again)


def test_excerpts_and_verified_quotes_say_their_lines(kb):
    row = kb.ask("kb.search", {"query": "renews a lease after half of its time"})["results"][0]
    for tool in ("kb.read_excerpt", "kb.expand_excerpt"):
        got = kb.ask(tool, {"passage_id": row["passage_id"]})
        first, last = got["citation"]["source_lines"]
        assert 1 <= first <= last <= PAGE.count("\n")
        assert "half of its time" in in_file((first, last))
    cited = {"quote": "It never renews one that has ended.", "passage_id": row["passage_id"]}
    found = kb.ask("kb.verify_quote", cited)
    assert in_file(found["citation"]["source_lines"]).endswith(cited["quote"])


def test_html_has_lines_too(kb):
    quotes = kb.ask("kb.retrieve_evidence", {"question": "which port does the quota daemon listen on"})["quotes"]
    quote = next(each for each in quotes if "9917" in each["quote"])
    assert "listens" in in_file(quote["source_lines"], HTML)
