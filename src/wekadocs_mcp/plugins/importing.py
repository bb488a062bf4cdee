"""Importing the enabled plugins, and asking each its hooks once."""

from __future__ import annotations

import importlib.util
import inspect
import logging
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeVar

import pluggy

from wekadocs_contracts.format import contracts
from wekadocs_contracts.problems import Problem, StartError, did_you_mean
from wekadocs_mcp.cli.printing import to_stderr
from wekadocs_mcp.errors import ToolError

from . import hookspecs
from .discovery import Spec
from .tools import Handler, mark_of

if TYPE_CHECKING:
    import click

    from .resources import Prompt, Resource
    from .routes import HttpRoute
    from .shared_sessions import SharedSessions
    from .shared_tasks import SharedTasks

log = logging.getLogger("wekadocs.plugins")
T = TypeVar("T")
HOOKS = [name for name, value in vars(hookspecs).items() if hasattr(value, f"{hookspecs.PROJECT}_spec")]


@dataclass
class Plugin:
    """An enabled plugin after its import: what its hooks handed over, or why it failed."""

    spec: Spec
    module: ModuleType | None = None
    failure: str | None = None
    tools: list[Handler] = field(default_factory=list)
    contracts: list[Path] = field(default_factory=list)
    aliases: dict[str, str] = field(default_factory=dict)
    interceptors: list[hookspecs.Interceptor] = field(default_factory=list)
    resources: list[Resource] = field(default_factory=list)
    prompts: list[Prompt] = field(default_factory=list)
    routes: list[HttpRoute] = field(default_factory=list)
    client_checks: list[hookspecs.ClientCheck] = field(default_factory=list)
    health_checks: dict[str, hookspecs.HealthCheck] = field(default_factory=dict)
    metrics: dict[str, tuple[str, hookspecs.Metric]] = field(default_factory=dict)
    lifespan: Callable[..., object] | None = None
    shared_sessions: Callable[..., AbstractAsyncContextManager[SharedSessions] | None] | None = None
    shared_tasks: Callable[..., AbstractAsyncContextManager[SharedTasks] | None] | None = None
    prepare_examples: Callable[..., object] | None = None
    _commands: Callable[..., Iterable[click.Command]] | None = None

    @property
    def name(self) -> str:
        return self.spec.name

    def commands(self) -> list[click.Command]:
        return list(self._commands()) if self._commands else []


def load(specs: Iterable[Spec]) -> list[Plugin]:
    """Import each plugin and ask its hooks. One that fails to import harms only itself; a misspelt hook is fatal."""
    manager = pluggy.PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    loaded: list[Plugin] = []
    problems: list[Problem | str] = []
    for spec in specs:
        try:
            with to_stderr():
                loaded.append(_load_one(spec, manager))
        except StartError as error:
            problems.extend(error.problems)
    problems.extend(_misspelt(manager))
    problems.extend(problem for plugin in loaded if plugin.module for problem in _undecorated(plugin.module))
    if problems:
        raise StartError(problems)
    manager.check_pending()
    return loaded


def _misspelt(manager: pluggy.PluginManager) -> Iterator[Problem]:
    """Hook implementations without a hook: pluggy's own check stops at the first."""
    for name, caller in vars(manager.hook).items():
        if name.startswith("_") or caller.has_spec():
            continue
        for found in caller.get_hookimpls():
            code = getattr(found.function, "__code__", None)
            place = f"{code.co_filename}:{code.co_firstlineno}" if code else found.plugin_name
            hint = f"hooks: {', '.join(sorted(HOOKS))}"
            yield Problem(place, f"`{name}` is no hook{did_you_mean(name, HOOKS)}", hint)


def _load_one(spec: Spec, manager: pluggy.PluginManager) -> Plugin:
    plugin = Plugin(spec)
    try:
        plugin.module = _import(spec)
    except StartError:
        raise
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt | GeneratorExit):
            raise
        plugin.failure = f"plugin `{spec.name}` could not be imported: {reason(error)}"
        log.warning(plugin.failure, exc_info=error)
        return plugin
    try:
        manager.register(plugin.module, name=spec.name)
    except (pluggy.PluginValidationError, ValueError) as error:
        raise StartError([_hook_problem(spec, error)]) from error
    _ask(plugin, manager)
    return plugin


def _import(spec: Spec) -> ModuleType:
    if spec.file is None:
        return importlib.import_module(spec.module.partition(":")[0])
    path = Path(spec.file)
    if not path.is_file():
        # No handler file: the registry says what that means for the contract.
        return ModuleType(spec.module)
    found = importlib.util.spec_from_file_location(spec.module, path)
    assert found is not None and found.loader is not None
    module = importlib.util.module_from_spec(found)
    sys.modules[spec.module] = module
    try:
        # Compiled here, not through __pycache__: two edits within one second would run the first one's bytecode.
        code = compile(path.read_bytes(), str(path), "exec")
        exec(code, module.__dict__)  # noqa: S102 - a drop-in is code its operator chose to run
    except BaseException:
        del sys.modules[spec.module]
        raise
    return module


def _ask(plugin: Plugin, manager: pluggy.PluginManager) -> None:
    """Ask one plugin every hook; the first one that raises takes only this plugin down."""
    found = {
        name: _accepting_fewer(implementation.function, implementation.argnames)
        for name in HOOKS
        for implementation in getattr(manager.hook, name).get_hookimpls()
        if implementation.plugin is plugin.module
    }
    plugin.lifespan = found.get("lifespan")
    plugin.shared_sessions = found.get("shared_sessions")
    plugin.shared_tasks = found.get("shared_tasks")
    plugin.prepare_examples = found.get("prepare_examples")
    plugin._commands = found.get("register_commands")
    module_tools = list({id(value): value for value in vars(plugin.module).values() if mark_of(value)}.values())
    try:
        plugin.tools = list(found["register_tools"]()) if "register_tools" in found else module_tools
        plugin.contracts = [Path(path) for path in found.get("register_contracts", list)() or ()]
        plugin.aliases = dict(found.get("register_aliases", dict)() or {})
        plugin.interceptors = list(found.get("register_interceptors", list)() or ())
        plugin.resources = list(found.get("register_resources", list)() or ())
        plugin.prompts = list(found.get("register_prompts", list)() or ())
        plugin.routes = list(found.get("register_http_routes", list)() or ())
        plugin.client_checks = list(found.get("register_client_checks", list)() or ())
        plugin.health_checks = dict(found.get("register_health_checks", dict)() or {})
        plugin.metrics = dict(found.get("register_metrics", dict)() or {})
    except (Exception, SystemExit) as error:
        plugin.failure = f"plugin `{plugin.name}` failed in a hook: {reason(error)}"
        # Half a plugin must not stand around the calls of others.
        plugin.aliases, plugin.interceptors, plugin.resources, plugin.prompts, plugin.routes = {}, [], [], [], []
        log.warning(plugin.failure, exc_info=error)


def _accepting_fewer(function: Callable[..., T], argument_names: Iterable[str]) -> Callable[..., T]:
    """An implementation may leave out parameters of its hook, as pluggy allows."""
    taken = tuple(argument_names)
    return lambda **given: function(**{name: given[name] for name in taken})


_SECRET = re.compile(r"(?i)(//[^/@\s:]*:)[^@\s]+(?=@)|((?:passw\w*|token|secret|api_?key|authorization)\W{1,3})\S+")


def reason(error: BaseException) -> str:
    """An exception in one short line for the operator, without what looks like a credential."""
    if isinstance(error, ToolError):
        return error.message
    lines = str(error).strip().splitlines()
    if not lines:
        return type(error).__name__
    shown = _SECRET.sub(lambda match: f"{match[1] or match[2]}…", lines[0][:200])
    return f"{type(error).__name__}: {shown}"


def _hook_problem(spec: Spec, error: Exception) -> Problem:
    hint = "its parameters must be those of the hook in wekadocs_mcp/plugins/hookspecs.py"
    return Problem(spec.file or spec.module, " ".join(str(error).split()), hint)


def _undecorated(module: ModuleType) -> Iterator[Problem]:
    for name in HOOKS:
        function = getattr(module, name, None)
        if (
            inspect.isfunction(function)
            and not hasattr(inspect.unwrap(function), f"{hookspecs.PROJECT}_impl")
            and not hasattr(function, f"{hookspecs.PROJECT}_impl")
        ):
            line = function.__code__.co_firstlineno if hasattr(function, "__code__") else 0
            hint = "put @hookimpl on it (from wekadocs_mcp import hookimpl), or rename it"
            file = module.__file__ or module.__name__
            yield Problem(f"{file}:{line}", f"`{name}` has a hook's name but is not marked as a hook", hint)


def contract_files(plugin: Plugin) -> list[Path]:
    found: list[Path] = []
    for path in (*map(Path, plugin.spec.contracts), *plugin.contracts):
        found.extend(contracts.contract_files(path))
    return list(dict.fromkeys(found))
