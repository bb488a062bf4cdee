import subprocess
from pathlib import Path

from wekadocs_mcp.testing import check_plugin, client_for

HERE = Path(__file__).parent


def test_the_contract_and_its_examples_hold():
    check_plugin(HERE)


def test_commits_are_found_by_words_and_path(tmp_path, monkeypatch):
    def git(*words):
        who = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"]
        subprocess.run(["git", "-C", str(tmp_path), *who, *words], check=True, capture_output=True)

    git("init", "-q")
    for name in ("one", "two"):
        (tmp_path / name).write_text(name)
        git("add", name)
        git("commit", "-q", "-m", f"Add {name}.*")
    monkeypatch.setenv("LOG_REPOSITORY", str(tmp_path))
    with client_for(plugins=[HERE]) as client:
        assert [each["subject"] for each in client.call("repo.log").data["commits"]] == ["Add two.*", "Add one.*"]
        assert len(client.call("repo.log", words="ADD ONE.*").data["commits"]) == 1
        assert client.call("repo.log", path="two").data["commits"][0]["author"] == "Ada"
        assert client.call("repo.log", words="--all").data["commits"] == []
    monkeypatch.setenv("LOG_REPOSITORY", str(tmp_path / "nowhere"))
    with client_for(plugins=[HERE]) as client:
        assert client.call("repo.log").error["code"] == "NO_HISTORY"
