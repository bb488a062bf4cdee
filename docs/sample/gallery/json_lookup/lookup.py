# A value of a JSON file by its pointer. Names that sound like secrets are never told.
import json
import re
from pathlib import Path

from wekadocs_mcp import ToolError, tool

FILE = Path(__file__).parent / "settings.json"
SECRET = re.compile("secret|token|password|key", re.IGNORECASE)


@tool("settings.lookup")
def lookup(call, pointer):
    value = json.loads(FILE.read_text("utf-8"))
    for part in pointer.split("/")[1:]:
        name = part.replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict) and name in value and not SECRET.search(name):
            value = value[name]
        elif (
            isinstance(value, list) and name.isascii() and name.isdecimal() and len(name) < 9 and int(name) < len(value)
        ):
            value = value[int(name)]
        else:
            raise ToolError(
                "NO_SETTING", f"There is nothing at {pointer}. An empty pointer lists the names at the top."
            )
    if isinstance(value, dict):
        return {"pointer": pointer, "names": [name for name in value if not SECRET.search(name)]}
    if isinstance(value, list):
        return {"pointer": pointer, "names": [str(index) for index in range(len(value))]}
    return {"pointer": pointer, "value": value}
