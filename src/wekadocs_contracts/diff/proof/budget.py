"""How much work a proof may do, counted in steps: the same answer on every machine, however busy it is."""

from __future__ import annotations


class Budget:
    """Steps that are left. A step is about what it takes to try one value; set operations cost by their size."""

    def __init__(self, steps: int) -> None:
        self.left = steps

    @property
    def is_spent(self) -> bool:
        return self.left <= 0

    def spend(self, steps: int = 1) -> bool:
        """Whether there was something left for it."""
        self.left -= steps
        return self.left > 0

    def part(self, steps: int) -> Budget:
        """At most so many of these steps; what is spent there is spent here too."""
        return _Part(self, steps)


class _Part(Budget):
    def __init__(self, whole: Budget, steps: int) -> None:
        super().__init__(min(steps, max(whole.left, 0)))
        self.whole = whole

    def spend(self, steps: int = 1) -> bool:
        self.whole.spend(steps)
        return super().spend(steps)
