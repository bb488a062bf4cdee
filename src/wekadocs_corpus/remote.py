"""A JSON service on the network: bounded retries, Retry-After, proxies, private CAs; no key or text in errors."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import ssl

    import httpx

PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})  # worth another try
LONGEST_PAUSE = 30.0  # whoever asks for more is told to the user instead


class RemoteError(Exception):
    """Why a service did not answer, in words an operator can act on."""


def pause(attempt: int, retry_after: str | None = None) -> float:
    """Seconds before the next try: what the service asked for, else doubling from half a second, spread a little."""
    asked = _seconds(retry_after)
    if asked is not None:
        return asked
    return float(min(0.5 * 2**attempt, LONGEST_PAUSE / 2)) * (0.75 + random.random() / 2)  # noqa: S311 (no secret)


def _seconds(retry_after: str | None) -> float | None:
    """Retry-After is a number of seconds or a date."""
    if not retry_after:
        return None
    try:
        seconds = float(retry_after)
        return max(seconds, 0.0) if math.isfinite(seconds) else None
    except ValueError:
        pass
    try:
        return max((parsedate_to_datetime(retry_after) - datetime.now(UTC)).total_seconds(), 0.0)
    except (ValueError, TypeError):
        return None


def secret(settings: Mapping[str, object]) -> str | None:
    """The API key, which tools.yaml takes from the environment as `${NAME}`."""
    return str(settings.get("api_key") or "") or None


def certificates(ca_file: str | None) -> ssl.SSLContext | bool:
    """True: the usual ones, where httpx also honours SSL_CERT_FILE."""
    if not ca_file:
        return True
    import ssl

    try:
        return ssl.create_default_context(cafile=ca_file)
    except (OSError, ssl.SSLError) as error:
        raise RemoteError(f"ca_file {ca_file} cannot be read as PEM certificates") from error


def without_secrets(url: str) -> str:
    """A URL fit for messages: no user, no query."""
    from urllib.parse import urlsplit

    parts = urlsplit(url)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname or ''}{port}{parts.path}"


class Remote:
    """POSTs JSON to one service. Safe to use from several threads."""

    def __init__(
        self,
        settings: Mapping[str, Any],
        transport: httpx.BaseTransport | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        import httpx

        self.url = str(settings.get("base_url") or "").rstrip("/")
        if not self.url.startswith(("http://", "https://")):
            raise RemoteError("base_url must begin with http:// or https://")
        self._place = without_secrets(self.url)
        self._sleep = sleep
        key = secret(settings)
        self._client = httpx.Client(
            headers={"Authorization": f"Bearer {key}"} if key else {},
            timeout=float(settings.get("timeout_seconds", 30)),
            verify=certificates(settings.get("ca_file")),
            transport=transport,
        )

    def post(self, path: str, body: Mapping[str, object], retries: int) -> Any:
        """The decoded answer; RemoteError after the last try or when trying again cannot help."""
        for attempt in range(retries + 1):
            answer, reason, retry_after = self._try(path, body)
            if not reason:
                return answer
            wait = pause(attempt, retry_after)
            if attempt == retries or wait > LONGEST_PAUSE:
                break
            self._sleep(wait)
        raise RemoteError(f"{self._place}: {reason}")

    def _try(self, path: str, body: Mapping[str, object]) -> tuple[Any, str, str | None]:
        """The answer, or why there is none yet."""
        import httpx

        try:
            answer = self._client.post(self.url + path, json=body)
        except httpx.TimeoutException:
            return None, "no answer in time (timeout_seconds)", None
        except httpx.TransportError:
            return None, "cannot be reached", None
        if answer.status_code in PASSING:
            return None, f"HTTP {answer.status_code}", answer.headers.get("Retry-After")
        if answer.status_code != 200:
            raise RemoteError(f"{self._place}: {_refusal(answer.status_code)}")
        try:
            return answer.json(), "", None
        except ValueError:
            return None, "the answer is no JSON", None

    def close(self) -> None:
        self._client.close()


def _refusal(status: int) -> str:
    if status in {401, 403}:
        return f"HTTP {status}: the API key is missing or refused; set api_key, as in ${{OPENAI_API_KEY}}"
    if status == 404:
        return "HTTP 404: no such model or path; check model and base_url"
    if status == 413:
        return "HTTP 413: the request is too large; lower batch_size"
    return f"HTTP {status}: the request is refused; check model and base_url"
