"""Outlines of parts, one behind the other, to one; each line knows the part it comes from."""

from __future__ import annotations

from collections.abc import Iterable

from wekadocs_corpus.documents.blocks import Outline


def join(parts: Iterable[tuple[int, Outline]]) -> tuple[Outline, list[int]]:
    """Of (number, outline) each; for every line of the whole the number."""
    whole, texts, numbers, length = Outline(""), list[str](), list[int](), 0
    for number, part in parts:
        text = part.text if not part.text or part.text.endswith("\n") else part.text + "\n"
        if not text.strip():
            continue
        whole.blocks += [each._replace(start=each.start + length, end=each.end + length) for each in part.blocks]
        whole.blocks[-1] = whole.blocks[-1]._replace(end=length + len(text))
        for heading in part.headings:
            whole.headings.append(heading._replace(start=heading.start + length))
        whole.links += [each._replace(start=each.start + length, end=each.end + length) for each in part.links]
        whole.language = whole.language or part.language
        texts.append(text)
        numbers += [number] * text.count("\n")
        length += len(text)
    whole.text = "".join(texts)
    return whole, numbers
