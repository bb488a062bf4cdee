"""Jupyter notebooks: words and code, without pictures."""

import json

import pytest

from wekadocs_corpus.documents import Unreadable, read_document
from wekadocs_corpus.line_map import source_lines


def parse(notebook):
    text = notebook if isinstance(notebook, str) else json.dumps(notebook, indent=1)
    return read_document("a.ipynb", text.encode(), "d")


NOTEBOOK = {
    "cells": [
        {"cell_type": "markdown", "source": ["# Title\n", "\n", "Words of <b>it</b>."]},
        {
            "cell_type": "code",
            "source": "print('```')",
            "outputs": [
                {"output_type": "stream", "text": ["printed\n"]},
                {"output_type": "display_data", "data": {"image/png": "iVBOR" * 1000, "text/plain": ["<Figure>"]}},
            ],
        },
        {"cell_type": "code", "source": [], "outputs": [{"text": "line\n" * 500}]},
    ],
    "metadata": {"kernelspec": {"language": "python"}},
}


def test_a_notebook_is_a_page_of_words_code_and_what_it_prints():
    parsed = parse(NOTEBOOK)
    assert parsed.text.startswith(
        "# Title\n\nWords of it.\n\n````python\nprint('```')\n````\n\n```text\nprinted\n<Figure>\n```\n"
    )
    assert "iVBOR" not in parsed.text and parsed.text.count("line\n") == 20
    assert parsed.title == "Title"
    start = parsed.text.index("Words")
    (line,) = {source_lines(parsed.source_lines, parsed.text, start, start + 5)[0]}
    assert "Words of" in json.dumps(NOTEBOOK, indent=1).split("\n")[line - 1]


@pytest.mark.parametrize("text", ["{", "[]", '{"cells": 1}', "[" * 100_000])
def test_what_is_no_notebook_is_refused_with_the_reason(text):
    with pytest.raises(Unreadable, match="no Jupyter notebook"):
        parse(text)


def test_odd_cells_do_no_harm():
    cells = [1, {}, {"cell_type": "code", "outputs": 3}, {"source": [1, "kept"]}, {"source": {"a": 1}}]
    assert parse({"cells": cells, "metadata": 1}).text == "kept\n"
