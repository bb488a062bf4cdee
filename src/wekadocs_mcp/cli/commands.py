"""What all commands share: the options that choose a deployment, and the commands that plugins bring."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

import click

from wekadocs_contracts.problems import Problem, StartError
from wekadocs_mcp.config.deployment import Config, Options, load
from wekadocs_text import printed

if TYPE_CHECKING:
    from wekadocs_mcp.plugins.discovery import Spec


_BROKEN = "wekadocs_mcp.start_error"
_WHEN_ASKED = {  # of no use to a server that a client starts
    "install": "wekadocs_mcp.cli.install_command",
    "ui": "wekadocs_mcp.cli.ui_command",
}
FC = TypeVar("FC", bound="Callable[..., Any] | click.Command")


class Commands(click.Group):
    """Our commands, and those of enabled plugins. Plugins are loaded only when a name is not ours, or for --help."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted({*super().list_commands(ctx), *_WHEN_ASKED, *self._plugin_commands(ctx)})

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in _WHEN_ASKED:
            return when_asked()[cmd_name]
        return super().get_command(ctx, cmd_name) or self._plugin_commands(ctx).get(cmd_name)

    def _plugin_commands(self, ctx: click.Context) -> dict[str, click.Command]:
        try:
            config = load(ctx.params.get("config"), ctx.params.get("data"))
            found = plugin_commands(config)
        except StartError as error:
            ctx.meta[_BROKEN] = error
            return {}
        ctx.obj = config
        return found

    def resolve_command(self, ctx: click.Context, args: list[str]) -> Any:
        try:
            return super().resolve_command(ctx, args)
        except click.UsageError as error:
            from wekadocs_contracts.problems import did_you_mean

            if _BROKEN in ctx.meta:  # a plugin's command, perhaps: what is wrong with the configuration hides them all
                raise ctx.meta[_BROKEN] from None
            if args and (plugin := _shipped_with(args[0])) and isinstance(ctx.obj, Config):
                raise StartError([_off(plugin, args[0], ctx.obj)]) from None
            near = did_you_mean(args[0], self.list_commands(ctx)) if args else ""
            raise click.UsageError(f"{error.message}{near}", ctx) from None

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except KeyboardInterrupt:
            sys.exit(130)  # as shells count it; nothing needs to be said to whoever pressed it
        except StartError as error:
            click.echo(printed(f"{error}\n"), err=True)
            count = len(error.problems)
            click.echo(f"wekadocs-mcp: {count} problem{'s' if count != 1 else ''} to fix.", err=True)
            ctx.exit(2)


def when_asked() -> dict[str, click.Command]:
    """Our commands that are imported only when somebody wants them."""
    from importlib import import_module

    return {name: getattr(import_module(module), name) for name, module in _WHEN_ASKED.items()}


def _shipped_with(command: str) -> str | None:
    """The plugin that brings a command: one that is on unless somebody says otherwise, or the one of its name."""
    from wekadocs_mcp import shipped
    from wekadocs_mcp.plugins import importing

    named = (command,) if command in load(shipped.TOOLS_YAML).plugins else ()
    try:
        loaded = importing.load(_specs(load(shipped.TOOLS_YAML, options=Options(enable=named))))
    except StartError:  # it cannot do without settings
        return None
    return next((plugin.name for plugin in loaded if command in [each.name for each in plugin.commands()]), None)


def _off(plugin: str, command: str, config: Config) -> Problem:
    from wekadocs_mcp import shipped

    where = "a file that --config names" if config.path == str(shipped.TOOLS_YAML) else "it"
    hint = f"write `{plugin}: {{enabled: true}}` under plugins: in {where}"
    return Problem(config.path, f"the plugin `{plugin}`, whose command `{command}` is, is off here", hint)


def plugin_commands(config: Config) -> dict[str, click.Command]:
    """What the enabled plugins add."""
    from wekadocs_mcp.plugins import importing

    found: dict[str, click.Command] = {}
    for plugin in importing.load(_specs(config)):
        try:
            for command in plugin.commands():
                if not isinstance(command, click.Command):
                    raise TypeError(f"register_commands returned a {type(command).__name__}, not a click.Command")
                if command.name in found:
                    raise ValueError(f"the command `{command.name}` is another plugin's already")
                found[command.name or ""] = _with_common(command, plugin.name)
        except (Exception, SystemExit) as error:
            told = f"warning: plugin `{plugin.name}` adds no more commands: {importing.reason(error)}"
            click.echo(printed(told), err=True)
    return found


def examples(*lines: str) -> str:
    return "\b\nExamples:\n" + "\n".join(f"  {line}" for line in lines)


def common(command: FC) -> FC:
    """--config and --data are taken before and after the command."""
    for decorate in (
        click.option("--config", metavar="FILE", help="tools.yaml to use."),
        click.option("--data", metavar="DIR", help="Data directory."),
    ):
        command = decorate(command)
    return command


def deployment(command: FC) -> FC:
    """The options that choose what is served."""
    for decorate in reversed(
        (
            click.option("--plugins", "plugin_paths", multiple=True, metavar="DIR", help="Drop-in folder; repeatable."),
            click.option(
                "--enable", multiple=True, metavar="PLUGIN", help="Switch on a plugin that is off; repeatable."
            ),
            click.option(
                "--toolset", "toolsets", multiple=True, metavar="NAME", help="Serve only this toolset; repeatable."
            ),
            click.option("--read-only", is_flag=True, help="Serve only tools that change nothing."),
        )
    ):
        command = decorate(command)
    return common(command)


def _with_common(command: click.Command, plugin: str) -> click.Command:
    """A plugin's command takes --config and --data after its name too; its context object is the Config they name."""
    taken = {name for param in command.params for name in param.opts}
    for name, metavar, text in (("--config", "FILE", "tools.yaml to use."), ("--data", "DIR", "Data directory.")):
        if name not in taken:
            option = click.Option(
                [name], metavar=metavar, help=text, expose_value=False, callback=_reconfigured(plugin)
            )
            command.params.append(option)
    for inner in command.commands.values() if isinstance(command, click.Group) else ():
        _with_common(inner, plugin)
    return command


def _reconfigured(plugin: str) -> Any:
    """The command goes on with the deployment that is named after it, if that has the command's plugin."""

    def load_again(ctx: click.Context, param: click.Parameter, value: str | None) -> None:
        if value is not None and not ctx.resilient_parsing:
            outer = ctx.find_root().params
            outer[param.name or ""] = value
            ctx.obj = config = load(outer.get("config"), outer.get("data"))
            if plugin not in [spec.name for spec in _specs(config)]:
                raise StartError([_off(plugin, ctx.info_name or "", config)])

    return load_again


def _specs(config: Config) -> list[Spec]:
    """The enabled plugins; their commands see their settings as their lifespans do: checked, with defaults."""
    from wekadocs_mcp.plugins import discovery

    found = discovery.find(config)
    config.plugins.update({spec.name: spec.settings for spec in found})
    return found


def configure(config: str | None, data: str | None, **options: Any) -> Config:
    outer = click.get_current_context().find_root().params
    return load(config or outer.get("config"), data or outer.get("data"), Options(**options))
