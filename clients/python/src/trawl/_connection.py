"""Connections that are used again, and that respect the time limit of a call in each single read."""

from __future__ import annotations

import http.client
import io
import os
import select
import socket
import ssl
import threading
import time
from typing import Any, Optional

from ._options import Options
from .errors import CallTimeoutError, ConnectionFailedError, TrawlError

_IDLE_SECONDS = 30.0
"""A server closes idle connections too: ours after 65 seconds, proxies often after a minute."""

_IDLE_MAX = 32


class CallAborted(TrawlError):
    """The call was aborted by its caller."""


class Limit:
    """The time limit of one call, retry included, and the way to abort it from another thread."""

    def __init__(self, seconds: float) -> None:
        self._seconds = seconds
        self._ends_at = time.monotonic() + seconds
        self._aborted = threading.Event()
        self._lock = threading.Lock()
        self._socket: Optional[socket.socket] = None

    def remaining(self) -> float:
        return self._ends_at - time.monotonic()

    def check(self) -> float:
        """The remaining seconds. Raises when they are over, or the call was aborted."""
        if self._aborted.is_set():
            raise CallAborted("the call was aborted")
        remaining = self.remaining()
        if remaining <= 0:
            raise self.over()
        return remaining

    def over(self) -> CallTimeoutError:
        return CallTimeoutError(
            f"no answer within {self._seconds:g} s; the server waits for its slowest provider, so raise timeout"
        )

    def pause(self, seconds: float) -> None:
        """Waits, or until the call is aborted."""
        self._aborted.wait(seconds)

    def watch(self, sock: Optional[socket.socket]) -> None:
        """The socket that `abort` ends."""
        with self._lock:
            self._socket = sock

    def abort(self) -> None:
        self._aborted.set()
        with self._lock:
            if self._socket is None:
                return
            try:
                # of the plain class: a thread may be reading through TLS
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)
            except OSError:
                pass


class Task:
    """The calls of one task, to abort them from another thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._limit: Optional[Limit] = None
        self._is_aborted = False

    def add(self, limit: Limit) -> None:
        with self._lock:
            # a task has one call at a time
            self._limit = limit
            is_aborted = self._is_aborted
        if is_aborted:
            limit.abort()

    def abort(self) -> None:
        with self._lock:
            self._is_aborted = True
            limit = self._limit
        if limit is not None:
            limit.abort()


class _LimitedReader(io.RawIOBase):
    """Each read of a socket has what is left of the call's time."""

    def __init__(self, sock: _LimitedSocket, raw: Any) -> None:
        super().__init__()
        self._sock = sock
        self._raw = raw

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> Any:
        self._sock.set_time()
        return self._raw.readinto(buffer)

    def close(self) -> None:
        if not self.closed:
            self._raw.close()
        super().close()


class _LimitedSocket:
    """What `http.client` uses of a socket."""

    def __init__(self, sock: socket.socket) -> None:
        self.socket = sock
        self.limit: Optional[Limit] = None

    def set_time(self) -> None:
        if self.limit is not None:
            self.socket.settimeout(self.limit.check())

    def sendall(self, data: Any) -> None:
        self.set_time()
        self.socket.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        raw = self.socket.makefile("rb", buffering=0)
        return io.BufferedReader(_LimitedReader(self, raw), 65536)

    def close(self) -> None:
        self.socket.close()


class Connection:
    """One connection to the server."""

    def __init__(self, options: Options) -> None:
        if options.scheme == "https":
            self._http: http.client.HTTPConnection = http.client.HTTPSConnection(
                options.host, options.port, context=options.ssl_context
            )
        else:
            self._http = http.client.HTTPConnection(options.host, options.port)
        self._base_url = options.base_url
        self._socket: Optional[_LimitedSocket] = None
        self.idle_since = 0.0

    def send(
        self, limit: Limit, method: str, path: str, body: Optional[bytes], headers: dict[str, str]
    ) -> http.client.HTTPResponse:
        if self._socket is None:
            self._http.timeout = limit.check()
            try:
                self._http.connect()
            except ssl.SSLError as error:
                raise _speaks_http(self._base_url) if error.reason in _NOT_TLS else error
            self._http.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._socket = _LimitedSocket(self._http.sock)
            self._http.sock = self._socket
        self._socket.limit = limit
        limit.watch(self._socket.socket)
        limit.check()
        self._http.request(method, path, body, headers)
        return self._http.getresponse()

    def is_usable(self) -> bool:
        """Whether an idle connection is open and has nothing to read."""
        if self._socket is None or self._http.sock is None:
            return False
        if time.monotonic() - self.idle_since > _IDLE_SECONDS:
            return False
        return not _is_readable(self._socket.socket)

    def close(self) -> None:
        self._http.close()
        if self._socket is not None:
            self._socket.close()


_NOT_TLS = ("WRONG_VERSION_NUMBER", "PACKET_LENGTH_TOO_LONG")
"""What OpenSSL calls an answer that is not TLS, by its version."""


def _speaks_http(base_url: str) -> ConnectionFailedError:
    address = base_url.replace("https:", "http:", 1)
    failure = ConnectionFailedError(f"the server speaks http: use {address}")
    failure.code = "server_speaks_http"
    return failure


def _is_readable(sock: socket.socket) -> bool:
    try:
        if hasattr(select, "poll"):
            poll = select.poll()
            poll.register(sock, select.POLLIN)
            return bool(poll.poll(0))
        return bool(select.select([sock], [], [], 0)[0])
    except (OSError, ValueError):
        return True


class Pool:
    """Idle connections, for any number of threads. A forked process begins with none."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._lock = threading.Lock()
        self._idle: list[Connection] = []
        self._process = os.getpid()
        self._is_closed = False

    def take(self, fresh: bool) -> Connection:
        """An idle connection, or a new one; with `fresh` always a new one."""
        while not fresh:
            with self._lock:
                if self._process != os.getpid():
                    # closes the copies of this process, and not the connections of its parent
                    for inherited in self._idle:
                        inherited.close()
                    self._process, self._idle = os.getpid(), []
                if not self._idle:
                    break
                connection = self._idle.pop()
            if connection.is_usable():
                return connection
            connection.close()
        return Connection(self._options)

    def give_back(self, connection: Connection) -> None:
        """Only a connection whose answer was read to its end."""
        connection.idle_since = time.monotonic()
        with self._lock:
            is_kept = (
                not self._is_closed
                and self._process == os.getpid()
                and len(self._idle) < _IDLE_MAX
            )
            if is_kept:
                self._idle.append(connection)
        if not is_kept:
            connection.close()

    def close(self) -> None:
        """Closes idle connections now, and those in use after their call."""
        with self._lock:
            idle, self._idle, self._is_closed = self._idle, [], True
        for connection in idle:
            connection.close()
