"""Debian's Chromium, driven over WebDriver by a client of our own; installed when it is missing and we may."""

from __future__ import annotations

import base64
import contextlib
import os
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from typing import Any

import debian_programs
import httpx

_ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
_FLAGS = (
    "--headless",
    "--no-sandbox",  # tests may run as root, which Chromium only does so; the pages are our own
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--window-size=1440,900",
    "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
)
KEYS = {"Tab": "\ue004", "Enter": "\ue007", "Escape": "\ue00c", "ArrowRight": "\ue014", "Shift": "\ue008"}


PACKAGES = ("chromium", "chromium-driver", "fonts-dejavu-core")


def missing(*programs: str) -> str:
    """Why there is no browser; empty where there is one."""
    return debian_programs.missing(PACKAGES, *programs)


class Element:
    def __init__(self, browser: Browser, handle: str) -> None:
        self._browser = browser
        self.handle = handle

    def click(self) -> None:
        self._browser.post(f"element/{self.handle}/click", {})

    def type(self, text: str) -> None:
        self._browser.post(f"element/{self.handle}/value", {"text": text})

    def clear(self) -> None:
        self._browser.post(f"element/{self.handle}/clear", {})

    @property
    def text(self) -> str:
        return str(self._browser.get(f"element/{self.handle}/text"))

    def attribute(self, name: str) -> str | None:
        found: str | None = self._browser.get(f"element/{self.handle}/attribute/{name}")
        return found


class Browser:
    """One session with a profile of its own."""

    def __init__(self, client: httpx.Client, path: str) -> None:
        self._client = client
        self._path = path

    def post(self, path: str, body: dict[str, Any]) -> Any:
        return _value(self._client.post(f"{self._path}/{path}", json=body))

    def get(self, path: str) -> Any:
        return _value(self._client.get(f"{self._path}/{path}"))

    def open(self, address: str) -> None:
        self.post("url", {"url": address})

    def all(self, selector: str) -> list[Element]:
        found = self.post("elements", {"using": "css selector", "value": selector})
        return [Element(self, each[_ELEMENT]) for each in found]

    def find(self, selector: str, containing: str = "", seconds: float = 20.0) -> Element:
        """The first that is there and shows this text, as soon as it does."""
        end = time.monotonic() + seconds
        while True:
            with contextlib.suppress(WebDriverError):  # an element may go while it is looked at
                for each in self.all(selector):
                    if containing in each.text:
                        return each
            if time.monotonic() > end:
                shown = self.run("return document.body.innerText")
                raise AssertionError(f"no {selector!r} with {containing!r} after {seconds} s; the page: {shown[:1500]}")
            time.sleep(0.05)

    def run(self, script: str, *arguments: object) -> Any:
        return self.post("execute/sync", {"script": script, "args": list(arguments)})

    def press(self, *keys: str) -> None:
        """Keys on whatever has the focus."""
        strokes = [{"type": kind, "value": KEYS.get(key, key)} for key in keys for kind in ("keyDown", "keyUp")]
        self.post("actions", {"actions": [{"type": "key", "id": "keys", "actions": strokes}]})

    def dark(self, on: bool = True) -> None:
        features = [{"name": "prefers-color-scheme", "value": "dark" if on else "light"}]
        body = {"cmd": "Emulation.setEmulatedMedia", "params": {"features": features}}
        self.post("goog/cdp/execute", body)

    def wide(self, pixels: int) -> None:
        """As wide a window as a telephone, a tablet or a desk has; 0: as it was."""
        params = {"width": pixels, "height": 800 if pixels else 0, "deviceScaleFactor": 0, "mobile": False}
        self.post("goog/cdp/execute", {"cmd": "Emulation.setDeviceMetricsOverride", "params": params})

    def log(self) -> list[dict[str, Any]]:
        """What the page's console said since it was last asked: refused scripts and failed requests among it."""
        found: list[dict[str, Any]] = self.post("se/log", {"type": "browser"})
        return found

    def screenshot(self) -> bytes:
        return base64.b64decode(self.get("screenshot"))


class WebDriverError(Exception):
    pass


def _value(reply: httpx.Response) -> Any:
    value = reply.json()["value"]
    if isinstance(value, dict) and "error" in value and reply.is_error:
        raise WebDriverError(f"{value['error']}: {value.get('message', '')[:300]}")
    return value


@contextlib.contextmanager
def chromium(arguments: Sequence[str] = ()) -> Iterator[Browser]:
    """The driver on a port that it chooses, one session, and an empty profile that is thrown away."""
    with contextlib.ExitStack() as stack:
        profile = stack.enter_context(tempfile.TemporaryDirectory(prefix="browser-", ignore_cleanup_errors=True))
        home = {"HOME": profile, "PATH": os.environ.get("PATH", "")}
        driver = subprocess.Popen(
            ["chromedriver", "--port=0"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=home
        )
        stack.callback(_end, driver)
        assert driver.stdout is not None
        told = next(line for line in driver.stdout if "successfully on port" in line)
        port = int(told.rsplit("port", 1)[1].strip(" .\n"))
        client = stack.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, trust_env=False))
        options = {"args": [*_FLAGS, *arguments, f"--user-data-dir={profile}/profile"]}
        wanted = {"browserName": "chrome", "goog:chromeOptions": options, "goog:loggingPrefs": {"browser": "ALL"}}
        session = _value(client.post("/session", json={"capabilities": {"alwaysMatch": wanted}}))["sessionId"]
        stack.callback(client.delete, f"/session/{session}")
        yield Browser(client, f"/session/{session}")


def _end(driver: subprocess.Popen[str]) -> None:
    driver.terminate()
    driver.wait(10)
    if driver.stdout is not None:
        driver.stdout.close()
