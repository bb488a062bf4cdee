"""A page of the web as Markdown: seed 004 §7, and what the first implementation of it got wrong."""

import pytest

from wekadocs_web.pages import read

HERE = "http://docs.example.org/guide/page.html"


def page(body, media_type="text/html"):
    return read(body.encode(), media_type, "utf-8", HERE)


def text(inside):
    return page(f"<html><body><main>{inside}</main></body></html>").text.strip()


CASES = {
    "tables are aligned, with th and td": (
        "<table><tr><th>Column A</th><th>B</th></tr><tr><td>Value 1</td><td>42</td></tr></table>",
        "| Column A | B   |\n|----------|-----|\n| Value 1  | 42  |",
    ),
    "what spans columns keeps the cells after it in their columns": (
        "<table><tr><th>A<th colspan=2>B</tr><tr><td>1<td>2<td>3</tr></table>",
        "| A   | B   |     |\n|-----|-----|-----|\n| 1   | 2   | 3   |",
    ),
    "what spans rows is said in each of them": (
        "<table><tr><th>A<th>B</tr><tr><td rowspan=2>x<td>1</tr><tr><td>2</tr></table>",
        "| A   | B   |\n|-----|-----|\n| x   | 1   |\n| x   | 2   |",
    ),
    "a table in a cell is printed once, in words": (
        "<table><tr><th>A<th>B</tr><tr><td>1<td>x <table><tr><td>in<td>side</tr></table></tr></table>",
        "| A   | B          |\n|-----|------------|\n| 1   | x in, side |",
    ),
    "a bar in a cell is escaped": (
        "<table><tr><th>A<th>B</tr><tr><td>a|b<td>2</tr></table>",
        "| A    | B   |\n|------|-----|\n| a\\|b | 2   |",
    ),
    "pictures in tables stay": (
        "<table><tr><th>A<th>B</tr><tr><td><img src=/i.png alt=Pic><td>2</tr></table>",
        f"| {'A':37} | B   |\n|{'-' * 39}|-----|\n| ![Pic](http://docs.example.org/i.png) | 2   |",
    ),
    "a line of code in a cell leaves a table with a head a table": (
        "<table><thead><tr><th>Option<th>Like</tr></thead><tr><td>size<td><pre>--size 3</pre></tr></table>",
        "| Option | Like       |\n|--------|------------|\n| size   | `--size 3` |",
    ),
    "lines of code in a cell stay lines, and what the table is called is told": (
        "<table><caption>Options</caption><tr><th>A<th>B</tr><tr><td>x<td><pre>a:\n  b</pre></tr></table>",
        "Options\n\nA\n\nB\n\nx\n\n```\na:\n  b\n```",
    ),
    "items of a list in a cell stay apart": (
        "<table><tr><th>A<th>B</tr><tr><td>1<td>of <ul><li>red</li><li>dark blue</li></ul></tr></table>",
        "| A   | B                 |\n|-----|-------------------|\n| 1   | of red; dark blue |",
    ),
    "a page that is built of tables in tables keeps its headings": (
        "<table><tr><td>Menu<td><table><tr><td><div><h2>News</h2><p>One.</p></div><td>Right</table></table>",
        "Menu\n\n## News\n\nOne.\n\nRight",
    ),
    "what stands beside code for its reader's eyes is no text": (
        '<div class="language-js"><button>Copy</button><span class="lang">js</span><pre class="shiki"><code>let a'
        '</code></pre><div class="line-numbers-wrapper">1</div></div>',
        "```js\nlet a\n```",
    ),
    "what is said beside code in a box of its language stays": (
        '<div class="language-js">Like so: <pre>let a</pre></div>',
        "Like so:\n\n```js\nlet a\n```",
    ),
    "a fraction without a line is no fraction": (
        '<math><mo>(</mo><mfrac linethickness="0"><mi>n</mi><mi>k</mi></mfrac><mo>)</mo></math>',
        r"$({n \atop k})$",
    ),
    "fences of a formula are those that it states": (
        '<math><mfenced open="[" close=")" separators=";"><mi>a</mi><mi>b</mi></mfenced></math>',
        "$[a; b)$",
    ),
    "code has the language of its class": (
        '<pre><code class="language-python">def f():\n    pass\n</code></pre>',
        "```python\ndef f():\n    pass\n```",
    ),
    "code has the language that Sphinx puts around it": (
        '<div class="highlight-python notranslate"><div class="highlight"><pre><span>x</span> = 1</pre></div></div>',
        "```python\nx = 1\n```",
    ),
    "code has the language that GitHub puts around it": (
        '<div class="highlight highlight-source-shell"><pre>ls -l</pre></div>',
        "```shell\nls -l\n```",
    ),
    "what a class says of the looks of code is no language": (
        '<div class="code-snippet"><pre class="code-body highlight"><code class="code-lines_x1Yz">a</code></pre></div>',
        "```\na\n```",
    ),
    "code without a language has none": ("<pre>plain\n  text</pre>", "```\nplain\n  text\n```"),
    "code with fences in it is fenced by longer ones": ("<pre>```\nx\n```</pre>", "````\n```\nx\n```\n````"),
    "formulas are their alttext first": ('<p><math alttext="x^2"><mi>wrong</mi></math></p>', "$x^2$"),
    "formulas are their annotation else, once": (
        '<p><math><semantics><mi>x</mi><annotation encoding="application/x-tex">x</annotation></semantics></math></p>',
        "$x$",
    ),
    "formulas on lines of their own have two signs": (
        '<math display="block"><mfrac><mi>a</mi><mi>b</mi></mfrac></math>',
        r"$$\frac{a}{b}$$",
    ),
    "formulas are built from their structure": (
        "<p><math><msqrt><msup><mi>x</mi><mn>2</mn></msup></msqrt><mo>+</mo><mroot><mi>y</mi><mn>3</mn></mroot></math></p>",
        r"$\sqrt{x^{2}}+\sqrt[3]{y}$",
    ),
    "formulas of Sphinx are formulas": (
        '<p>So <span class="math notranslate">\\(e=mc^2\\)</span>.</p>',
        "So $e=mc^2$.",
    ),
    "terms are followed by what they mean": (
        "<dl><dt>Term 1</dt><dd>Definition text for term 1.</dd><dt>Term 2</dt><dd>one</dd><dd>two</dd></dl>",
        "**Term 1**: Definition text for term 1.\n\n**Term 2**: one\n\ntwo",
    ),
    "a warning is labelled and does not repeat its title": (
        '<div class="admonition warning"><p class="admonition-title">Warning</p>'
        "<p>This method is deprecated in version 1.2. Use <code>new_method()</code> instead.</p></div>",
        "⚠️ WARNING: This method is deprecated in version 1.2. Use `new_method()` instead.",
    ),
    "a note by its class alone is labelled": (
        '<div class="note">This only applies when <code>n &gt; 100</code>.</div>',
        "ℹ️ NOTE: This only applies when `n > 100`.",  # noqa: RUF001
    ),
    "an alert of GitHub is labelled": (
        '<div class="markdown-alert markdown-alert-note"><p class="markdown-alert-title"><svg></svg>Note</p><p>x y</p></div>',  # noqa: E501
        "ℹ️ NOTE: x y",  # noqa: RUF001
    ),
    "an alert as Markdown writes it is labelled": (
        "<blockquote><p>[!WARNING]<br>Mind the gap.</p></blockquote>",
        "⚠️ WARNING: Mind the gap.",
    ),
    "a title of its own is kept": (
        '<div class="admonition tip"><p class="admonition-title">Before you upgrade</p><p>Back up.</p></div>',
        "💡 TIP: Before you upgrade — Back up.",
    ),
    "an admonition of Docusaurus is labelled by its own name": (
        '<div class="theme-admonition theme-admonition-tip admonition_xJq3 alert alert--success">'
        '<div class="admonitionHeading_Gvgb"><span class="admonitionIcon_Rf37"><svg></svg></span>tip</div>'
        '<div class="admonitionContent_BuS1"><p>Use it.</p></div></div>',
        "💡 TIP: Use it.",
    ),
    "an admonition of Docusaurus keeps a title of its own": (
        '<div class="theme-admonition theme-admonition-danger alert alert--danger"><div class="admonitionHeading_Gvgb">'
        'Mind the gap</div><div class="admonitionContent_BuS1"><p>Step over it.</p></div></div>',
        "⚠️ DANGER: Mind the gap — Step over it.",
    ),
    "an admonition of Asciidoctor is no table": (
        '<div class="admonitionblock note"><table><tr><td class="icon"><i class="fa icon-note" title="Note"></i></td>'
        '<td class="content">Mind it.</td></tr></table></div>',
        "ℹ️ NOTE: Mind it.",  # noqa: RUF001
    ),
    "code of Docusaurus has its language": (
        '<div class="language-bash codeBlockContainer_Ckt0"><div class="codeBlockContent_QJqH">'
        '<pre class="prism-code language-bash codeBlock_bY9V"><code class="codeBlockLines_e6Vv">'
        '<span class="token-line"><span>npm i</span><br></span></code></pre></div></div>',
        "```bash\nnpm i\n```",
    ),
    "numbers of lines are no code": (
        '<div class="chroma"><table class="lntable"><tr><td class="lntd"><pre><code><span class="lnt">1\n</span></code>'
        '</pre></td><td class="lntd"><pre><code class="language-go">a := 1\n</code></pre></td></tr></table></div>',
        "```go\na := 1\n```",
    ),
    "terms do not repeat their colon": (
        "<dl><dt>Parameters:</dt><dd><ul><li>x</li></ul></dd><dt>Returns:</dt><dd>int</dd></dl>",
        "**Parameters**:\n\n- x\n\n**Returns**: int",
    ),
    "rows of a head are one row that names every column": (
        "<table><thead><tr><th rowspan=2>Name<th colspan=2>Size</tr><tr><th>min<th>max</tr></thead>"
        "<tr><td>a<td>1<td>2</tr></table>",
        "| Name | Size min | Size max |\n|------|----------|----------|\n| a    | 1        | 2        |",
    ),
    "a class that only begins like a note is none": ('<div class="note-list"><p>Plain.</p></div>', "Plain."),
    "bullets and numbers stay, nested": (
        "<ul><li>one<ol><li>first</li><li>second</li></ol></li><li>two</li></ul>",
        "- one\n  1. first\n  2. second\n- two",
    ),
    "lists begin where they say": ("<ol start=3><li>c<li>d</ol>", "3. c\n4. d"),
    "links keep their addresses": (
        '<p>See <a href="../install.html#linux">how to install</a>.</p>',
        "See [how to install](http://docs.example.org/install.html#linux).",
    ),
    "a figure keeps its caption though the picture is inside a link": (
        '<figure><a href="/big.png"><img src="small.png" alt="Parts"></a><figcaption>How it is built.</figcaption></figure>',  # noqa: E501
        "[![Parts](http://docs.example.org/guide/small.png)](http://docs.example.org/big.png)\n*How it is built.*",
    ),
    "pictures inside the address are no pictures": ('<p>x <img src="data:image/png;base64,AA" alt="dot"></p>', "x dot"),
    "headings lose the mark of their own link": ('<h2>Use<a class="headerlink" href="#use">¶</a></h2>', "## Use"),
    "what looks like a heading and is none stays none": ("<p># of parts</p>", "\\# of parts"),
    "paragraphs are two lines apart": ("<p>one\n   line</p><p>two</p>", "one line\n\ntwo"),
    "the text before the first heading is there": ("lead<h1>Title</h1>", "lead\n\n# Title"),
    "what a reader opens by a tab is shown": (
        "<div role=tablist><button role=tab>npm</button></div><div role=tabpanel><p>one</p></div>"
        "<div role=tabpanel hidden><p>two</p></div><p hidden=until-found>three</p>"
        "<div role=tabpanel style='display:none'>four</div><p hidden>five</p>",
        "one\n\ntwo\n\nthree\n\nfour",
    ),
    "a picture of several sizes has the address of the first": (
        "<p><img srcset='small.png 1x, /large.png 2x' alt=Parts></p>",
        "![Parts](http://docs.example.org/guide/small.png)",
    ),
    "what a summary opens is shown": ("<details><summary>More</summary><p>inside</p></details>", "**More**\n\ninside"),
}


@pytest.mark.parametrize("case", CASES)
def test_what_stands_on_a_page(case):
    html, markdown = CASES[case]
    assert text(html) == markdown


def test_scripts_styles_comments_and_what_is_hidden_never_become_text():
    said = text(
        "<script>alert(1)</script><style>p{}</style><!-- c --><template>t</template><noscript>n</noscript>"
        "<p hidden>h</p><p style='display: none'>d</p><p aria-hidden=true>a</p><span class=sr-only>s</span>"
        "<p style='font-size:0'>f</p><p>seen</p>"
    )
    assert said == "seen"


def test_menus_and_footers_are_left_out_and_their_links_are_known():
    found = page(
        "<html lang=en><head><title> The  title </title></head><body><nav><a href=/menu>Menu</a></nav>"
        "<div class=sidebar>side</div><main><h1>H</h1><p>Told. See <a href=b.html>the B page</a> for more. Then on.</p></main>"  # noqa: E501
        "<footer>foot</footer></body></html>"
    )
    assert (found.title, found.language) == ("The title", "en")
    assert found.text == "# H\n\nTold. See [the B page](http://docs.example.org/guide/b.html) for more. Then on.\n"
    assert [tuple(each) for each in found.links] == [
        ("http://docs.example.org/guide/b.html", "the B page", "See the B page for more."),
        ("http://docs.example.org/menu", "Menu", ""),
    ]


def test_a_heading_above_the_page_proper_is_kept():
    assert (
        page("<body><header><h1>Top</h1></header><main><p>Some text.</p></main></body>").text == "# Top\n\nSome text.\n"
    )


@pytest.mark.parametrize(
    "hidden", ["\u200b", "\u202e", "\U000e0041", "\u2066", "\ufeff", "\u00ad", "&#8203;", "\ufe01"]
)
def test_characters_that_nobody_sees_are_removed(hidden):
    assert text(f"<p>ig{hidden}nore</p>") == "ignore"


@pytest.mark.parametrize("kept", ["क्\u200dष", "👩\u200d💻", "می\u200cخواهم", "⚠️"])  # noqa: RUF001
def test_joiners_stay_where_a_script_needs_them(kept):
    assert text(f"<p>{kept}</p>") == kept


def test_a_page_that_only_scripts_fill_is_recognised():
    empty = '<body><div id="root"></div><script src="/app.js"></script></body>'
    told = "<body><noscript>You need to enable JavaScript to run this app.</noscript><script>x</script><p>Loading</p></body>"  # noqa: E501
    full = f"<body><div id=root>{'<p>Words that are there.</p>' * 20}</div><script src=/app.js></script></body>"
    assert [page(each).scripted for each in (empty, told, full, "<p>short</p>")] == [True, True, False, False]


def test_a_page_in_xhtml_is_read_as_xml_has_it():
    found = page(
        '<?xml version="1.0"?><!DOCTYPE html [<!ENTITY x "y"> <!-- ] --> ]><html xmlns="http://www.w3.org/1999/xhtml">'
        '<head><title>T</title><script src="a.js"/><style/></head><body><a id="top"/><p>One <br/>two.</p><p/>'
        '<div class="x" title="a > b"/><p>Three <i/>four.</p></body></html>',
        "application/xhtml+xml",
    )
    assert (found.title, found.text) == ("T", "One\ntwo.\n\nThree four.\n")


def test_a_feed_becomes_a_page_with_an_entry_each():
    feed = (
        "<rss><channel><title>News</title><item><title>One</title><link>http://e.org/1</link><pubDate>Mon</pubDate>"
        "<description>&lt;p&gt;It &lt;b&gt;is&lt;/b&gt; out.&lt;/p&gt;&lt;script&gt;x&lt;/script&gt;</description></item></channel></rss>"  # noqa: E501
    )
    found = page(feed, "application/rss+xml")
    assert found.text == "# News\n\n## One\n\n[One](http://e.org/1)\n\nMon\n\nIt **is** out.\n"
    assert found.links[0].target == "http://e.org/1"


def test_a_feed_that_declares_entities_is_refused():
    bomb = '<!DOCTYPE x [<!ENTITY a "aaaa">]><rss><channel><title>&a;</title></channel></rss>'
    with pytest.raises(Exception, match="entities"):
        page(bomb, "application/atom+xml")


def test_markdown_and_plain_text_are_kept():
    assert (page("# A\n\n[b](http://e.org/b)", "text/markdown").format, page("x", "text/plain").format) == (
        "markdown",
        "plain",
    )


def test_where_the_converter_fails_tags_are_stripped_and_the_log_is_told(monkeypatch, caplog):
    monkeypatch.setattr("wekadocs_web.pages.reading.read_html", lambda *_: 1 / 0)
    found = page("<head><title>t</title></head><style>p{}</style><p>One &amp; all</p><script>x</script><p>two</p>")
    assert found.text == "One & all\n\ntwo\n"
    assert [record.levelname for record in caplog.records] == ["WARNING"]
    assert "One" not in caplog.text
