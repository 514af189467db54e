import asyncio
from concurrent.futures import ThreadPoolExecutor

import pytest

from rankwright.studio.security import COOKIE, Guard, Rules, is_loopback

LOCAL = {"host": "127.0.0.1:8520"}
PAGE = "http://127.0.0.1:8520"


def ask(rules, headers, *, kind="http", path="/", query=b"", body=b""):
    """Return what a guarded page answers: a status, 101 for a websocket that was let through."""
    sent, read = [], []

    async def page(scope, receive, send):
        if kind == "websocket":
            sent.append({"status": 101})
            return
        while (message := await receive())["type"] == "http.request":
            read.append(message.get("body", b""))
            if not message.get("more_body"):
                break
        await send({"type": "http.response.start", "status": 200, "headers": []})

    messages = [
        {"type": "http.request", "body": body[place : place + 10], "more_body": True}
        for place in range(0, len(body), 10)
    ] + [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive():
        return messages.pop(0)

    async def send(message):
        sent.append(message)

    listed = [(name.encode(), value.encode()) for name, value in headers.items()]
    scope = {"type": kind, "path": path, "query_string": query, "headers": listed}
    # In a thread of its own: while a browser test's Playwright is open, its loop runs in this one.
    with ThreadPoolExecutor(1) as thread:
        thread.submit(asyncio.run, Guard(page, Rules(*rules))(scope, receive, send)).result()
    return sent[0], b"".join(read)


OPEN = (None, 100)


@pytest.mark.parametrize("host", ["127.0.0.1:8520", "localhost:8520", "[::1]:8520", "localhost"])
def test_this_machine_is_let_in(host):
    assert ask(OPEN, {"host": host})[0]["status"] == 200


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "[", "", "10.0.0.1"])
def test_other_hosts_are_refused(host):
    assert ask(OPEN, {"host": host})[0]["status"] == 403


def test_a_websocket_of_the_page_is_let_in():
    answer, _ = ask(OPEN, LOCAL | {"origin": PAGE}, kind="websocket")
    assert answer["status"] == 101


@pytest.mark.parametrize(
    "origin",
    ["http://evil.example", "null", "http://127.0.0.1:9999", "http://localhost:8520", None],
)
def test_a_websocket_of_another_page_or_of_none_is_closed(origin):
    headers = LOCAL if origin is None else LOCAL | {"origin": origin}
    answer, _ = ask(OPEN, headers, kind="websocket")
    assert answer["type"] == "websocket.close"


def test_a_form_of_another_page_is_refused():
    assert ask(OPEN, LOCAL | {"origin": "http://evil.example"})[0]["status"] == 403


def test_parts_of_the_page_are_not_for_other_sites():
    headers = LOCAL | {"sec-fetch-site": "cross-site"}
    assert ask(OPEN, headers, path="/_nicegui/x.js")[0]["status"] == 403
    assert ask(OPEN, headers)[0]["status"] == 200  # a link to the page


def test_an_upload_that_says_it_is_too_large_is_refused_unread():
    answer, read = ask(OPEN, LOCAL | {"content-length": "101"}, body=b"x" * 101)
    assert answer["status"] == 413
    assert read == b""


@pytest.mark.parametrize("length", ["x", "-1", "1e3", ""])
def test_a_length_that_is_no_number_is_refused(length):
    assert ask(OPEN, LOCAL | {"content-length": length})[0]["status"] == 413


def test_an_upload_that_is_longer_than_it_says_is_broken_off():
    _, read = ask(OPEN, LOCAL, body=b"x" * 1000)
    assert len(read) <= 100


def test_answers_may_not_be_framed_or_sniffed():
    answer, _ = ask(OPEN, LOCAL)
    assert (b"x-frame-options", b"DENY") in answer["headers"]


SHARED = ("secret", 100)


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize("cookie", [None, f"{COOKIE}=guess", f"{COOKIE}=", "a=b", "\x00;;="])
def test_without_the_token_nobody_is_let_in(kind, cookie):
    headers = {"host": "10.0.0.1:8520", "origin": "http://10.0.0.1:8520"}
    answer, _ = ask(SHARED, headers | ({} if cookie is None else {"cookie": cookie}), kind=kind)
    assert answer.get("status", 403) == 403


def test_the_token_in_the_address_becomes_a_cookie():
    answer, _ = ask(SHARED, {"host": "10.0.0.1:8520"}, query=b"token=secret")
    headers = dict(answer["headers"])
    assert answer["status"] == 303
    assert headers[b"location"] == b"/"
    assert b"HttpOnly; SameSite=Strict" in headers[b"set-cookie"]


def test_whoever_has_the_cookie_is_let_in():
    headers = {"host": "10.0.0.1:8520", "cookie": f"{COOKIE}=secret"}
    assert ask(SHARED, headers)[0]["status"] == 200


@pytest.mark.parametrize(
    ("host", "loopback"),
    [("127.0.0.1", True), ("::1", True), ("0.0.0.0", False), ("192.168.1.2", False)],
)
def test_only_this_machine_needs_no_token(host, loopback):
    assert is_loopback(host) == loopback
