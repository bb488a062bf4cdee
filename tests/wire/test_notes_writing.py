"""Notes written over the wire: servers that are killed, two servers and an editor on one vault, both eras."""

import contextlib
import json
import threading
import time

import pytest

LINKING = 120
OLD, NEW = "hub.md", "new-name.md"


@pytest.fixture
def vault(furnished):
    world = furnished
    (world.root / "mine.yaml").write_text("plugins: {notes: {enabled: true, vault: vault}}")
    folder = world.root / "vault"
    folder.mkdir()
    return folder


def serve(world, number=0):
    """A server with a data directory of its own."""
    config = ("--config", str(world.root / "mine.yaml"), "--toolset", "roux")
    return world.stdio(*config, env={"WEKADOCS_DATA": str(world.root / f"data{number}")})


def asker(world, server):
    count = iter(range(1, 10**9))

    def ask(tool, timeout=60, **arguments):
        result = server.ask(world.call(next(count), tool, arguments, modern=True), timeout)["result"]
        return json.loads(result["content"][0]["text"])

    return ask


def furnish(folder):
    (folder / OLD).write_text("# Hub\n\nSelf [[hub]]\n")
    for number in range(LINKING):
        (folder / f"n{number:03}.md").write_text(
            f"---\nn:  {number}\n---\nSee [[hub|the hub]] and [[HUB#x]] `[[hub]]`\n"
        )


def notes(folder):
    return {path.name: path.read_text() for path in folder.glob("*.md")}


def expected(before):
    made = {
        name: text.replace("[[hub|", "[[new-name|").replace("[[HUB#", "[[new-name#") for name, text in before.items()
    }
    made[NEW] = made.pop(OLD).replace("[[hub]]", "[[new-name]]")
    return made


def half_staged(folder, before):
    staged = folder / ".wekadocs" / "staged"
    return staged.is_dir() and sum(1 for _ in staged.iterdir()) > LINKING // 2


def committed(folder, before):
    return (folder / ".wekadocs" / "journal.json").exists()


def half_written(folder, before):
    return (folder / f"n{LINKING // 2:03}.md").read_text() != before[f"n{LINKING // 2:03}.md"]


def ended(folder):
    return (folder / NEW).exists() and not (folder / ".wekadocs" / "journal.json").exists()


@pytest.mark.parametrize("moment", [half_staged, committed, half_written])
def test_a_server_that_is_killed_in_a_rename_leaves_all_old_or_all_new_to_the_next(furnished, vault, moment):
    furnish(vault)
    before = notes(vault)
    server = serve(furnished)
    asker(furnished, server)("get_node", id=OLD)
    server.write(furnished.call("rename", "update_node", {"id": OLD, "title": "New Name"}, modern=True))
    end = time.monotonic() + 60
    while not moment(vault, before) and not ended(vault):
        assert time.monotonic() < end
    server.process.kill()
    server.process.wait()
    again = asker(furnished, serve(furnished))
    node = again("get_node", id=NEW) or again("get_node", id=OLD)
    after = notes(vault)
    assert after in (before, expected(before))
    assert node["id"] in after
    assert [path.name for path in (vault / ".wekadocs").iterdir() if path.name.startswith("journal")] == []
    told = again("update_node", id=node["id"], title="Newer")
    assert told["updatedLinks"] == 2 * LINKING + 1


def test_two_servers_and_an_editor_on_one_vault_lose_nothing(furnished, vault):
    (vault / "log.md").write_text("start\n")
    (vault / "mine.md").write_text("")
    first, second = (asker(furnished, serve(furnished, number)) for number in (1, 2))
    stop = threading.Event()
    edits = []

    def edit():
        """As editors save: a file beside, then renamed."""
        while not stop.is_set():
            edits.append(f"edit {len(edits)} [[log]]")
            beside = vault / ".mine.tmp"
            beside.write_text("\n".join(edits))
            beside.replace(vault / "mine.md")
            time.sleep(0.002)

    def append(ask, who):
        for number in range(25):
            assert "error" not in ask("append", id="log.md", content=f"{who} {number}\n")

    threads = [threading.Thread(target=append, args=each) for each in ((first, "one"), (second, "two"))]
    editor = threading.Thread(target=edit)
    for thread in (editor, *threads):
        thread.start()
    for thread in threads:
        thread.join()
    first("get_node", id="log.md")  # the other may have written last
    renamed = first("update_node", id="log.md", title="Journal")
    stop.set()
    editor.join()
    assert renamed["id"] == "journal.md"
    lines = (vault / "journal.md").read_text().splitlines()
    assert sorted(lines[1:]) == sorted(f"{who} {number}" for who in ("one", "two") for number in range(25))
    assert [line.split(" [[")[0] for line in (vault / "mine.md").read_text().splitlines()] == [
        each.split(" [[")[0] for each in edits
    ]
    assert second("get_node", id="journal.md")["content"] == (vault / "journal.md").read_text()


def test_of_two_servers_that_create_one_note_only_one_does(furnished, vault):
    asks = [asker(furnished, serve(furnished, number)) for number in (1, 2)]
    answers = []

    def create(ask):
        answers.extend(ask("create_node", title=f"Note {number}", content="x") for number in range(10))

    threads = [threading.Thread(target=create, args=(ask,)) for ask in asks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    codes = [each["error"]["code"] for each in answers if "error" in each]
    assert codes == ["NODE_EXISTS"] * 10
    assert len(notes(vault)) == 10


@pytest.mark.parametrize(("transport", "modern"), [("stdio", True), ("stdio", False), ("http", True), ("http", False)])
def test_the_seeds_writing_tools_answer_on_both_transports_and_in_both_eras(furnished, vault, transport, modern):
    config = ("--config", str(furnished.root / "mine.yaml"), "--toolset", "roux")
    server = furnished.stdio(*config) if transport == "stdio" else furnished.http(*config)
    if transport == "stdio":
        send = server.ask
        if not modern:
            server.shake_hands()
    else:
        mine = {} if modern else server.session()
        send = (
            (lambda message: server.post_modern(message).message)
            if modern
            else (lambda message: server.post(message, **mine).message)
        )

    def ask(tool, **arguments):
        result = send(furnished.call(3, tool, arguments, modern=modern))["result"]
        (block,) = result["content"]
        read = json.loads(block["text"])
        assert read == result["structuredContent"] if not result.get("isError") else "structuredContent" not in result
        return read

    made = ask("create_node", title="Old draft", content="one", tags=["t"], directory="notes")
    assert made["id"] == "notes/old-draft.md"
    assert ask("create_node", title="Old draft", content="x", directory="Notes")["error"]["code"] == "NODE_EXISTS"
    assert ask("update_node", id=made["id"], content="two", expected_hash=made["hash"])["content"] == "two"
    (vault / "notes" / "old-draft.md").write_text("by hand")
    assert ask("update_node", id=made["id"], content="three")["error"]["code"] == "STALE"
    assert ask("update_node", id="no.md", content="x")["error"]["code"] == "NODE_NOT_FOUND"
    assert ask("update_node", id=7)["error"]["code"] == "INVALID_PARAMS"
    assert ask("delete_node", id=made["id"]) == {"deleted": True}
    assert ask("delete_node", id=made["id"]) == {"deleted": False}
    with contextlib.suppress(FileNotFoundError):
        assert not (vault / "notes" / "old-draft.md").exists()
