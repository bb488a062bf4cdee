from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_all_words_count_and_the_rest_is_told():
    with client_for(plugins=[HERE]) as client:
        assert [row["goods"] for row in client.call("prices.rows", words="wood CHAIR").data["rows"]] == ["chair"]
        assert client.call("prices.rows", words="0", limit=1).data["more"]
