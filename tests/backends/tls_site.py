"""A site over TLS on loopback, with an authority of its own: HTTP/2 where the client offers it, else HTTP/1.1."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import ssl
import threading
from pathlib import Path
from types import TracebackType
from typing import Self

import h2.config
import h2.connection
import h2.events
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

BODY = b"<!doctype html><title>Safe</title><h1>Safe</h1>"


def authority(folder: Path, name: str = "127.0.0.1") -> tuple[Path, Path]:
    """A certificate for that name that is its own authority, and its key; both in one file, and the first alone."""
    key = ec.generate_private_key(ec.SECP256R1())
    now = datetime.datetime.now(datetime.UTC)
    subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "tests")])
    try:
        alternative: x509.GeneralName = x509.IPAddress(ipaddress.ip_address(name))
    except ValueError:
        alternative = x509.DNSName(name)
    made = (
        x509.CertificateBuilder()
        .subject_name(subject)
        .issuer_name(subject)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=0), critical=True)
        .sign(key, hashes.SHA256())
    )
    public = made.public_bytes(serialization.Encoding.PEM)
    plain = serialization.NoEncryption()
    private = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, plain)
    both, alone = folder / "both.pem", folder / "authority.pem"
    both.write_bytes(private + public)
    alone.write_bytes(public)
    return both, alone


class TlsSite:
    """`spoken` has the protocol of every connection, `asked` what was asked for."""

    def __init__(self, both: Path, protocols: tuple[str, ...] = ("h2", "http/1.1")) -> None:
        self.spoken: list[str] = []
        self.asked: list[str] = []
        self._context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self._context.load_cert_chain(both)
        self._context.set_alpn_protocols(list(protocols))
        self._loop = asyncio.new_event_loop()

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        starting = asyncio.start_server(self._talk, "127.0.0.1", 0, ssl=self._context)
        self._server = asyncio.run_coroutine_threadsafe(starting, self._loop).result(10)
        self.place = f"127.0.0.1:{self._server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        async def end() -> None:
            self._server.close()
            for task in asyncio.all_tasks():
                if task is not asyncio.current_task():
                    task.cancel()
            await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(10)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(10)
        self._loop.close()

    async def _talk(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        spoken = writer.get_extra_info("ssl_object").selected_alpn_protocol() or "http/1.1"
        self.spoken.append(spoken)
        try:
            await (self._by_h2(reader, writer) if spoken == "h2" else self._by_1(reader, writer))
        except (ConnectionError, asyncio.IncompleteReadError):
            pass
        finally:
            writer.close()

    async def _by_1(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        while True:
            head = (await reader.readuntil(b"\r\n\r\n")).decode()
            self.asked.append(head.split(" ")[1])
            length = f"Content-Length: {len(BODY)}\r\nContent-Type: text/html\r\n\r\n"
            writer.write(f"HTTP/1.1 200 OK\r\n{length}".encode() + BODY)
            await writer.drain()

    async def _by_h2(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        talk = h2.connection.H2Connection(h2.config.H2Configuration(client_side=False, header_encoding="utf-8"))
        talk.initiate_connection()
        writer.write(talk.data_to_send())
        while data := await reader.read(1 << 16):
            for event in talk.receive_data(data):
                if isinstance(event, h2.events.RequestReceived):
                    self.asked.append(dict(event.headers)[":path"])
                    head = [(":status", "200"), ("content-type", "text/html"), ("content-length", str(len(BODY)))]
                    talk.send_headers(event.stream_id, head)
                    talk.send_data(event.stream_id, BODY, end_stream=True)
            writer.write(talk.data_to_send())
            await writer.drain()
