"""The way out: proxies and certificates as the environment has them."""

from __future__ import annotations

import os
import ssl
from collections.abc import Mapping
from urllib.request import getproxies_environment, proxy_bypass_environment  # type: ignore[attr-defined]

import httpx

from .fetched import FetchFailed
from .guard.ranges import unwrapped
from .urls import WebUrl

BY_PROXY = "proxy"  # where an answer came from, instead of an address


class BadCertificates(Exception):
    """The message is for the operator."""


def proxy_for(url: WebUrl) -> str | None:
    """By HTTP_PROXY, HTTPS_PROXY, ALL_PROXY and NO_PROXY; this machine itself is never asked for by a proxy."""
    if url.host == "localhost" or (url.address is not None and unwrapped(url.address).is_loopback):
        return None
    known: Mapping[str, str] = getproxies_environment()
    proxy = known.get(url.scheme) or known.get("all")
    if not proxy or proxy_bypass_environment(url.host, known):
        return None
    return proxy if "://" in proxy else f"http://{proxy}"


def place_of(proxy: str, url: WebUrl) -> httpx.Proxy:
    """FetchFailed where the environment names something else than a proxy that is spoken to by HTTP."""
    try:
        place = httpx.Proxy(proxy)
    except (ValueError, httpx.InvalidURL):
        place = None
    if place is None or place.url.scheme not in ("http", "https") or not place.url.host:
        reason = "the proxy in the environment is not one that is spoken to by http:// or https://"
        raise FetchFailed(str(url), "PROXY_NOT_USABLE", reason)
    return place


def proxied() -> bool:
    """Whether the environment names a proxy at all."""
    known = getproxies_environment()
    return any(known.get(each) for each in ("http", "https", "all"))


def demand_trust(url: WebUrl, trusted: bool) -> None:
    if not trusted:
        reason = (
            "a proxy is configured in the environment, and behind it no address can be checked for good: "
            "set trust_proxy: true if that proxy keeps private addresses out, or name the host in NO_PROXY"
        )
        raise FetchFailed(str(url), "PROXY_NOT_TRUSTED", reason)


def certificates(ca_file: str | None = None) -> ssl.SSLContext:
    """`ca_file` beside the usual ones, which SSL_CERT_FILE and SSL_CERT_DIR name."""
    context = _usual_certificates()
    if ca_file:
        try:
            context.load_verify_locations(cafile=ca_file)
        except (OSError, ssl.SSLError):
            raise BadCertificates("ca_file cannot be read as PEM certificates") from None
    context.set_alpn_protocols(["h2", "http/1.1"])
    return context


def _usual_certificates() -> ssl.SSLContext:
    import certifi

    named = os.environ.get("SSL_CERT_FILE") or None
    folder = os.environ.get("SSL_CERT_DIR") or None
    try:
        return ssl.create_default_context(cafile=named or (None if folder else certifi.where()), capath=folder)
    except (OSError, ssl.SSLError):
        raise BadCertificates("SSL_CERT_FILE cannot be read as PEM certificates") from None
