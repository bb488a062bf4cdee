from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_no_glob_leaves_the_folder_and_no_pattern_hangs():
    with client_for(plugins=[HERE]) as client:
        for glob in ("../*.py", "../../**/*", "*/../../*.py"):
            reply = client.call("files.lines", pattern="tool", glob=glob)
            assert reply.error or reply.data["lines"] == [], glob
        assert client.call("files.lines", pattern="/etc", glob="/etc/*").error["code"] == "INVALID_ARGUMENT"
        assert client.call("files.lines", pattern="(a+)+$").error is None
        assert client.call("files.lines", pattern=".", limit=1).data["more"]
