"""Pages of the reference that are read off contracts, metrics and commands."""

import re
from pathlib import Path

from wekadocs_mcp import shipped
from wekadocs_mcp.cli.reference.errors_page import MEANINGS, by_code

REFERENCE = Path(__file__).parents[2] / "docs" / "reference"


def test_every_code_that_a_contract_names_is_explained():
    assert by_code(Path(shipped.CONTRACTS)).keys() == MEANINGS.keys()


def test_every_metric_that_is_served_has_its_row():
    from wekadocs_mcp.calls.telemetry import Telemetry

    served = set(re.findall(r"# TYPE (\S+)", Telemetry().prometheus()))
    told = set(re.findall(r"^\| `(\w+)`", (REFERENCE / "metrics.md").read_text("utf-8"), re.MULTILINE))
    assert served <= told
    assert {"wekadocs_corpus_deduped_total", "wekadocs_scratch_bytes"} <= told


def test_every_command_has_a_man_page_with_its_options():
    told = (REFERENCE / "command-line.md").read_text("utf-8")
    for name in re.findall(r"^## `wekadocs-mcp ([^`]+)`", told, re.MULTILINE):
        page = (REFERENCE / "man" / f"wekadocs-mcp-{name.replace(' ', '-')}.1").read_text("utf-8")
        assert page.splitlines()[1].startswith(".TH ")
        section = told.partition(f"## `wekadocs-mcp {name}`")[2].partition("\n## ")[0]
        for option in re.findall(r"^  (--[\w-]+)", section, re.MULTILINE):
            assert option.replace("-", "\\-") in page, (name, option)
        assert name in (REFERENCE / "man" / "wekadocs-mcp.1").read_text("utf-8").replace("\\-", "-")


def test_a_sign_of_roff_in_a_text_stays_a_sign():
    from wekadocs_mcp.cli.reference.man_pages import _escaped

    assert _escaped(".TH a\\b") == "\\&.TH a\\eb"


def test_hooks_are_shown_with_their_signatures():
    text = (REFERENCE / "hooks.md").read_text("utf-8")
    assert "def lifespan(context: Context) -> AbstractAsyncContextManager[object]" in text
