"""What the log is told: seed 004 §12.2, with sizes and hosts in place of questions and text."""

import logging

HOME = "/widgets/"


def test_a_call_is_told_by_host_and_sizes_and_never_by_its_words(asked, site, caplog):
    with caplog.at_level(logging.DEBUG, "wekadocs.web"):
        asked.data("answer", url=site.url(HOME), query="Who built the first widget?")
        asked.data("answer", url=site.url("/net.html"), query="zebra stripes", expansion_budget=0)
    told = [(each.levelname, each.getMessage()) for each in caplog.records if each.name == "wekadocs.web"]
    assert ("INFO", "tool=web.answer received urls=1 hosts=127.0.0.1 query_chars=27") in told
    assert any(level == "INFO" and " completed ms=" in line and "mode=chunk" in line for level, line in told)
    assert any(level == "INFO" and " response tokens=" in line for level, line in told)
    assert any(level == "DEBUG" and " sections={" in line for level, line in told)
    assert ("WARNING", "tool=web.answer found nothing relevant") in told
    assert not any(word in line for _, line in told for word in ("Jane", "zebra", "built"))
