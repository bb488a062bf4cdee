"""Which plugins there are and which are enabled: installed ones and drop-ins, found without importing any."""

from __future__ import annotations

import importlib.util
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from wekadocs_contracts.format.contracts import contract_files
from wekadocs_contracts.format.defaults import Filler
from wekadocs_contracts.format.explain import Checker
from wekadocs_contracts.problems import Problem, StartError, did_you_mean
from wekadocs_mcp import shipped
from wekadocs_mcp.config.deployment import Config
from wekadocs_mcp.config.environment import violations
from wekadocs_mcp.config.setting_paths import placed
from wekadocs_mcp.transports.fast_door import cache

from . import hookspecs

_NAME_LINE = re.compile(r"^contract:\s*[\"']?([A-Za-z0-9_.-]+)", re.MULTILINE)
_CONTRACT_FILE = re.compile(r"(?P<stem>.+)\.v\d+\.ya?ml")


@dataclass
class Spec:
    """What is known of an enabled plugin before it is imported."""

    name: str
    module: str
    file: str | None = None
    settings: dict[str, Any] = field(default_factory=dict)
    contracts: list[str] = field(default_factory=list)
    listed: bool = False  # also tools that their contracts keep unlisted
    listed_with: str = ""  # PLUGIN.SETTING: while that is false, none of its tools is listed
    hidden: bool = False  # it is
    withheld: dict[str, str] = field(default_factory=dict)  # tools that a setting takes away → which one


_HOSTS = ("enabled", "listed")  # keys of a plugin's entry that are the host's, not settings


def find(config: Config) -> list[Spec]:
    """The enabled plugins in tools.yaml order, then --enable, then drop-ins. Imports none of them."""
    installed = _installed()
    drop_ins = {spec.name: spec for spec in _drop_ins(config, set(installed))}
    problems: list[Problem | str] = []
    specs: list[Spec] = []
    for name in dict.fromkeys([*config.plugins, *config.options.enable, *drop_ins]):
        entry = config.plugins.get(name, {})
        if name not in installed and name not in drop_ins:
            problems.append(_unknown(name, config, [*installed, *drop_ins]))
        elif not entry.get("enabled", True) and name not in config.options.enable:
            continue
        elif name in drop_ins:
            drop_ins[name].settings = _settings(entry)
            specs.append(drop_ins[name])
        else:
            specs.append(_package(name, _only(name, installed[name], config, problems), config, problems))
    by_name = {spec.name: spec for spec in specs}
    for spec in specs:
        spec.listed = config.plugins.get(spec.name, {}).get("listed", False)
        plugin, _, setting = spec.listed_with.partition(".")
        spec.hidden = plugin in by_name and by_name[plugin].settings.get(setting) is False
    if problems:
        raise StartError(problems)
    return specs


def _unknown(name: str, config: Config, known: list[str]) -> Problem:
    message = f"no plugin is called `{name}`{did_you_mean(name, known)}"
    installed = f"installed: {', '.join(sorted(known)) or 'none'}"
    if name not in config.plugins:
        return Problem(f"--enable {name}", message, f"{installed}; a folder of your own is named with --plugins DIR")
    return config.problem(("plugins", name), message, f"{installed}; or remove this entry", at_key=True)


def known_tools(config: Config | None) -> set[str]:
    """The names of all contracts at hand, also of plugins that are off; read without judging them."""
    folders = [Path(shipped.CONTRACTS)]
    folders += [
        folder / "contracts"
        for modules in _installed().values()
        for module in modules
        if (folder := package_folder(module))
    ]
    found = [path for folder in folders if folder.is_dir() for path in contract_files(folder)]
    for root in config.plugin_paths if config is not None else ():
        found += [path for folder in _drop_in_folders(root) for paths in _stems(folder).values() for path in paths]
    return {match[1] for path in found if (match := _NAME_LINE.search(_opening(path)))}


def _opening(path: Path) -> str:
    try:
        with path.open(encoding="utf-8", errors="replace") as file:
            return file.read(4096)
    except OSError:
        return ""


def _installed() -> dict[str, list[str]]:
    from importlib.metadata import entry_points

    found: dict[str, list[str]] = {}
    for point in entry_points(group=hookspecs.PROJECT):
        modules = found.setdefault(point.name, [])
        modules += [point.value] if point.value not in modules else []
    return found


def _only(name: str, modules: list[str], config: Config, problems: list[Problem | str]) -> str:
    if len(modules) > 1:
        message = f"{len(modules)} installed packages announce a plugin `{name}`: {', '.join(sorted(modules))}"
        problems.append(config.problem(("plugins", name), message, "uninstall one, or rename its entry point"))
    return modules[0]


def _settings(entry: dict[str, object]) -> dict[str, Any]:
    return {key: value for key, value in entry.items() if key not in _HOSTS}


def _package(name: str, module: str, config: Config, problems: list[Problem | str]) -> Spec:
    settings = _settings(config.plugins.get(name, {}))
    folder = package_folder(module)
    schema_file = folder / "settings.schema.json" if folder else None
    schema: dict[str, Any] = {}
    if schema_file is not None and schema_file.is_file():
        schema = _schema(schema_file)
        for violation in violations(Checker(schema), settings, ("plugins", name), config.expanded):
            place = ("plugins", name, *violation.pointer)
            hint = f"see {schema_file.name} of plugin {name}"
            problems.append(config.problem(place, violation.message, hint, at_key=violation.at_key))
        settings = placed(Filler(schema).fill(settings), schema, config, ("plugins", name))
    elif settings:
        hint = f"remove them, or give plugin {name} a settings.schema.json"
        problems.append(config.problem(("plugins", name), f"plugin `{name}` takes no settings", hint))
    # Contracts are found without importing the plugin, so that its tools stay listed when it fails to import.
    shared = [Path(shipped.CONTRACTS) / each for each in schema.get("x-contracts", [name])]
    own = [folder / "contracts"] if folder else []
    contracts = [str(each) for each in (*shared, *own) if each.is_dir()]
    holding = [each for each in schema.get("x-withholds", []) if _holds(each, settings)]
    withheld = {tool: f"plugins.{name}.{each['setting']}" for each in holding for tool in each["tools"]}
    return Spec(name, module, None, settings, contracts, listed_with=schema.get("x-listed-with", ""), withheld=withheld)


def _holds(condition: dict[str, Any], settings: dict[str, Any]) -> bool:
    return bool(settings.get(condition["setting"]) == condition["value"])


def settings_schema(name: str) -> dict[str, Any]:
    """What an installed plugin takes; empty where it says nothing of settings."""
    folder = package_folder(_installed()[name][0])
    file = folder / "settings.schema.json" if folder else None
    return _schema(file) if file is not None and file.is_file() else {}


def _schema(path: Path) -> dict[str, Any]:
    try:
        schema = json.loads(path.read_text("utf-8"))
    except ValueError as error:
        raise StartError([Problem(str(path), f"not JSON: {error}", "correct it, or remove the file")]) from None
    if not isinstance(schema, dict):
        raise StartError([Problem(str(path), "not a JSON Schema", 'write {"type": "object", "properties": {…}}')])
    return schema


def package_folder(module: str) -> Path | None:
    try:
        found = importlib.util.find_spec(module.partition(":")[0].partition(".")[0])
    except (ImportError, ValueError):
        return None
    return Path(found.origin).parent if found and found.origin else None


def _drop_ins(config: Config, taken: set[str]) -> Iterator[Spec]:
    seen: set[Path] = set()
    for root in config.plugin_paths:
        folders = list(_drop_in_folders(root))
        if not folders:
            what = "has no contract (*.vN.yaml) in it" if root.is_dir() else "is not a folder"
            raise StartError(
                [Problem(str(root), what, "make one with `wekadocs-mcp contracts new demo.hello --into DIR`")]
            )
        for folder in folders:
            if folder.resolve() in seen:
                continue  # named twice, in tools.yaml and by --plugins
            seen.add(folder.resolve())
            for stem, found in _stems(folder).items():
                name = next(each for each in (stem, f"{folder.name}/{stem}", str(folder / stem)) if each not in taken)
                taken.add(name)
                module = (
                    f"wekadocs_dropin_{cache.digest(str(folder).encode())[:8]}_{re.sub(r'[^A-Za-z0-9_]', '_', stem)}"
                )
                yield Spec(name, module, str(folder / f"{stem}.py"), {}, [str(path) for path in found])


def _drop_in_folders(root: Path) -> Iterator[Path]:
    if not root.is_dir():
        return
    if _stems(root):
        yield root
    for child in sorted(root.iterdir()):
        if child.is_dir() and child.name[0] not in "._" and _stems(child):
            yield child


def _stems(folder: Path) -> dict[str, list[Path]]:
    found: dict[str, list[Path]] = {}
    for path in sorted(folder.iterdir()):
        match = _CONTRACT_FILE.fullmatch(path.name)
        if match and path.name[0] not in "._" and path.is_file():
            found.setdefault(match["stem"], []).append(path)
    return found
