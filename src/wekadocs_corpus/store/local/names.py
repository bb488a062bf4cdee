"""The ids of chunks: ours are two numbers each, what others call theirs stands beside."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from wekadocs_corpus.store.writing.ids import is_ours


@dataclass(frozen=True)
class Names:
    """By a chunk's place. Nearly always all are ours."""

    numbers: np.ndarray  # two a chunk, that order like the text; of an id that is not ours they mean nothing
    others: Mapping[int, str] = field(default_factory=dict)

    @classmethod
    def of(cls, ids: Sequence[str]) -> Names:
        others = {place: each for place, each in enumerate(ids) if not is_ours(each)}
        plain = ["0" * 32 if place in others else each for place, each in enumerate(ids)] if others else ids
        numbers = np.frombuffer(bytes.fromhex("".join(plain)), ">u8").reshape(len(ids), 2)
        return cls(numbers.astype("<u8"), others)

    @classmethod
    def joined(cls, parts: Sequence[Names]) -> Names:
        starts = np.cumsum([0, *(len(part.numbers) for part in parts[:-1])]).tolist()
        others = {
            start + place: name
            for start, part in zip(starts, parts, strict=True)
            for place, name in part.others.items()
        }
        return cls(np.concatenate([part.numbers for part in parts]), others)

    @classmethod
    def read(cls, numbers: np.ndarray, places: np.ndarray, spelled: np.ndarray, ends: np.ndarray) -> Names:
        """From what `written` gave."""
        text, starts = spelled.tobytes(), [0, *ends[:-1].tolist()]
        names = [text[start:end].decode() for start, end in zip(starts, ends.tolist(), strict=False)]
        return cls(numbers, dict(zip(places.tolist(), names, strict=True)))

    def written(self) -> dict[str, np.ndarray]:
        """What is not ours, as arrays."""
        names = [each.encode() for each in self.others.values()]
        return {
            "named": np.array(list(self.others), "<i4"),
            "names": np.frombuffer(b"".join(names), "u1"),
            "name_ends": np.cumsum([len(each) for each in names], dtype="<i8"),
        }

    def first(self, places: np.ndarray, scores: np.ndarray, limit: int) -> tuple[np.ndarray, list[str]]:
        """Which of the places come first, and their ids: by score, of equal ones by id."""
        numbers = self.numbers[places]
        if not self.others:
            order = np.lexsort((numbers[:, 1], numbers[:, 0], -scores))[:limit]
            return order, [f"{first:016x}{second:016x}" for first, second in numbers[order].tolist()]
        pairs = zip(places.tolist(), numbers.tolist(), strict=True)
        ids = [self.others.get(place) or f"{first:016x}{second:016x}" for place, (first, second) in pairs]
        ordered = sorted(range(len(ids)), key=lambda each: (-scores[each], ids[each]))[:limit]
        return np.array(ordered, np.intp), [ids[each] for each in ordered]
