"""What is quoted of a page: something that tells, verbatim, in its place."""

import pytest
from web_site import page

CASES = {
    "what leads to a list is quoted with it": (
        "<p>Retry options of the uploader:</p><ul><li>attempts: how often it tries again</li><li>pause: in seconds</li></ul>",  # noqa: E501
        "What are the retry options of the uploader?",
        "Retry options of the uploader:\n\n- attempts: how often it tries again\n- pause: in seconds",
    ),
    "what leads to steps is quoted with them": (
        "<p>The limits of the uploader are the following.</p><ol><li>A file has 4 GB.</li><li>A folder has 9.</ol>",
        "What are the limits of the uploader?",
        "The limits of the uploader are the following.\n\n1. A file has 4 GB.\n2. A folder has 9.",
    ),
    "what leads to code is quoted with it": (
        "<p>The uploader is installed so:</p><pre><code class='language-bash'>pip install uploader</code></pre>",
        "How is the uploader installed?",
        "The uploader is installed so:\n\n```bash\npip install uploader\n```",
    ),
    "a caption is quoted with its table": (
        "<table><caption>Ports of the uploader</caption><tr><th>Name<th>Port</tr><tr><td>main<td>9440</tr></table>",
        "Which ports does the uploader have?",
        "Ports of the uploader\n\n| Name | Port |\n|------|------|\n| main | 9440 |",
    ),
    "a line of links is not quoted": (
        "<p><a href='/x'>Quota of the uploader</a> | <a href='/y'>Keys</a></p><p>The quota is 3 TB for each user.</p>",
        "What is the quota of the uploader?",
        "The quota is 3 TB for each user.",
    ),
    "a trail of places is not quoted": (
        "<p>Home \u203a Uploader \u203a Deleted files</p><p>They stay in the bin for nine days.</p>",
        "How long do deleted files stay in the uploader?",
        "They stay in the bin for nine days.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_what_is_quoted_tells_something_itself(asked, site, case):
    body, question, quoted = CASES[case]
    site.replies["/page.html"] = page("Uploader", f"<main><h1>Uploader</h1>{body}</main>")
    found = asked.data("answer", url=site.url("/page.html"), query=question, expansion_budget=0)
    assert [each["text"] for each in found["citations"]] == [quoted]


def test_of_a_list_without_end_only_so_much_is_quoted_as_anyone_reads(asked, site):
    items = "".join(f"<li>Limit number {number} of the uploader.</li>" for number in range(60))
    site.replies["/page.html"] = page(
        "U", f"<main><h1>Limits</h1><p>All limits of the uploader:</p><ul>{items}</ul></main>"
    )
    found = asked.data("answer", url=site.url("/page.html"), query="What limits has the uploader?", expansion_budget=0)
    quoted = found["citations"][0]["text"]
    assert quoted.startswith("All limits of the uploader:\n\n- Limit number 0 of the uploader.\n- Limit number 1 ")
    assert len(quoted) <= 420 and quoted.endswith("of the uploader.")
