from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_days_without_entries_are_empty_and_folded_lines_are_whole():
    with client_for(plugins=[HERE]) as client:
        assert client.call("team.calendar", first="2025-01-01").data == {"entries": []}
        assert client.call("team.calendar", first="9999-12-31", days=9).error["code"] == "BAD_DAY"
        long = client.call("team.calendar", first="2026-04-01", days=31).data["entries"]
    assert long == [{"day": "2026-04-06", "summary": "Holiday of the whole team"}]
