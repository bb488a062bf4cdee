"""Tables of HTML: cells that are as wide or as tall as several keep the columns of all rows."""

from wekadocs_corpus.documents import read_document


def table(rows):
    return read_document("t.html", f"<h1>T</h1><table>{rows}</table>".encode(), "document").text


def test_a_cell_over_several_rows_stands_in_each_of_them():
    text = table(
        "<tr><th>Group<th>Name<th>Size</tr><tr><td rowspan=2>Group A<td>b1<td>c1</tr><tr><td>b2<td>c2</tr>"
        "<tr><td>B<td>b3<td>c3</tr>"
    )
    assert "| Group A | b1 | c1 |\n| Group A | b2 | c2 |\n| B | b3 | c3 |" in text


def test_a_wide_cell_leaves_the_columns_beside_it_empty():
    text = table("<tr><th colspan=2>Both<th>Third</tr><tr><td>a<td>b<td>c</tr>")
    assert "| Both | | Third |\n| --- | --- | --- |\n| a | b | c |" in text


def test_a_long_cell_is_not_repeated_and_one_in_the_middle_keeps_its_column():
    long = "many words " * 20
    text = table(f"<tr><td>a<td rowspan=2>{long}<td>c</tr><tr><td>d<td>f</tr><tr><td>g<td>h<td>i</tr>")
    assert text.count("many words") == 20 and "| d | | f |\n| g | h | i |" in text


def test_spans_that_mean_nothing_or_too_much_cost_little():
    rows = "<tr><td colspan=9999999 rowspan=99999>x<td colspan=-1 rowspan=a>y</tr>" * 3000
    assert len(table(rows)) < 200_000
