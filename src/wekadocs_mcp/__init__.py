"""wekadocs-mcp: MCP tools declared in contracts, implemented by plugins.

Names are loaded when they are asked for, so that the console script can answer a handshake
before anything heavy is imported.
"""

__version__ = "0.1.0"

TYPE_CHECKING = False  # type checkers look for this name; importing `typing` would slow the fast door
if TYPE_CHECKING:
    from .call import Call
    from .errors import ProtocolError, StartError, ToolError
    from .health import Finding
    from .hookspecs import hookimpl
    from .resources import Prompt, PromptArgument, Resource
    from .routes import HttpReply, HttpRequest, HttpRoute
    from .tools import Answer, InputRequired, tool

_HOME = {
    "Answer": "tools",
    "Call": "call",
    "Finding": "health",
    "HttpReply": "routes",
    "HttpRequest": "routes",
    "HttpRoute": "routes",
    "InputRequired": "tools",
    "Prompt": "resources",
    "PromptArgument": "resources",
    "ProtocolError": "errors",
    "Resource": "resources",
    "StartError": "errors",
    "ToolError": "errors",
    "hookimpl": "hookspecs",
    "tool": "tools",
}

__all__ = [
    "Answer",
    "Call",
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

    value = getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    globals()[name] = value
    return value
