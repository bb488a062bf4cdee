from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_case_and_blanks_do_not_matter():
    with client_for(plugins=[HERE]) as client:
        assert client.call("terms.define", term=" RunBook ").data["term"] == "runbook"
        assert client.call("terms.define", term="zzz").data["near"] == []
