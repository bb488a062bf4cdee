"""What tools/list costs a model's context, before and after: name, description and inputSchema as minified JSON.

Counted by the house's own estimate; it is the same on both sides, so increases are fair.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import wekadocs_tokens
from wekadocs_contracts.diff.pairing import served_names

from .compare import Comparison, ToolResult
from .model import ToolSide

ESTIMATOR = f"{wekadocs_tokens.NAME} of minified {{name, description, inputSchema}}"


@dataclass(frozen=True)
class Cost:
    tool: str
    before: int
    after: int

    @property
    def increase(self) -> int:
        return self.after - self.before

    def as_dict(self) -> dict[str, Any]:
        return {"tool": self.tool, "before": self.before, "after": self.after, "increase": self.increase}


def of_tool(side: ToolSide | None) -> int:
    if side is None or not side.served:
        return 0
    sent = {key: side.wire[key] for key in ("name", "description", "inputSchema") if key in side.wire}
    return wekadocs_tokens.count(json.dumps(sent, ensure_ascii=False, separators=(",", ":")))


def costs(comparison: Comparison) -> list[Cost]:
    listed = {id(side) for operand in (comparison.base, comparison.head) for side in served_names.listed(operand.tools)}
    return [_cost(tool, listed) for tool in comparison.tools if not tool.by_name]


def _cost(tool: ToolResult, listed: set[int]) -> Cost:
    before, after = (of_tool(side) if id(side) in listed else 0 for side in (tool.old, tool.new))
    return Cost(tool.label, before, after)


def total(each: Sequence[Cost]) -> Cost:
    return Cost("", sum(cost.before for cost in each), sum(cost.after for cost in each))
