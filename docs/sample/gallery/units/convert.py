# Units by a table: nothing of the caller's is ever evaluated. `from` is no Python name, so arguments come as **rest.
from wekadocs_mcp import ToolError, tool

# unit: (what it measures, how many of the first one it is, and what is added before)
UNITS = {
    "B": ("size", 1, 0), "kB": ("size", 1e3, 0), "MB": ("size", 1e6, 0), "GB": ("size", 1e9, 0),
    "TB": ("size", 1e12, 0),
    "KiB": ("size", 2**10, 0), "MiB": ("size", 2**20, 0), "GiB": ("size", 2**30, 0), "TiB": ("size", 2**40, 0),
    "m": ("length", 1, 0), "km": ("length", 1e3, 0), "mi": ("length", 1609.344, 0), "ft": ("length", 0.3048, 0),
    "kg": ("mass", 1, 0), "g": ("mass", 1e-3, 0), "lb": ("mass", 0.45359237, 0),
    "s": ("time", 1, 0), "min": ("time", 60, 0), "h": ("time", 3600, 0), "d": ("time", 86400, 0),
    "C": ("heat", 1, 0), "F": ("heat", 5 / 9, -32),
}  # fmt: skip


@tool("units.convert")
async def convert(call, value, to, **rest):
    given, wanted = UNITS.get(rest["from"]), UNITS.get(to)
    if given is None or wanted is None or given[0] != wanted[0]:
        raise ToolError("NO_SUCH_UNIT", f"{rest['from']} cannot become {to}. Known: {', '.join(UNITS)}.")
    result = (value + given[2]) * given[1] / wanted[1] - wanted[2]
    return {"value": round(result, 9), "unit": to}
