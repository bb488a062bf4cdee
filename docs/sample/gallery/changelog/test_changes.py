from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_a_release_that_is_not_there_names_those_that_are():
    with client_for(plugins=[HERE]) as client:
        assert "1.1.0, 1.0.0" in client.call("releases.changes", version="2.0").error["message"]
        assert len(client.call("releases.changes", version="1.1.0").data["entries"]) == 2
