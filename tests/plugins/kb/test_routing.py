"""Can the tools be told apart by what their descriptions say? Asked offline, by words and by the bundled vectors."""

import math
from collections import Counter

import pytest

from wekadocs_corpus.embedding.choose import load
from wekadocs_corpus.lexical import query_terms, terms_of
from wekadocs_mcp.app import App
from wekadocs_mcp.config import deployment as configuration

# What a model is about to do → the tool that is for it.
INTENTS = {
    "The user has a question that the documentation may answer": "kb.retrieve_evidence",
    "Answer a question from the documentation in one call": "kb.retrieve_evidence",
    "Does the documentation answer the question? I need quotes and whether they answer it": "kb.retrieve_evidence",
    "I want a list of the pages on a topic": "kb.search",
    "Which pages are there on this topic? List candidates with a preview": "kb.search",
    "I need passage_ids for other tools": "kb.search",
    "I hold passage_ids and want only the sentences in them that answer": "kb.extract_evidence",
    "Take the quotes that answer from these passages": "kb.extract_evidence",
    "Quotes were not enough, I must read on in a passage I have": "kb.read_excerpt",
    "Read the passage from its beginning": "kb.read_excerpt",
    "The quote is cut short, what stands just before and after it?": "kb.expand_excerpt",
    "Give me more tokens before and after the matching span": "kb.expand_excerpt",
    "Check that a quotation stands in the document word for word": "kb.verify_quote",
    "Be sure of a quote before I present it": "kb.verify_quote",
    "What is this passage or entity connected with? Look around a node": "graph.expand",
    "How are these two nodes connected? Find a path between them": "graph.paths",
    "What do these node ids stand for? Labels and titles of nodes": "graph.describe",
    "Which document or section does this belong to, what is above it": "graph.parents",
    "What parts does this section have, what is below it": "graph.children",
    "Which entities does this section mention": "graph.entities_for_sections",
    "Which sections mention this entity": "graph.sections_for_entities",
}


@pytest.fixture(scope="module")
def described(tmp_path_factory):
    """Tool → what it is for and what it returns; what it is not for names the others."""
    app = App.build(configuration.load(None, tmp_path_factory.mktemp("data")))
    tools = [tool for tool in app.tools_list()["tools"] if tool["name"].startswith(("kb.", "graph."))]
    return {tool["name"]: f"{tool['title']}. {_parts(tool['description'])}" for tool in tools}


def _parts(description):
    use_when, _, returns, *_ = description.splitlines()
    return f"{use_when} {returns}"


def ranking(scores):
    return sorted(scores, key=scores.__getitem__, reverse=True)


@pytest.fixture(scope="module")
def by_words(described):
    terms = {name: terms_of(text) for name, text in described.items()}
    having = Counter(term for each in terms.values() for term in each)

    def rank(intent):
        wanted = [term for term in query_terms(intent) if having[term]]
        rarity = {term: math.log(1 + len(terms) / having[term]) for term in wanted}
        return ranking({name: sum(rarity[term] for term in wanted if term in each) for name, each in terms.items()})

    return rank


@pytest.fixture(scope="module")
def by_vectors(described):
    model = load({"provider": "static"})
    vectors = dict(zip(described, model.embed_passages(list(described.values())), strict=True))

    def rank(intent):
        asked = model.embed_query(intent)
        return ranking({name: float(asked @ vector) for name, vector in vectors.items()})

    return rank


def test_every_tool_has_intents(described):
    assert set(described) == set(INTENTS.values())


@pytest.mark.parametrize(("intent", "tool"), INTENTS.items())
def test_an_intent_leads_to_its_tool(by_words, by_vectors, intent, tool):
    """First by words or by vectors, and never further down than third by either."""
    places = by_words(intent).index(tool) + 1, by_vectors(intent).index(tool) + 1
    assert min(places) == 1, (places, by_words(intent)[:3], by_vectors(intent)[:3])
    assert max(places) <= 3, (places, by_words(intent)[:3], by_vectors(intent)[:3])


def test_most_intents_lead_there_either_way(by_words, by_vectors):
    for rank in (by_words, by_vectors):
        first = sum(rank(intent)[0] == tool for intent, tool in INTENTS.items())
        assert first / len(INTENTS) >= 0.8


def test_no_two_tools_say_nearly_the_same(described):
    model = load({"provider": "static"})
    names = list(described)
    vectors = model.embed_passages(list(described.values()))
    alike = vectors @ vectors.T
    near = [(a, b) for i, a in enumerate(names) for j, b in enumerate(names) if i < j and alike[i, j] > 0.95]
    assert not near
