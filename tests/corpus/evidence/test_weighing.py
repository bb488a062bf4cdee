"""How likely a unit has the answer."""

from wekadocs_corpus.configured import likeness_of
from wekadocs_corpus.embedding.static import StaticEmbedder
from wekadocs_corpus.evidence.choosing.meaning import units_of
from wekadocs_corpus.evidence.choosing.quoting import Evidence
from wekadocs_corpus.evidence.choosing.weighing import weighed
from wekadocs_corpus.evidence.quotes import QuoteSource
from wekadocs_corpus.lexical import AskedWords, query_terms
from wekadocs_corpus.model import Area
from wekadocs_corpus.retrieval.question import Question

LIKENESS = likeness_of(StaticEmbedder())
ANSWER = "Erase an image which nobody needs any more by hand: choose it in the list of backups and press the trash can."


def quoted(question, *texts):
    asked = Question(AskedWords(question), Area("p", "e"), query_terms(question))
    sources = [QuoteSource(text, document=str(place)) for place, text in enumerate(texts)]
    quotes = Evidence(asked, sources, weighed(asked, sources, LIKENESS)).quotes(6, 721)
    return "\n".join(sources[each.source].text[slice(*each.core)] for each in quotes)


def test_an_answer_in_other_words_is_found_behind_thirty_units_that_only_name_a_word_of_the_question():
    named = "\n\n".join(
        f"Team {number} of the northern region pays for its snapshot at the end of every month, with all taxes, by the "
        f"usual transfer to account {number} in Zurich, and tells the accountants about it in a letter."
        for number in range(30)
    )
    assert ANSWER in quoted("delete an old snapshot manually", named, ANSWER)


def test_a_list_of_links_does_not_stand_for_what_the_pages_it_leads_to_say():
    linking = "# Mount\n\nMount it as root.\n\n## See also\n\n- [Unmount](unmount.md)\n- [Snapshots](snapshots.md#read)"
    said = "Run `strata unmount /mnt` as root."
    named = "\n\n".join(f"The filesystem of team {number} is paid for by letter each month." for number in range(12))
    answer = quoted("How do I unmount a filesystem?", linking, f"# Unmount\n\n{said}", named)
    assert said in answer
    assert "unmount.md" not in answer.split(said)[0]


def test_a_line_that_begins_like_a_heading_keeps_its_words():
    (unit,) = units_of("#4711 unmounts a filesystem that hangs, see [the report](issues/4711.md)")
    assert unit.terms
