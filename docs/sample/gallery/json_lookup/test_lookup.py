from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_a_secret_is_neither_named_nor_told():
    with client_for(plugins=[HERE]) as client:
        assert client.call("settings.lookup").data["names"] == ["server", "hosts"]
        assert client.call("settings.lookup", pointer="/api_token").error["code"] == "NO_SETTING"
        assert client.call("settings.lookup", pointer="/hosts/1").data["value"] == "b"
        assert client.call("settings.lookup", pointer="/hosts/-1").error["code"] == "NO_SETTING"
