"""Where the contracts and the default tools.yaml are: inside a wheel, or at the top of a checkout."""

import os

_HERE = os.path.dirname(os.path.abspath(__file__))  # noqa: PTH100, PTH120 - pathlib costs the fast door 5 ms
_IN_WHEEL = os.path.join(_HERE, "_data")  # noqa: PTH118
_ROOT = _IN_WHEEL if os.path.isdir(_IN_WHEEL) else os.path.dirname(os.path.dirname(_HERE))  # noqa: PTH112, PTH120

CONTRACTS = os.path.join(_ROOT, "contracts")  # noqa: PTH118
TOOLS_YAML = os.path.join(_ROOT, "tools.yaml")  # noqa: PTH118
