"""Contracts of strangers: whatever stands in them, the commands end, say why, and show nothing from elsewhere."""

import json
import os
from pathlib import Path

import pytest
from click.testing import CliRunner

from wekadocs_contracts import sandbox
from wekadocs_contracts.format import templates
from wekadocs_contracts.problems import Refused
from wekadocs_mcp.cli.contract_commands import contracts
from wekadocs_mcp.cli.main import cli

cli.add_command(contracts)
PLAIN = {"type": "object", "properties": {}}


def contract(folder: Path, use_when="you want to do something", schema=PLAIN, text="done", **more) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    routing = {"use_when": use_when, "do_not_use_when": "you have nothing to do", "returns": "What it returns.",
               "follow_up": "Nothing follows."}  # fmt: skip
    hints = dict.fromkeys(("readOnlyHint", "idempotentHint"), True) | dict.fromkeys(
        ("destructiveHint", "openWorldHint"), False
    )
    whole = {"contract": "demo.bomb", "version": "1.0.0", "status": "stable", "title": "A bomb", "routing": routing,
             "annotations": hints, "input": schema, "output": {"type": "object"}, "text": text, **more}  # fmt: skip
    (folder / "bomb.v1.yaml").write_text(json.dumps(whole))
    return folder


def folded(levels: int) -> dict:
    """Each level refers to the one below it twice."""
    defs = {f"d{n}": {"allOf": [{"$ref": f"#/$defs/d{n - 1}"}] * 2} for n in range(1, levels + 1)}
    return {"type": "object", "$defs": {**defs, "d0": {"type": "object"}}, "allOf": [{"$ref": f"#/$defs/d{levels}"}]}


def nested(levels: int) -> dict:
    schema: dict = {"type": "object"}
    for _ in range(levels):
        schema = {"type": "object", "properties": {"a": schema}}
    return schema


def with_pattern(pattern: str) -> dict:
    return {"type": "object", "properties": {"a": {"type": "string", "pattern": pattern}}}


LOOPS = "{% for a in range(99999) %}{% for b in range(99999) %}x{% endfor %}{% endfor %}"
TEMPLATES = {
    "loops": (LOOPS, "too many steps"),
    "empty loops": (LOOPS.replace("x", ""), "too many steps"),
    "a loop that calls itself": (
        "{% for a in [1, 2] recursive %}{% if loop.depth < 40 %}{{ loop([1, 2]) }}{% endif %}{% endfor %}",
        "too many steps",
    ),
    "a macro that calls itself": (
        "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(40) }}",
        "too many steps",
    ),
    "long text": ("{% for a in range(900) %}" + "x" * 200 + "{% endfor %}", "grows too long"),
    "padding by %": ("{{ '%1000000000d' % 1 }}", "999"),
    "padding by a width that is given": ("{{ '%*d' % (1000000000, 1) }}", "999"),
    "padding by a filter": ("{{ '%2000000000d' | format(1) }}", "999"),
    "center": ("{{ 'x' | center(3000000000) }}", "too long"),
    "indent": ("{{ ('x' | center(9999)) | replace(' ', '\n') | indent(99999) }}", "too long"),
    "map": ("{{ ['x'] | map('center', 3000000000) | list }}", "too long"),
    "batch": ("{{ [1] | batch(3000000000, 0) | list }}", "too long"),
    "join": ("{{ range(99999) | join('" + "x" * 500 + "') }}", "too"),
    "ljust": ("{{ 'x'.ljust(3000000000) }}", "ljust"),
    "str.format": ("{{ '{:3000000000}'.format(1) }}", "format"),
    "*": ("{{ 'x' * 3000000000 }}", "not available"),
    "~": ("{% set a = 'xxxxxxxx' %}" + "{% set a = a ~ a %}" * 40, "too"),
    "+": ("{% set a = [1] %}" + "{% set a = a + a %}" * 40, "too"),
    "numbers": ("{% set a = 10 %}" + "{% set a = a * a %}" * 40, "too large"),
    "a long template": ("{{ 1 }}" * 5000, "more than the 32768"),
}
SCHEMAS = {
    "22-deep allOf": (folded(22), "unfold to more than"),
    "a long chain": ({"type": "object", "$defs": {f"d{n}": {"$ref": f"#/$defs/d{n + 1}"} for n in range(9000)},
                      "$ref": "#/$defs/d0"}, ""),
    "400 levels": (nested(400), "deep"),
    "a long pattern": (with_pattern("(a|b?)*c" * 25_000), "pattern of more than"),
}  # fmt: skip


# YAML itself has no room for such a name.
FROM_ELSEWHERE = SCHEMAS | {
    "long names": ({"type": "object", "patternProperties": {"a" * 100_000: {}}}, "pattern of more than")
}


def run(command: str, folder: Path, *options: str):
    if command == "docs":
        options = ("--into", str(folder.parent / "reference"), "--guides", str(folder.parent / "guides"), *options)
    operands = ("null", str(folder)) if command == "diff" else (str(folder),)
    return CliRunner().invoke(cli, ["contracts", command, *operands, *options])


def refused(done, why: str) -> None:
    assert done.exit_code == 2, done.output
    assert why in done.output and "Traceback" not in done.output
    assert len(done.output) < 3000, "the reason, not the bomb"


COMMANDS = pytest.mark.parametrize("command", ["lint", "docs", "lock", "diff"])


@COMMANDS
def test_every_template_ends(command, tmp_path):
    for name, (template, why) in TEMPLATES.items():
        done = run(command, contract(tmp_path / "bombs", template))
        assert done.exit_code == 2 and why in done.output, (name, done.output)
        refused(done, why)
    assert not (tmp_path / "reference").exists() and not (tmp_path / "bombs" / "contracts.lock.json").exists()


@COMMANDS
@pytest.mark.parametrize("name", SCHEMAS)
def test_every_schema_ends(command, name, tmp_path):
    schema, why = SCHEMAS[name]
    refused(run(command, contract(tmp_path / "bombs", schema=schema)), why)


@COMMANDS
def test_a_fragment_that_unfolds_ends(command, tmp_path):
    folder = contract(tmp_path / "bombs", schema={"type": "object", "$ref": "wekadocs:shared/bomb#/$defs/d22"})
    (folder / "_shared").mkdir()
    (folder / "_shared" / "bomb.yaml").write_text(json.dumps(folded(22)))
    refused(run(command, folder), "unfold to more than")


@COMMANDS
@pytest.mark.parametrize("place", ["secret.v1.yaml", "_shared/secret.yaml", "_guides/secret.md.j2", "inner"])
def test_a_link_out_of_the_folder_shows_and_overwrites_nothing(command, place, tmp_path):
    folder = contract(tmp_path / "bombs")
    link = folder / place
    link.parent.mkdir(exist_ok=True)
    link.symlink_to("/etc" if place == "inner" else "/etc/passwd")
    done = run(command, folder)
    refused(done, "a link that leads out of")
    assert "root:" not in done.output


def test_the_lock_is_not_written_through_a_link(tmp_path):
    folder = contract(tmp_path / "bombs")
    (tmp_path / "mine").write_text("mine")
    (folder / "contracts.lock.json").symlink_to(tmp_path / "mine")
    refused(run("lock", folder), "a link that leads out of")
    assert (tmp_path / "mine").read_text() == "mine"


@COMMANDS
def test_a_shared_folder_above_may_not_lead_away(command, tmp_path):
    folder = contract(tmp_path / "bombs", schema={"type": "object", "$ref": "wekadocs:shared/secret"})
    (tmp_path / "_shared").mkdir()
    (tmp_path / "_shared" / "secret.yaml").symlink_to("/etc/passwd")
    done = run(command, folder)
    refused(done, "a link that leads out of")
    assert "root:" not in done.output


@COMMANDS
def test_devices_pipes_and_large_files_are_not_read(command, tmp_path):
    folder = contract(tmp_path / "bombs")
    os.mkfifo(folder / "pipe.v1.yaml")
    refused(run(command, folder), "not a regular file")
    (folder / "pipe.v1.yaml").unlink()
    (folder / "large.v1.yaml").write_bytes(b"#" * (1 << 21))
    refused(run(command, folder), "over the limit")


def test_a_named_device_is_not_read():
    refused(CliRunner().invoke(cli, ["contracts", "lint", "/dev/zero"]), "not a regular file")


@pytest.mark.parametrize("name", ["a long text", "nothing but work"])
def test_the_text_of_an_answer_ends(name, tmp_path):
    text = {"a long text": "{% for a in range(99999) %}" + "x" * 99 + "{% endfor %}", "nothing but work": LOOPS}[name]
    refused(run("lint", contract(tmp_path / "bombs", text=text)), "too")


def test_a_guide_ends(tmp_path):
    folder = contract(tmp_path / "bombs")
    (folder / "_guides").mkdir()
    (folder / "_guides" / "page.md.j2").write_text(LOOPS)
    refused(run("docs", folder), "too many steps")


def test_what_nothing_else_bounds_is_ended_by_the_child():
    def work() -> None:
        while True:
            pass

    with pytest.raises(Refused, match="more than 1 s of work"):
        sandbox.run(work, "a folder", seconds=1)
    with pytest.raises(Refused, match="GB"):
        sandbox.run(lambda: len(bytearray(8 << 30)), "a folder")


@pytest.mark.parametrize("step", [1e-300, 5e-324, 3.3e-200, 1e300])
def test_a_tiny_step_is_compared(step, tmp_path):
    sides = []
    for name, schema in (("one", {"multipleOf": step}), ("two", {"multipleOf": 0.5})):
        tool = {"name": "a", "inputSchema": {"type": "object", "properties": {"x": {"type": "number", **schema}}}}
        sides.append(tmp_path / f"{name}.json")
        sides[-1].write_text(json.dumps([tool]))
    for pair in (sides, sides[::-1]):
        done = CliRunner().invoke(cli, ["contracts", "diff", *map(str, pair), "--format", "json"])
        assert done.exit_code in (0, 1, 3), done.output
        assert json.loads(done.stdout)["changes"]
    folder = contract(tmp_path / "bombs", schema={"type": "object", "properties": {"x": {"multipleOf": step}}})
    assert run("lint", folder).exit_code == 0


@pytest.mark.parametrize("name", FROM_ELSEWHERE)
def test_tools_from_elsewhere_are_bounded_too(name, tmp_path):
    file = tmp_path / "tools.json"
    file.write_text(json.dumps([{"name": "a", "inputSchema": FROM_ELSEWHERE[name][0]}]))
    refused(CliRunner().invoke(cli, ["contracts", "diff", str(file), "null"]), FROM_ELSEWHERE[name][1])


def test_a_folder_of_snapshots_is_bounded_too(tmp_path):
    (tmp_path / "tools").mkdir()
    os.mkfifo(tmp_path / "tools" / "a.json")
    refused(CliRunner().invoke(cli, ["contracts", "diff", "null", str(tmp_path / "tools")]), "not a regular file")


@pytest.mark.parametrize("bomb", [{"use_when": LOOPS}, {"schema": folded(22)}, {"schema": with_pattern("a" * 5000)}])
def test_a_server_with_such_a_drop_in_is_refused_at_start(bomb, tmp_path):
    folder = contract(tmp_path / "bombs", **bomb)
    (folder / "bomb.py").write_text("from wekadocs_mcp import tool\n@tool('demo.bomb')\ndef bomb(call): return {}\n")
    done = CliRunner().invoke(cli, ["--data", str(tmp_path), "tools", "--plugins", str(folder)])
    refused(done, "bomb.v1.yaml")


def test_an_answer_whose_text_takes_too_long_comes_as_json(tmp_path):
    folder = contract(tmp_path / "bombs", text=LOOPS)
    code = "from wekadocs_mcp import tool\n@tool('demo.bomb')\ndef bomb(call): return {'a': 1}\n"
    (folder / "bomb.py").write_text(code)
    done = CliRunner().invoke(
        cli, ["--data", str(tmp_path), "call", "demo.bomb", "{}", "--text", "--plugins", str(folder)]
    )
    assert done.exit_code == 0 and '{"a":1}' in done.output


def test_what_templates_do_every_day_goes_on():
    rows = [{"id": n, "name": "ä" * 40, "tags": ["a", "b"]} for n in range(400)]
    row = "{{ loop.index }}/{{ loop.length }} {{ r.name | center(60) }}{{ r.tags | join(', ') }}"
    text = f"{{% for r in rows %}}{row}\n{{% endfor %}}"
    compiled = templates.answers().from_string(text)
    assert len(templates.render_answer(text, compiled, {"rows": rows}).splitlines()) == 400
    assert templates.render("{{ '%03d' % 7 }} {{ 1 + 2 }} {{ 'a' ~ 1 }}", {}) == "007 3 a1"


def test_a_child_that_has_grown_may_have_a_child_of_its_own():
    def grown():
        kept = bytearray(64 << 20)
        return sandbox.start(lambda: len(kept), "the child's child")()

    assert sandbox.start(grown, "the child")() == 64 << 20
