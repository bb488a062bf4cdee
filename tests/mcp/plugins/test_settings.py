"""A plugin's settings: checked against its own schema, filled, and no secret shown."""

from __future__ import annotations

import sys
from typing import Any

from .made_plugins import ECHO, contract

LIFESPAN = """
import contextlib
@hookimpl
@contextlib.asynccontextmanager
async def lifespan(context):
    yield {"settings": context.settings, "data_dir": str(context.data_dir), "log": context.log.name}
"""

SETTINGS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "ttl": {"type": "integer", "minimum": 1, "default": 60},
        "url": {"type": "string", "pattern": "^https://"},
        "store": {"type": "object", "properties": {"kind": {"enum": ["a", "b"], "default": "a"}}},
    },
}


def test_settings_reach_the_lifespan_with_their_defaults(workshop: Any, install: Any) -> None:
    install("acme", ECHO + LIFESPAN, SETTINGS, contract(workshop, "acme.echo"))
    app = workshop.app({"plugins": {"acme": {"ttl": 5, "enabled": True}}})
    state = workshop.call(app, "acme.echo").data["got"]
    assert state["settings"] == {"ttl": 5, "store": {"kind": "a"}}
    assert state["data_dir"] == str(app.config.data_dir)
    assert state["log"] == "wekadocs.plugin.acme"


def test_settings_are_checked_against_the_packages_schema_at_their_line(workshop: Any, install: Any) -> None:
    install("acme", "", SETTINGS)
    said = workshop.refusal("plugins:\n  acme:\n    ttl: 0\n    tll: 5\n    store: {kind: c}\n")
    assert "tools.yaml:3:10" in said
    assert "0 is below the minimum of 1" in said
    assert "tools.yaml:4:5" in said
    assert "did you mean `ttl`?" in said
    assert "tools.yaml:5:19" in said
    assert "installed_acme" not in sys.modules


def test_settings_from_the_environment_are_read_as_the_schema_wants_them(
    workshop: Any, install: Any, monkeypatch: Any
) -> None:
    install("acme", ECHO + LIFESPAN, SETTINGS, contract(workshop, "acme.echo"))
    monkeypatch.setenv("TTL", "7")
    settings = {"plugins": {"acme": {"ttl": "${TTL}", "url": "${URL:-https://x}"}}}
    found = workshop.call(workshop.app(settings), "acme.echo").data["got"]["settings"]
    assert found == {"ttl": 7, "url": "https://x", "store": {"kind": "a"}}


def test_a_secret_setting_that_does_not_fit_is_not_shown(workshop: Any, install: Any, monkeypatch: Any) -> None:
    install("acme", "", SETTINGS)
    monkeypatch.setenv("STORE_URL", "hunter2://secret")
    said = workshop.refusal("plugins:\n  acme:\n    url: ${STORE_URL}\n    store: ['${STORE_URL}']\n")
    assert "hunter2" not in said
    assert "the value of ${STORE_URL} does not fit (pattern)" in said
    assert "tools.yaml:3:10" in said


def test_a_package_without_a_settings_schema_takes_none(workshop: Any, install: Any) -> None:
    install("acme", "")
    said = workshop.refusal({"plugins": {"acme": {"ttl": 5}}})
    assert "plugin `acme` takes no settings" in said


def test_a_drop_in_gets_its_settings_unchecked(workshop: Any) -> None:
    workshop.tool(LIFESPAN + "@tool('demo.echo')\nasync def echo(call, text):\n    return call.state['settings']\n")
    assert workshop.call(workshop.app({"plugins": {"echo": {"a": 1}}}), "demo.echo").data == {"a": 1}


def test_a_settings_schema_that_is_no_json_is_refused_at_its_file(workshop: Any, install: Any) -> None:
    package = install("acme", ECHO, contracts=contract(workshop, "acme.echo"))
    (package / "settings.schema.json").write_text("{,}")
    assert f"{package / 'settings.schema.json'}: not JSON" in workshop.refusal({"plugins": {"acme": {}}})
