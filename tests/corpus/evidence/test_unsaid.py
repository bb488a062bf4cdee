"""Which word of a question a passage leaves out."""

from wekadocs_corpus.evidence.unsaid import ALL_SAID, unsaid
from wekadocs_corpus.lexical import AskedWords, query_terms
from wekadocs_corpus.model import Area
from wekadocs_corpus.retrieval.question import Question


class Like:
    """Every word is so near to any other."""

    def __init__(self, near):
        self.near = near

    def nearest(self, words, others):
        return [self.near if others else 0.0] * len(words)


def left_out(question, text, like=0.0, rare=()):
    weights = dict.fromkeys(query_terms(question), 1.0) | {term: 3.0 for word in rare for term in query_terms(word)}
    asked = Question(AskedWords(question), Area("p", "e"), weights)
    return unsaid(asked, text, Like(like))


def test_a_passage_that_says_all_in_any_form_leaves_nothing_out():
    assert left_out("mount the filesystem", "Mounting filesystems is easy.") == ALL_SAID


def test_the_rarest_word_that_is_missing_is_the_one():
    found = left_out("compress payloads with lz4 quickly", "Payloads are sent.", rare=["lz4"])
    assert found.word == "lz4"
    assert 0.4 < found.share < 0.7


def test_a_word_that_means_nearly_the_same_counts_for_it():
    none, near = (left_out("raise the number of hits", "The number of results.", like) for like in (0.0, 0.8))
    assert near.share < 0.3 * none.share


def test_a_word_that_no_document_has_weighs_as_much_as_the_rarest():
    asked = Question(AskedWords("slack reporter"), Area("p", "e"), query_terms("reporter"))
    assert unsaid(asked, "A reporter.", Like(0.0)).word == "slack"


def test_of_words_that_weigh_nothing_none_is_missed():
    assert unsaid(Question(AskedWords("slack reporter"), Area("p", "e"), {}), "A text.", Like(0.0)) == ALL_SAID


def test_amounts_are_the_askers_own_and_versions_are_not():
    text = "Larger files are left out with --exclude-larger-than."
    for amount in ("100MB", "100 MB", "2.5 GiB", "30 days", "500 KB/s", "90%"):
        assert left_out(f"exclude larger files {amount}", text).word == "", amount
    for named in ("python 3.12", "error 503", "ipv6"):
        assert left_out(f"exclude larger files {named}", text).word, named


def test_an_amount_that_no_document_has_is_nothing_unknown():
    asked = Question(AskedWords("files 100MB"), Area("p", "e"), query_terms("files"))
    assert asked.unknown == 0
    assert Question(AskedWords("files slack"), Area("p", "e"), query_terms("files")).unknown == 1


def test_what_only_introduces_an_example_is_nothing_to_say():
    assert left_out("larger files, e.g. images, i.e. photos etc.", "Larger files, images and photos.") == ALL_SAID
