"""What every Python client must see of the sample tool."""

import json

HELLO = ("demo.hello", {"name": "Ada"}, "Hello Ada!")
WRONG = ("demo.hello", {"name": "Ada", "times": "often"})
UNKNOWN = ("demo.helo", {"name": "Ada"})


def listed(names: list[str]) -> None:
    assert "demo.hello" in names, f"demo.hello is not listed: {names}"


def greeted(structured: object, text: str, is_error: bool) -> None:
    assert not is_error, f"the good call failed: {text}"
    assert structured == {"greeting": HELLO[2]}, f"structured: {structured}"
    assert text == HELLO[2], f"text: {text}"


def refused(text: str, is_error: bool) -> None:
    assert is_error, f"the bad argument was taken: {text}"
    error = json.loads(text)["error"]
    assert error["code"] == "INVALID_ARGUMENT" and "times" in error["message"], text


def unknown(error: BaseException | None) -> None:
    assert error is not None, "an unknown tool was answered"
    assert "demo.hello" in str(error), f"no way out in: {error}"
