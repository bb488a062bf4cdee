"""reStructuredText becomes Markdown: what a reader of the rendered page sees, with a way back to the file's lines."""
# ruff: noqa: E501  # the samples are what they are

import textwrap

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from wekadocs_corpus.documents import read_document
from wekadocs_corpus.line_map import source_lines


class Files:
    above = 0

    """Neighbours of a page, by their path from its folder."""

    def __init__(self, **files):
        self.files = {name.replace("__", "/").replace("_DOT_", "."): text for name, text in files.items()}
        self.asked = []

    def neighbour(self, path):
        self.asked.append(path)
        text = self.files.get(path)
        return None if text is None else text.encode()


def parse(text, files=None, name="guide/a.rst"):
    origin = None
    if files is not None:
        origin = Files()
        origin.files = files
    return read_document(name, textwrap.dedent(text).lstrip("\n").encode(), "document", origin)


def shown(text, files=None):
    return parse(text, files).text.strip()


def test_it_has_headings_and_links():
    text = "Title\n=====\n\nSee `the guide <guide.html>`_ and :doc:`other/page`.\n\nPart\n----\n\n- one\n- two\n"
    parsed = parse(text)
    assert [(section.level, section.title) for section in parsed.sections] == [(1, "Title"), (2, "Part")]
    assert [link.target for link in parsed.links] == ["guide.html", "other/page"]


def test_a_heading_between_two_lines_may_be_indented():
    parsed = parse("=========\n a.b.c\n=========\n\nText.\n\nMore\n====\n\nText.\n")
    assert [(section.level, section.title) for section in parsed.sections] == [(1, "a.b.c"), (2, "More")]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("Use :ref:`the guide <x-guide>` now.", "Use the guide now."),
        ("See :ref:`intro_patterns`.", "See intro patterns."),
        (":class:`~a.b.C` and :py:meth:`a.run`", "`C` and `a.run()`"),
        (":option:`--force`, :envvar:`HOME`, :file:`/etc/{name}.conf`", "`--force`, `HOME`, `/etc/name.conf`"),
        (":guilabel:`Save` or :menuselection:`File --> Open`", "**Save** or **File → Open**"),
        ("``a`` and ``b|c``, *em*, **strong**", "`a` and `b|c`, *em*, **strong**"),
        ("`text`_ and word_.\n\n.. _text: https://a.b/c\n.. _word: https://d.e", "[text](https://a.b/c) and [word](https://d.e)."),
        ("snake_case_ and __init__ stay.", "snake_case_ and __init__ stay."),
        ("A note [1]_.\n\n.. [1] What it says.", "A note [1].\n\n[1] What it says."),
        ("The |product| runs.\n\n.. |product| replace:: *Big* machine", "The *Big* machine runs."),
        ("A\\ B and \\*star", "AB and \\*star"),
        (":rfc:`2119`, :pep:`8`", "RFC 2119, PEP 8"),
        (":ref:`a title\nover lines <x>` goes on", "a title\nover lines goes on"),
        ("# no heading", "\\# no heading"),
    ],
)  # fmt: skip
def test_roles_and_references_read_as_they_are_shown(written, read):
    assert shown(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (".. warning::\n\n   Mind the gap.\n", "Warning: Mind the gap."),
        (".. note:: Mind\n   the gap.\n\n   - a\n", "Note: Mind\nthe gap.\n\n- a"),
        (".. admonition:: Own title\n   :class: tip\n\n   Text.\n", "Own title: Text."),
        (".. versionadded:: 2.1\n", "Added in version 2.1."),
        (".. deprecated:: 3.0\n   Use x.\n", "Deprecated since version 3.0: Use x."),
        (".. code-block:: sh\n   :linenos:\n\n   make\n     all\n", "```sh\nmake\n  all\n```"),
        ("So::\n\n    x = 1\n\n    y = 2\n\nAfter.", "So:\n\n```\nx = 1\n\ny = 2\n```\n\nAfter."),
        (".. toctree::\n   :maxdepth: 2\n\n   a\n   b\n\nText.", "Text."),
        (".. a comment\n   of two lines\n\nText.", "Text."),
        (".. _label:\n\nText.", "Text."),
        (".. image:: a.png\n   :alt: The parts\n", "The parts"),
        (".. figure:: a.png\n   :width: 3\n\n   How it *works*.\n", "How it *works*."),
        (".. tabs::\n\n   .. tab:: Linux\n\n      Run it.\n", "**Linux**\n\nRun it."),
        (".. never-heard-of::\n\n   Its words stay.\n", "Its words stay."),
        (">>> 1 + 1\n2\n", "```python\n>>> 1 + 1\n2\n```"),
        ("| one\n| two\n", "one\ntwo"),
    ],
)
def test_directives_show_what_the_page_shows(written, read):
    assert shown(written) == read


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (".. envvar:: HOME\n\n   Where you live.\n\n   More.\n", "- `HOME`: Where you live.\n\n  More."),
        (".. option:: -f, --force\n\n   Do it.\n", "- `-f, --force`: Do it."),
        (".. py:function:: run(a, b)\n   :noindex:\n\n   Runs.\n\n   :param int a: First.\n", "- `run(a, b)`: Runs.\n\n  - `a` (int): First."),
        (".. confval:: timeout\n   :type: int\n   :default: 5\n\n   Seconds.\n", "- `timeout`: Type: int\n  Default: 5\n\n  Seconds."),
        (".. glossary::\n\n   lease\n   grant\n      The right to write.\n", "- lease, grant: The right to write."),
        ("term\n   What it means.\n\nother : kind\n   Else.\n", "- term: What it means.\n\n- other (kind): Else."),
        ("-a, --all   Everything.\n-b FILE     One\n            file.\n", "- `-a, --all`: Everything.\n- `-b FILE`: One\n  file."),
        ("a. one\nb. two\n#. three\n", "1. one\n2. two\n3. three"),
    ],
)  # fmt: skip
def test_a_definition_stays_with_its_term(written, read):
    assert shown(written) == read


TABLE = "| Name | Most |\n| --- | --- |\n| files | 9 \\| 10 |\n| `dirs` |  |"


@pytest.mark.parametrize(
    "written",
    [
        "+-------+-----------+\n| Name  | Most      |\n+=======+===========+\n| files | 9         |\n|       | | 10      |\n+-------+-----------+\n|``dirs``|          |\n+-------+-----------+\n".replace(
            "|``dirs``|          |", "|``d``  |           |"
        ),
        "========  =======\nName      Most\n========  =======\nfiles     9 | 10\n``dirs``\n========  =======\n",
        ".. list-table:: \n   :header-rows: 1\n   :widths: 1 2\n\n   * - Name\n     - Most\n   * - files\n     - 9 | 10\n   * - ``dirs``\n     -\n",
        '.. csv-table::\n   :header: Name, Most\n\n   files, "9 | 10"\n   ``dirs``,\n',
    ],
    ids=["grid", "simple", "list", "csv"],
)
def test_tables_become_tables_with_their_head(written):
    read = shown(written)
    assert read.replace("`d`", "`dirs`").replace("9 10", "9 \\| 10") == TABLE
    assert [chunk.kind for chunk in parse(written).chunks] == ["table"]


def test_a_table_of_a_file_is_read():
    page = ".. csv-table:: Limits\n   :file: limits.csv\n   :header-rows: 1\n"
    assert (
        shown(page, {"limits.csv": "Name,Most\nfiles,9\n"})
        == "**Limits**\n\n| Name | Most |\n| --- | --- |\n| files | 9 |"
    )


def test_includes_are_resolved_with_their_sections_and_names():
    page = "Title\n=====\n\n.. include:: ../shared/part.inc\n\nThe |thing|.\n"
    part = "Part\n----\n\n.. |thing| replace:: lease\n\nFrom the part.\n\n.. literalinclude:: code.py\n   :language: python\n   :lines: 2-\n"
    files = {"../shared/part.inc": part, "../shared/code.py": "# head\nx = 1\n"}
    parsed = parse(page, files)
    assert parsed.text == "# Title\n\n## Part\n\nFrom the part.\n\n```python\nx = 1\n```\n\nThe lease.\n"
    assert [section.level for section in parsed.sections] == [1, 2]


def test_a_page_names_a_file_from_the_root_of_its_site():
    assert shown(".. include:: /shared/x.txt\n", {"../shared/x.txt": "Found.\n"}) == "Found."


def test_what_conf_py_puts_around_every_page_is_known():
    conf = "import x\nrelease = '4.2'\nrst_epilog = '''\n.. |name| replace:: WEKA\n'''\n"
    assert shown("|name| |release|", {"conf.py": conf}) == "WEKA 4.2"


def test_a_file_that_includes_itself_ends():
    files = {"a.inc": "One.\n\n.. include:: a.inc\n", "b.inc": "Two.\n\n.. include:: a.inc\n"}
    assert shown(".. include:: a.inc\n\n.. include:: b.inc\n", files) == "One.\n\nTwo.\n\nOne."


@pytest.mark.parametrize("target", ["../../etc/passwd", "/../../etc/passwd", "a\\b", "x" * 900])
def test_a_path_out_of_the_root_is_not_even_asked_for(target):
    origin = Files()
    read_document("guide/a.rst", f".. include:: {target}\n\nAfter.\n".encode(), "d", origin)
    assert not any(path.count("..") > 1 or "\\" in path or len(path) > 500 for path in origin.asked)


def test_citations_find_their_lines_in_the_file():
    page = "Title\n=====\n\n.. note::\n   :class: x\n\n   First.\n\n.. include:: p.inc\n\nLast words\nof it.\n"
    parsed = parse(page, {"p.inc": "One.\n\nTwo.\n\nThree.\n"})

    def lines(words):
        start = parsed.text.index(words)
        return source_lines(parsed.source_lines, parsed.text, start, start + len(words))

    assert lines("# Title") == (1, 1)
    assert lines("First.") == (7, 7)
    assert lines("Two.") == lines("Three.") == (9, 9)
    assert lines("Last words\nof it.\n") == (11, 12)
    assert lines("First.\n\nOne.") == (7, 9)


def test_restructured_text_in_a_file_of_plain_text_is_read_as_such():
    parsed = parse(
        "Settings\n========\n\n.. setting:: DEBUG\n\n   On.\n\nSee :doc:`other`.\n", name="ref/settings.rst.txt"
    )
    assert parsed.title == "Settings" and [link.target for link in parsed.links] == ["other"]
    assert "- `DEBUG`: On." in parsed.text


@pytest.mark.parametrize(
    ("page", "conf", "read"),
    [
        ("Usage\n=====\n\nRead ``a.py`` and :doc:`other </x>`.\n", "", "# Usage\n\nRead `a.py` and [other](/x)."),
        ("Usage\n=====\n\nRead ``a.py``.\n", 'source_suffix = {".txt": "restructuredtext"}', "# Usage\n\nRead `a.py`."),
        ("Usage\n=====\n\nRead ``a.py``.\n", 'source_suffix = ".rst"', "Usage\n=====\n\nRead ``a.py``."),
    ],
)
def test_plain_text_is_restructured_by_its_roles_or_because_the_conf_says_so(page, conf, read):
    assert parse(page, {"../conf.py": conf}, "faq/usage.txt").text.strip() == read


LINES = st.sampled_from([
    "", "", "", "alpha", "  beta", "=====", "-----", "* gamma", "  * delta", "1. beta", ".. note::", ".. note:: alpha",
    "   epsilon", "      zeta", ".. code-block:: py", ".. unknown:: beta", ":field: gamma", "   :option: x", "term::", "+----+----+",
    "| a  | b  |", "====  ====", "a     b", ".. [1] delta", "``", "`", ":ref:`", "|x|", ".. |x| replace:: |x|", "-a  beta", ">>> zeta",
    ".. list-table::", "   * - alpha", "     - beta", ".. csv-table::", '   "alpha', ".. include:: a.rst", "__ x", ".. glossary::", "\\",
])  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.lists(LINES, max_size=25))
@example([".. glossary::", "  beta", "   epsilon", "  beta"])
def test_any_lines_give_a_whole_document_and_lose_no_word(lines):
    text = "\n".join(lines)
    parsed = read_document("a.rst", text.encode(), "d")
    assert "".join(parsed.text[chunk.start : chunk.end] for chunk in parsed.chunks) == parsed.text
    last = 0
    for start, line in _starts(parsed.text):
        if line.strip():
            first = source_lines(parsed.source_lines, parsed.text, start, start + len(line))[0]
            assert last <= first <= max(1, len(lines))
            last = first


def _starts(text):
    at = 0
    for line in text.split("\n"):
        yield at, line
        at += len(line) + 1


@given(
    st.lists(
        st.sampled_from(["alpha", "beta `gamma", "**delta", ":ref:`x", "``zeta", "|a", "_b_ c__", "\\"]), max_size=9
    )
)
def test_unbalanced_markup_loses_nothing_of_a_paragraph(lines):
    text = "Start\n" + "\n".join(lines) + "\nend."
    read = read_document("a.rst", text.encode(), "d").text
    for word in ["Start", "end", *(word for word in ("alpha", "gamma", "delta", "zeta") if word in text)]:
        assert word in read


def test_raw_html_is_on_the_page_like_all_else():
    text = """
        Colours
        =======

        .. raw:: html

            <style>td {color: red}</style>
            <h3>What they mean</h3>
            <table><tr><td>Red</td><td>The worker is paused.</td></tr></table>

        .. raw:: latex

            \\\\newpage

        .. raw:: html

            <iframe src="https://a.example"></iframe>

        After.
        """
    assert shown(text) == "# Colours\n\n**What they mean**\n\n| Red | The worker is paused. |\n| --- | --- |\n\nAfter."


def test_options_that_stand_further_in_than_the_text_are_options():
    text = """
        .. changelog_imports::

            .. include:: old.rst

        .. changelog::
            :version: 0.8.3
            :released: July 1

          .. change::
                :tags: bug, engine
                :tickets: 2851

              It parses them.
        """
    assert shown(text, {"guide/old.rst": "Old."}) == "**0.8.3** (released July 1)\n\nIt parses them."
