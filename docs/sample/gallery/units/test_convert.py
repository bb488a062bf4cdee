from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_there_and_back_is_the_same_and_an_unknown_unit_names_those_that_are_known():
    with client_for(plugins=[HERE]) as client:
        there = client.call_with("units.convert", {"value": 5, "from": "mi", "to": "km"}).data["value"]
        back = client.call_with("units.convert", {"value": there, "from": "km", "to": "mi"}).data["value"]
        error = client.call_with("units.convert", {"value": 1, "from": "cubit", "to": "m"}).error
    assert back == 5 and "Known: B, kB" in error["message"]
