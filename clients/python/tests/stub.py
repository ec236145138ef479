"""A server that answers each request with its next script, and repeats the last one."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple, Optional

Script = Callable[[BaseHTTPRequestHandler], None]


class Received(NamedTuple):
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    port: int
    """Of the client: equal for two requests on one connection."""


def answers(
    status: int, body: Any, headers: Optional[dict[str, str]] = None, length: int = 0
) -> Script:
    """This status, body (JSON unless it is a text) and headers. `length` is announced in addition to what is sent."""

    def script(handler: BaseHTTPRequestHandler) -> None:
        content = (body if isinstance(body, str) else json.dumps(body)).encode()
        kind = "text/plain" if isinstance(body, str) else "application/json"
        all_headers = {
            "content-type": kind,
            "content-length": str(len(content) + length),
            **(headers or {}),
        }
        handler.send_response(status)
        for name, value in all_headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        handler.wfile.write(content)
        if length > 0:
            breaks_off(handler)

    return script


def breaks_off(handler: BaseHTTPRequestHandler) -> None:
    handler.close_connection = True
    handler.connection.shutdown(socket.SHUT_RDWR)


def streams(*pieces: str, end: Optional[Script] = None) -> Script:
    """A stream of chunks."""

    def script(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(200)
        handler.send_header("content-type", "text/event-stream")
        handler.send_header("transfer-encoding", "chunked")
        handler.end_headers()
        for piece in pieces:
            content = piece.encode()
            handler.wfile.write(b"%x\r\n%s\r\n" % (len(content), content))
        if end is not None:
            end(handler)
            return
        handler.wfile.write(b"0\r\n\r\n")

    return script


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128
    hung_up: threading.Event


class Stub:
    def __init__(self, *scripts: Script) -> None:
        self.received: list[Received] = []
        self.hung_up = threading.Event()
        """Set once a client has closed a connection on which `waits` waits."""

        stub = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except OSError:
                    self.close_connection = True

            def answer(self) -> None:
                body = self.rfile.read(int(self.headers.get("content-length", 0)))
                headers = {name.lower(): value for name, value in self.headers.items()}
                stub.received.append(
                    Received(self.command, self.path, headers, body, self.client_address[1])
                )
                scripts[min(len(stub.received), len(scripts)) - 1](self)

            do_GET = do_POST = do_DELETE = answer

            def log_message(self, *_: Any) -> None:
                pass

        self._server = _Server(("127.0.0.1", 0), Handler)
        self._server.hung_up = self.hung_up
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self._thread.start()

    @staticmethod
    def waits(handler: BaseHTTPRequestHandler) -> None:
        """Never answers; returns when the client closes the connection."""
        handler.close_connection = True
        handler.rfile.read(1)
        handler.server.hung_up.set()  # type: ignore[attr-defined]

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()

    def keys(self) -> list[Optional[str]]:
        return [request.headers.get("idempotency-key") for request in self.received]
