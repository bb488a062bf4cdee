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
    assert any(level == "DEBUG" and " parameters={'intent': None, " in line for level, line in told)
    assert ("WARNING", "tool=web.answer found nothing relevant") in told
    assert not any(word in line for _, line in told for word in ("Jane", "zebra", "built"))


def test_time_that_runs_out_is_told_of_before_and_after(ask, site, caplog, monkeypatch):
    monkeypatch.setenv("MCP_TOOL_TIMEOUT", "2")
    with caplog.at_level(logging.INFO, "wekadocs.web"):
        ask().refused("answer", url=site.url("/slow"), query="zebra stripes")
    told = _of_call(caplog)
    assert [level for level, _ in told] == ["INFO", "WARNING", "ERROR"]
    assert told[1][1].startswith("tool=web.answer has used 80 % of its ")
    assert told[2][1] == "tool=web.answer timed out pages=0"


def test_a_call_that_no_page_could_be_read_for_is_an_error_of_the_log(asked, site, caplog):
    with caplog.at_level(logging.INFO, "wekadocs.web"):
        asked.refused("answer", url=site.url("/missing"), query="zebra stripes")
    assert ("ERROR", "tool=web.answer failed code=HTTP_404 pages=1") in _told(caplog)
    assert ("INFO", "engine started") in _told(caplog)


def test_what_goes_wrong_inside_is_an_error_without_its_words(asked, site, caplog, monkeypatch):
    async def broken(_fetched):
        raise RuntimeError("zebra")

    monkeypatch.setattr(asked.served.state("web").library, "take_in", broken)
    text, error = asked.refused("answer", url=site.url(HOME), query="striped horses")
    assert error["code"] == "INTERNAL_ERROR"
    assert "zebra" not in text
    told = [each for each in caplog.records if each.levelname == "ERROR"]
    assert told
    assert not any("horses" in each.getMessage() for each in told)


def test_a_page_that_cannot_be_converted_is_told_of_and_read_without_its_tags(asked, site, caplog, monkeypatch):
    def broken(*_):
        raise ValueError("zebra")

    monkeypatch.setattr("wekadocs_web.pages.reading.read_html", broken)
    assert "Jane Roe" in asked.text("answer", url=site.url(HOME), query="Who built the first widget?")
    assert ("WARNING", "a page could not be converted (ValueError): its tags are stripped") in [
        (each.levelname, each.getMessage()) for each in caplog.records
    ]


def _told(caplog):
    return [(each.levelname, each.getMessage()) for each in caplog.records if each.name == "wekadocs.web"]


def _of_call(caplog):
    return [(level, line) for level, line in _told(caplog) if line.startswith("tool=")]


def test_tools_that_give_no_brief_tell_the_same_events(asked, site, caplog):
    with caplog.at_level(logging.DEBUG, "wekadocs.web"):
        asked.data("ingest", url=site.url("/net.html"))
        asked.data("read", url=site.url("/net.html"))
        asked.data("refresh")
        asked.data("status", source_url=site.url("/net.html"))
    told = _told(caplog)
    for tool, counts in {
        "ingest": "indexed=1 failed=0 waiting=0",
        "read": "chars=",
        "refresh": "checked=1 changed=0 gone=0 failed=0",
        "status": "documents=1 chunks=",
    }.items():
        urls = "urls=0 hosts=-" if tool == "refresh" else "urls=1 hosts=127.0.0.1"
        mine = [(level, line) for level, line in told if line.startswith(f"tool=web.{tool} ")]
        assert [level for level, _ in mine] == ["INFO", "DEBUG", "INFO", "INFO", "DEBUG"], mine
        assert mine[0][1] == f"tool=web.{tool} received {urls} query_chars=0"
        assert " parameters={" in mine[1][1]
        assert " completed ms=" in mine[2][1] and counts in mine[2][1]
        assert " response bytes=" in mine[3][1] and " sections={" in mine[4][1]
    assert not any(word in line for _, line in told for word in ("UDP", "datagrams", "net.html"))


def test_nothing_at_all_is_a_warning_in_every_tool(asked, caplog):
    with caplog.at_level(logging.INFO, "wekadocs.web"):
        asked.data("status")
        asked.data("refresh")
    warned = [line for level, line in _told(caplog) if level == "WARNING"]
    assert warned == ["tool=web.status found nothing", "tool=web.refresh found nothing"]


def test_a_page_that_does_not_come_in_time_is_told_of_by_every_tool(ask, site, caplog, monkeypatch):
    monkeypatch.setenv("MCP_TOOL_TIMEOUT", "2")
    with caplog.at_level(logging.INFO, "wekadocs.web"):
        ask().refused("read", url=site.url("/slow"))
    levels = [level for level, _ in _of_call(caplog)]
    assert levels[:2] == ["INFO", "WARNING"]
