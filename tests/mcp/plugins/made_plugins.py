"""Plugins that tests install."""

from __future__ import annotations

import json
from typing import Any


def contract(workshop: Any, name: str, **changes: Any) -> dict[str, str]:
    return {f"{name.rsplit('.', 1)[-1]}.v1.yaml": json.dumps(workshop.contract(name, **changes))}


ECHO = "@tool('acme.echo')\nasync def echo(call, text):\n    return {'got': call.state}\n"
