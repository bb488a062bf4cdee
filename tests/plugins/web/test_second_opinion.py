"""A cross-encoder under `plugins.corpus.rerank` orders the evidence of web pages too."""

import pytest
from rerank_service import rerank_service
from web_site import page

QUESTION = "When does the pump alarm ring?"
BODY = (
    "<main><h1>Pumps</h1><h2>Sound</h2><p>The pump alarm does ring, and the pump alarm is loud.</p>"
    "<h2>Pressure</h2><p>The alarm of a pump comes on at eleven bar.</p></main>"
)


@pytest.fixture
def pumps(site, serve, tmp_path):
    """`pumps(base_url of the reranker)`: what an answer about them says."""
    site.replies["/pumps.html"] = page("Pumps", BODY)

    def answer(url):
        rerank = {"rerank": {"provider": "http", "base_url": url, "timeout_seconds": 5}} if url else {}
        web = {"allow_hosts": [site.place], "retries": 0}
        served = serve(data_dir=tmp_path, plugins={"corpus": rerank, "web": web})
        return served.ask("web.answer", {"url": site.url("/pumps.html"), "query": QUESTION, "expansion_budget": 0})

    return answer


def test_its_order_is_the_order_of_the_evidence_and_relevances_stay_what_they_were(pumps):
    by_words = pumps("")["evidence"]
    assert "is loud" in by_words[0]["text"]
    with rerank_service(lambda text: 40.0 if "eleven bar" in text else -3.0) as (url, asked):
        reranked = pumps(url)["evidence"]
    assert "eleven bar" in reranked[0]["text"]
    assert reranked[0]["relevance"] == by_words[0]["relevance"]
    assert asked[0]["query"] == QUESTION


def test_one_that_fails_is_told_of_and_words_decide(pumps):
    answer = pumps("http://127.0.0.1:9")
    assert "is loud" in answer["evidence"][0]["text"]
    assert any("the reranker failed" in note for note in answer["notes"])
