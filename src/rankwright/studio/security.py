"""Who may talk to the studio: the machine itself, or whoever has the token.

Pages of other sites can make a browser send requests to 127.0.0.1. They are refused by what they
can't forge: the Host that the browser asked for, and the Origin of the page that asks.
"""

import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from dataclasses import dataclass
from http.cookies import CookieError, SimpleCookie
from typing import Any
from urllib.parse import parse_qs, urlsplit

__all__ = ["Guard", "Rules", "is_loopback"]

LOOPBACK = ("localhost", "127.0.0.1", "::1")
COOKIE = "rankwright_token"
HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"no-referrer"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Asgi = Callable[[Scope, Receive, Send], Awaitable[None]]


def is_loopback(host: str) -> bool:
    """Tell whether a host is this machine, and nobody else can reach it."""
    return host in LOOPBACK


@dataclass(frozen=True)
class Rules:
    """What is let in: the token if one is needed, and the bytes of a body at most."""

    token: str | None
    largest_body: int


@dataclass(frozen=True)
class Refusal:
    """An answer instead of the page."""

    status: int
    words: str
    headers: tuple[tuple[bytes, bytes], ...] = ()


class Guard:
    """Middleware before everything else: hosts, origins, the token, and the size of uploads."""

    def __init__(self, app: Asgi, rules: Rules) -> None:
        self._app, self._rules = app, rules

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or refuse it before anything is read of it."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope)
        if refusal is None:
            limited = _Limited(receive, self._rules.largest_body)
            await self._app(scope, limited, _with_headers(send))
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 4403, "reason": refusal.words[:100]})
        else:
            await _answer(send, refusal)

    def _refusal(self, scope: Scope) -> Refusal | None:
        headers = {name.lower(): value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if self._rules.token is None and not is_loopback(_host_name(host)):
            return Refusal(403, f"The studio does not answer to the host {host[:80]!r}.")
        origin = headers.get(b"origin")
        if origin is not None and urlsplit(origin).netloc != host:
            return Refusal(403, "Pages of other sites may not talk to the studio.")
        if scope["type"] == "websocket" and origin is None:
            return Refusal(403, "A websocket has to say which page opened it.")
        if headers.get(b"sec-fetch-site", "none") == "cross-site" and scope["path"] != "/":
            return Refusal(403, "Pages of other sites may not talk to the studio.")
        return self._without_token(scope, headers) or self._too_large(headers)

    def _without_token(self, scope: Scope, headers: dict[bytes, str]) -> Refusal | None:
        token = self._rules.token
        if token is None or _is_token(_cookie(headers), token):
            return None
        given = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if scope["type"] == "http" and scope["path"] == "/" and _is_token(given, token):
            cookie = f"{COOKIE}={token}; HttpOnly; SameSite=Strict; Path=/"
            return Refusal(303, "", ((b"location", b"/"), (b"set-cookie", cookie.encode())))
        return Refusal(403, "The studio asks for its token: open the address it printed.")

    def _too_large(self, headers: dict[bytes, str]) -> Refusal | None:
        length = headers.get(b"content-length", "0")
        if length.isdigit() and int(length) <= self._rules.largest_body:
            return None
        return Refusal(413, f"At most {self._rules.largest_body:,} bytes can be uploaded.")


class _Limited:
    """Hand on a body, and break off one that is longer than it said."""

    def __init__(self, receive: Receive, largest: int) -> None:
        self._receive, self._left = receive, largest

    async def __call__(self) -> Message:
        message = await self._receive()
        if message["type"] == "http.request":
            self._left -= len(message.get("body", b""))
            if self._left < 0:
                return {"type": "http.disconnect"}
        return message


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message.get("headers", ()), *HEADERS]
        await send(message)

    return sending


async def _answer(send: Send, refusal: Refusal) -> None:
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"connection", b"close")]
    headers += [*refusal.headers, *HEADERS]
    await send({"type": "http.response.start", "status": refusal.status, "headers": headers})
    await send({"type": "http.response.body", "body": refusal.words.encode()})


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


def _cookie(headers: dict[bytes, str]) -> str:
    try:
        found = SimpleCookie(headers.get(b"cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _is_token(given: str, token: str) -> bool:
    return secrets.compare_digest(given.encode(), token.encode())
