"""What tools/list costs a model's context, before and after: name, description and inputSchema as minified JSON.

Counted by the house's own estimate; it is the same on both sides, so increases are fair.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import wekadocs_tokens

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
    return [_cost(tool) for tool in comparison.tools if not tool.by_name]


def _cost(tool: ToolResult) -> Cost:
    return Cost(tool.label, of_tool(tool.old), of_tool(tool.new))


def total(each: Sequence[Cost]) -> Cost:
    return Cost("", sum(cost.before for cost in each), sum(cost.after for cost in each))
