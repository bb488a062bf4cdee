"""The estimate against counts taken once from o200k itself."""
# ruff: noqa: E501, RUF001  # the samples are what they are

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wekadocs_corpus import tokens

KNOWN = [
    (
        "To mount a filesystem on a client, run the mount command with the name of the backend and the mount point. The client joins the cluster in the background, and the filesystem is ready within a few seconds.",
        42,
    ),
    (
        "weka fs create <name> <group-name> <total-capacity> [--ssd-capacity ssd-capacity] [--thin-provision-min-ssd min] [--auth-required yes|no]",
        43,
    ),
    (
        "| Parameter | Description | Default |\n| --- | --- | --- |\n| `--max-count` | The highest number of objects to return | 1000 |\n| `--timeout` | Seconds to wait before the call fails | 30 |\n",
        50,
    ),
    (
        "def truncate(text: str, max_tokens: int) -> int:\n    if max_tokens <= 0:\n        return 0\n    while high < len(text) and count(text[:high]) <= max_tokens:\n        high *= 2\n    return high\n",
        54,
    ),
    (
        '{"api": {"bucket": "phg-sandman", "name": "PutObject", "status": "OK", "statusCode": 200, "timeToResponse": "10531825ns"}, "release": "4.4.6.11"}',
        56,
    ),
    ("要在客户端上挂载文件系统，请运行挂载命令，并指定后端服务器的名称和挂载点。客户端会在后台加入集群。", 34),
    (
        "クライアントにファイルシステムをマウントするには、バックエンドの名前とマウントポイントを指定してコマンドを実行します。",
        38,
    ),
    ("클라이언트에 파일 시스템을 마운트하려면 백엔드 이름과 마운트 지점을 지정하여 명령을 실행하십시오.", 31),
    (
        "Чтобы смонтировать файловую систему на клиенте, выполните команду монтирования с именем сервера и точкой монтирования.",
        30,
    ),
    (
        "Um ein Dateisystem auf einem Client einzuhängen, führen Sie den Befehl mit dem Namen des Servers und dem Einhängepunkt aus.",
        31,
    ),
    ("لتحميل نظام الملفات على العميل، شغّل أمر التحميل مع اسم الخادم ونقطة التحميل.", 23),
    ("Released 🎉 with faster mounts 🚀, fewer bugs 🐛 and better docs 📚. Thanks to everyone 👏👏👏!", 28),
    (
        "b28b4f9b-5d62-4c0b-97ef-6a72037930e7 079f7a1f-be3b-44c8-b36f-4484fe1ae4b2 10.26.211.72 2025-03-21T06:37:27.915055685Z",
        79,
    ),
    (
        "WEKA_HOME_MAX_CONNECTIONS=128 getUserById parseHTTPResponse snake_case_name SCREAMING_SNAKE_CASE camelCaseIdentifier",
        28,
    ),
]


@pytest.mark.parametrize(("text", "exact"), KNOWN, ids=[text[:20] for text, _ in KNOWN])
def test_the_estimate_is_near_the_truth(text, exact):
    assert tokens.count(text) == pytest.approx(exact, rel=0.3, abs=3)


def test_over_many_texts_the_errors_even_out():
    estimated = sum(tokens.count(text) for text, _ in KNOWN)
    assert estimated == pytest.approx(sum(exact for _, exact in KNOWN), rel=0.05)


def test_nothing_costs_nothing_and_something_costs_something():
    assert tokens.count("") == 0
    assert tokens.count("a") == tokens.count(" ") == 1
    assert tokens.count("\ud800") >= 1


@pytest.mark.parametrize("sign", ["-", " ", "\n", "="])
def test_rulers_and_empty_lines_cost_little(sign):
    assert tokens.count(sign * 10_000) < 600


@given(st.text(max_size=400) | st.text("abc de.\n", max_size=900), st.integers(-1, 120))
def test_a_truncated_text_costs_no_more_than_allowed(text, most):
    end = tokens.truncate(text, most)
    assert 0 <= end <= len(text)
    assert tokens.count(text[:end]) <= max(most, 0)
    if tokens.count(text) <= most:
        assert end == len(text)


def test_a_text_is_truncated_between_words():
    text = "The filesystem is mounted on every client of the cluster. " * 40
    end = tokens.truncate(text, 50)
    assert 45 <= tokens.count(text[:end]) <= 50
    assert text[end - 1].isspace() or text[end].isspace()


def test_a_text_is_never_cut_inside_an_emoji_or_before_an_accent():
    text = "👩\u200d💻" * 50 + "e\u0301" * 200
    for most in range(5, 300, 7):
        end = tokens.truncate(text, most)
        assert end == len(text) or (text[end] not in "\u200d\u0301" and text[end - 1] != "\u200d")


def test_counters_are_found_by_name():
    assert tokens.counter(tokens.NAME) is tokens.count
    with pytest.raises(LookupError, match="estimate-o200k"):
        tokens.counter("nonsense")
