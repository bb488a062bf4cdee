"""Where the contracts are that come with the server: inside a wheel, or at the top of a checkout."""

import os  # pathlib would cost the fast door 5 ms

_HERE = os.path.dirname(os.path.abspath(__file__))
_IN_WHEEL = os.path.join(_HERE, "_data")
_ROOT = _IN_WHEEL if os.path.isdir(_IN_WHEEL) else os.path.dirname(os.path.dirname(_HERE))

CONTRACTS = os.path.join(_ROOT, "contracts")
