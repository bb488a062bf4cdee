"""Versions of contracts are those of semver 2.0, whole."""

from typing import Any

import pytest


@pytest.mark.parametrize("version", ["1.0.0-beta", "1.2.3-rc.1+build.5", "1.0.0+7"])
def test_a_version_may_have_a_pre_release_and_a_build(workshop: Any, version: str) -> None:
    workshop.echo(**{**workshop.contract(), "version": version})
    (listed,) = workshop.app().tools_list()["tools"]
    assert listed["_meta"]["dev.wekadocs/contract"]["version"] == version
