"""wekadocs-mcp: MCP tools declared in contracts, implemented by plugins.

Names are loaded when they are asked for, so that the console script can answer a handshake
before anything heavy is imported.

Imported by: wekadocs_kit, plugins.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers look for this name; importing `typing` would slow the fast door
if TYPE_CHECKING:
    from wekadocs_contracts.problems import StartError
    from wekadocs_mcp.calls.budgets import json_size, to_json
    from wekadocs_mcp.calls.call import Call
    from wekadocs_mcp.calls.usage import deprecated_calls
    from wekadocs_mcp.cli.doctor.client_files import ClientEntry
    from wekadocs_mcp.cli.serving import calling
    from wekadocs_mcp.cli.setting_up import ClientFile, read_config
    from wekadocs_mcp.config.deployment import Config
    from wekadocs_mcp.errors import ProtocolError, ToolError
    from wekadocs_mcp.plugins.health import Finding
    from wekadocs_mcp.plugins.hookspecs import HealthCheck, Interceptor, Proceed, hookimpl
    from wekadocs_mcp.plugins.lifespans import Context
    from wekadocs_mcp.plugins.resources import NO_SUCH_RESOURCE, Prompt, PromptArgument, Resource
    from wekadocs_mcp.plugins.routes import HttpReply, HttpRequest, HttpRoute
    from wekadocs_mcp.plugins.shared_sessions import SharedSessions
    from wekadocs_mcp.plugins.shared_tasks import SharedTasks, TaskRoom, TaskState
    from wekadocs_mcp.plugins.tools import Answer, InputRequired, Returned, tool

_HOME = {
    "Answer": "wekadocs_mcp.plugins.tools",
    "Call": "wekadocs_mcp.calls.call",
    "ClientEntry": "wekadocs_mcp.cli.doctor.client_files",
    "ClientFile": "wekadocs_mcp.cli.setting_up",
    "Config": "wekadocs_mcp.config.deployment",
    "Context": "wekadocs_mcp.plugins.lifespans",
    "Finding": "wekadocs_mcp.plugins.health",
    "HealthCheck": "wekadocs_mcp.plugins.hookspecs",
    "HttpReply": "wekadocs_mcp.plugins.routes",
    "HttpRequest": "wekadocs_mcp.plugins.routes",
    "HttpRoute": "wekadocs_mcp.plugins.routes",
    "InputRequired": "wekadocs_mcp.plugins.tools",
    "Interceptor": "wekadocs_mcp.plugins.hookspecs",
    "NO_SUCH_RESOURCE": "wekadocs_mcp.plugins.resources",
    "Prompt": "wekadocs_mcp.plugins.resources",
    "Proceed": "wekadocs_mcp.plugins.hookspecs",
    "PromptArgument": "wekadocs_mcp.plugins.resources",
    "ProtocolError": "wekadocs_mcp.errors",
    "Resource": "wekadocs_mcp.plugins.resources",
    "Returned": "wekadocs_mcp.plugins.tools",
    "SharedSessions": "wekadocs_mcp.plugins.shared_sessions",
    "SharedTasks": "wekadocs_mcp.plugins.shared_tasks",
    "StartError": "wekadocs_contracts.problems",
    "TaskRoom": "wekadocs_mcp.plugins.shared_tasks",
    "TaskState": "wekadocs_mcp.plugins.shared_tasks",
    "ToolError": "wekadocs_mcp.errors",
    "calling": "wekadocs_mcp.cli.serving",
    "deprecated_calls": "wekadocs_mcp.calls.usage",
    "hookimpl": "wekadocs_mcp.plugins.hookspecs",
    "json_size": "wekadocs_mcp.calls.budgets",
    "read_config": "wekadocs_mcp.cli.setting_up",
    "to_json": "wekadocs_mcp.calls.budgets",
    "tool": "wekadocs_mcp.plugins.tools",
}

__all__ = [
    "NO_SUCH_RESOURCE",
    "Answer",
    "Call",
    "ClientEntry",
    "ClientFile",
    "Config",
    "Context",
    "Finding",
    "HealthCheck",
    "HttpReply",
    "HttpRequest",
    "HttpRoute",
    "InputRequired",
    "Interceptor",
    "Proceed",
    "Prompt",
    "PromptArgument",
    "ProtocolError",
    "Resource",
    "Returned",
    "SharedSessions",
    "SharedTasks",
    "StartError",
    "TaskRoom",
    "TaskState",
    "ToolError",
    "__version__",
    "calling",
    "deprecated_calls",
    "hookimpl",
    "json_size",
    "read_config",
    "to_json",
    "tool",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
