"""What papers are read by, documentation is read by too: `ingest` takes PDF and Word in, and kb.* cites their pages."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from citing import done
from click.testing import CliRunner
from made_office import paragraph, word
from made_pdf import Page, lines, pdf

from wekadocs_mcp.cli.main import cli
from wekadocs_mcp.testing import Client, client_for

BEFORE = """Ships that leave the harbour in winter carry salt and timber to the islands. The crews are
paid in spring, when the ice has gone and the merchants return from the capital. Letters of
that time tell of storms, of lost cargo and of prices that nobody was willing to pay. A clerk
kept the ledgers in a tower above the gate, and his successors went on with it for a century.
Most of them are kept in the town hall, where visitors may read them on request.""".splitlines()
AFTER = """Gardens behind the workshop were laid out by a botanist who had travelled in the south. He
planted figs and almonds along the wall, and a row of cypresses that can be seen from the road.
After his death the city bought the grounds and opened them to the public on holidays. In
the glasshouse there are orchids of many kinds, which flower from October until late in May.""".splitlines()
QUESTION = "How is the frobnicator calibrated?"
ANSWER = "The frobnicator is calibrated with a brass spindle before every measurement"


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    folder = tmp_path_factory.mktemp("documentation")
    docs = folder / "docs"
    docs.mkdir()
    manual = pdf(
        lines("Introduction", size=18, top=740) + lines(*BEFORE, top=700),
        lines("Calibration", size=18, top=740)
        + lines("The frobnicator is calibrated with a brass spin-", "dle before every measurement of it.", top=700)
        + lines(*AFTER, top=660),
        Page(picture=True),
        outline=[(1, "Introduction", 1), (1, "Calibration", 2)],
        labels="0 << /S /r >> 1 << /S /D /St 7 >>",
    )
    (docs / "manual.pdf").write_bytes(manual)
    spoken = word(paragraph("Language", "Heading1") + paragraph("Ubiquitous language is shared by domain experts."))
    (docs / "language.docx").write_bytes(spoken)
    (docs / "broken.pdf").write_bytes(manual[:200])
    result = CliRunner().invoke(cli, ["--data", str(folder / "data"), "ingest", str(docs)])
    assert result.exit_code == 1 and "broken.pdf" in result.output, result.output  # one cannot be read, the rest is in
    with client_for({"extends": "shipped"}, data_dir=folder / "data") as client:
        yield client


def cited(found: dict[str, Any]) -> tuple[Any, ...]:
    return found["path"], found.get("pages"), found.get("page_labels")


def test_evidence_from_a_pdf_names_the_page_as_it_is_counted_and_printed(asked: Client) -> None:
    reply = asked.call("kb.retrieve_evidence", query=QUESTION, max_quotes=1, max_quote_tokens=30)
    quote = done(reply)["quotes"][0]
    assert ANSWER in quote["quote"] and cited(quote) == ("manual.pdf", [2, 2], ["7", "7"])
    assert "p. 7 [" in reply.text


def test_search_and_extract_name_it_too(asked: Client) -> None:
    found = done(asked.call("kb.search", query=QUESTION))
    passages = [each["passage_id"] for each in found["results"]]
    given = {"question": QUESTION, "passage_ids": passages, "session_id": found["session_id"], "max_quotes": 1}
    (quote,) = done(asked.call("kb.extract_evidence", **given))["quotes"]
    assert "frobnicator" in quote["quote"] and cited(quote) == ("manual.pdf", [2, 2], ["7", "7"])


def test_evidence_from_word_names_the_section_and_no_page(asked: Client) -> None:
    quote = done(asked.call("kb.retrieve_evidence", query="Who shares the ubiquitous language?"))["quotes"][0]
    assert "shared by domain experts" in quote["quote"]
    assert (cited(quote), quote["anchor"]) == (("language.docx", None, None), "language")
