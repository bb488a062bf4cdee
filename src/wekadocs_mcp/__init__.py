"""wekadocs-mcp: MCP tools declared in contracts, implemented by plugins.

Names are loaded when they are asked for, so that the console script can answer a handshake
before anything heavy is imported.

Imported by: wekadocs_kit, plugins.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers look for this name; importing `typing` would slow the fast door
if TYPE_CHECKING:
    from wekadocs_contracts.problems import StartError
    from wekadocs_mcp.calls.call import Call
    from wekadocs_mcp.plugins.health import Finding
    from wekadocs_mcp.plugins.hookspecs import hookimpl
    from wekadocs_mcp.plugins.lifespans import Context
    from wekadocs_mcp.plugins.resources import Prompt, PromptArgument, Resource
    from wekadocs_mcp.plugins.routes import HttpReply, HttpRequest, HttpRoute
    from wekadocs_mcp.plugins.tools import Answer, InputRequired, tool

    from .errors import ProtocolError, ToolError

_HOME = {
    "Answer": "wekadocs_mcp.plugins.tools",
    "Call": "wekadocs_mcp.calls.call",
    "Context": "wekadocs_mcp.plugins.lifespans",
    "Finding": "wekadocs_mcp.plugins.health",
    "HttpReply": "wekadocs_mcp.plugins.routes",
    "HttpRequest": "wekadocs_mcp.plugins.routes",
    "HttpRoute": "wekadocs_mcp.plugins.routes",
    "InputRequired": "wekadocs_mcp.plugins.tools",
    "Prompt": "wekadocs_mcp.plugins.resources",
    "PromptArgument": "wekadocs_mcp.plugins.resources",
    "ProtocolError": "wekadocs_mcp.errors",
    "Resource": "wekadocs_mcp.plugins.resources",
    "StartError": "wekadocs_contracts.problems",
    "ToolError": "wekadocs_mcp.errors",
    "hookimpl": "wekadocs_mcp.plugins.hookspecs",
    "tool": "wekadocs_mcp.plugins.tools",
}

__all__ = [
    "Answer",
    "Call",
    "Context",
    "Finding",
    "HttpReply",
    "HttpRequest",
    "HttpRoute",
    "InputRequired",
    "Prompt",
    "PromptArgument",
    "ProtocolError",
    "Resource",
    "StartError",
    "ToolError",
    "__version__",
    "hookimpl",
    "tool",
]


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    value = getattr(import_module(_HOME[name]), name)
    globals()[name] = value
    return value
