"""The explorer over HTTP, for one person on this machine.

Python's own server, which serves no files here: a request is looked up in two small tables. What keeps others out:
it listens on the loopback interface alone; every address begins with a token that nobody can guess; a request whose
Host is another name is refused (a page elsewhere whose name leads here by a trick), and so is one that a page of
another origin sent.
"""

from __future__ import annotations

import hmac
import json
import secrets
import socketserver
import sys
import traceback
from functools import cache
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from threading import BoundedSemaphore
from urllib.parse import parse_qsl, urlsplit

from moose.base.errors import MooseError
from moose.explore.explorer import Explorer

LOOPBACK = "127.0.0.1"
MOST_REQUESTS = 16
"""Requests that are answered at once; more are told to wait."""
MOST_FIELDS = 200
LONGEST_TARGET = 32_768
PAGES = {
    "": ("page.html", "text/html; charset=utf-8"),
    "explore.css": ("explore.css", "text/css; charset=utf-8"),
    "explore.js": ("explore.js", "text/javascript; charset=utf-8"),
}
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'"
)
"""Only files of this server run; the script makes elements one by one, so reading text as markup is forbidden."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@cache
def page_file(name: str) -> bytes:
    """Return a file of the page."""
    return files("moose.explore").joinpath("page", name).read_bytes()


class Refused(Exception):
    """A request that is not answered: a status, and why in one sentence."""

    def __init__(self, status: HTTPStatus, why: str) -> None:
        super().__init__(why)
        self.status = status


class ExploreServer(ThreadingHTTPServer):
    """Serves one explorer on the loopback interface; `address` is what to open."""

    daemon_threads = True
    block_on_close = False

    def __init__(self, explorer: Explorer, *, port: int = 0, token: str | None = None) -> None:
        self.explorer = explorer
        self.token = token or secrets.token_urlsafe(24)
        self.free = BoundedSemaphore(MOST_REQUESTS)
        super().__init__((LOOPBACK, port), Handler)

    @property
    def address(self) -> str:
        """What to open in a browser."""
        return f"http://{LOOPBACK}:{self.server_port}/{self.token}/"

    @property
    def hosts(self) -> frozenset[str]:
        """The names under which this may be asked."""
        return frozenset(f"{name}:{self.server_port}" for name in (LOOPBACK, "localhost"))

    def server_bind(self) -> None:
        """Bind, without asking a name server what this machine is called."""
        socketserver.TCPServer.server_bind(self)
        self.server_name, self.server_port = LOOPBACK, int(self.server_address[1])

    def handle_error(self, request: object, client_address: object) -> None:  # noqa: ARG002  # as the library calls it
        """Say nothing of a browser that closed the connection; print anything else."""
        if not isinstance(sys.exc_info()[1], ConnectionError | TimeoutError):
            traceback.print_exc()


class Handler(BaseHTTPRequestHandler):
    """Answers GET and HEAD."""

    server: ExploreServer
    timeout = 30
    protocol_version = "HTTP/1.1"
    server_version = "moose"
    sys_version = ""
    error_content_type = "application/json"
    error_message_format = '{"error": "%(code)d: the request is refused"}\n'

    def do_GET(self) -> None:
        """Answer a request, whatever happens, with a status and a body."""
        if not self.server.free.acquire(blocking=False):
            self._send(HTTPStatus.SERVICE_UNAVAILABLE, *as_json({"error": "too much is asked at once; try again"}))
            return
        try:
            self._send(HTTPStatus.OK, *self._answer())
        except Refused as refusal:
            self._send(refusal.status, *as_json({"error": str(refusal)}))
        except MooseError as problem:
            self._send(HTTPStatus.BAD_REQUEST, *as_json({"error": str(problem)}))
        except (ConnectionError, TimeoutError):
            self.close_connection = True
        except RecursionError:
            what = "an expression is nested too deeply; name its inner parts by classes of their own"
            self._send(HTTPStatus.BAD_REQUEST, *as_json({"error": what}))
        except Exception as mistake:  # noqa: BLE001  # the page must hear of it, and the next request be answered
            traceback.print_exc()
            what = f"this is a mistake in Moose, not in what you gave it ({type(mistake).__name__}); please report it"
            self._send(HTTPStatus.INTERNAL_SERVER_ERROR, *as_json({"error": what}))
        finally:
            self.server.free.release()

    do_HEAD = do_GET  # noqa: N815  # as the library calls it

    def _answer(self) -> tuple[str, bytes]:
        """Return the kind and the body of an answer."""
        self._check_sender()
        target = urlsplit(self.path)
        token, slash, name = target.path.removeprefix("/").partition("/")
        if not hmac.compare_digest(token.encode(errors="replace"), self.server.token.encode()):
            why = "the address has no valid token; copy the whole address from the terminal"
            raise Refused(HTTPStatus.FORBIDDEN, why)
        if name in PAGES and slash:
            file, kind = PAGES[name]
            return kind, page_file(file)
        folder, _, asked = name.partition("/")
        explorer = self.server.explorer
        if folder == "api" and (asked in explorer.lookups or asked in explorer.questions):
            return as_json(explorer.answer(asked, self._parameters(target.query)))
        raise Refused(HTTPStatus.NOT_FOUND, "there is no such page; start at the address in the terminal")

    def _check_sender(self) -> None:
        """Refuse what was not sent by a page of this server, or typed."""
        if self.headers.get_all("Host", []) not in ([one] for one in self.server.hosts):
            raise Refused(
                HTTPStatus.FORBIDDEN, "the Host header is not this server's; open the address from the terminal"
            )
        origin = self.headers.get("Origin")
        if origin is not None and origin.removeprefix("http://") not in self.server.hosts:
            raise Refused(HTTPStatus.FORBIDDEN, "another page sent this request; open the address from the terminal")
        is_own = self.headers.get("Sec-Fetch-Site", "none") in ("none", "same-origin")
        if not is_own and self.headers.get("Sec-Fetch-Mode") != "navigate":  # a link in a mail or a chat may lead here
            raise Refused(HTTPStatus.FORBIDDEN, "another page sent this request; open the address from the terminal")
        has_body = self.headers.get("Content-Length", "0") != "0" or "Transfer-Encoding" in self.headers
        if has_body or len(self.path) > LONGEST_TARGET:
            raise Refused(HTTPStatus.REQUEST_ENTITY_TOO_LARGE, "the request is too long; ask for less")

    @staticmethod
    def _parameters(query: str) -> dict[str, str]:
        try:
            pairs = parse_qsl(query, keep_blank_values=True, max_num_fields=MOST_FIELDS, errors="strict")
        except ValueError:
            raise Refused(HTTPStatus.BAD_REQUEST, "the parameters cannot be read; write them as a form does") from None
        return dict(pairs)

    def _send(self, status: HTTPStatus, kind: str, body: bytes) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        if status != HTTPStatus.OK:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def end_headers(self) -> None:
        """End the headers with those that every answer has, a refusal by the library too."""
        for name, value in HEADERS.items():
            self.send_header(name, value)
        super().end_headers()

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # as the library calls it
        """Log nothing: addresses hold the token."""


def as_json(value: object) -> tuple[str, bytes]:
    """Return the kind and the text of a JSON answer; no letter in it could end a script or open a tag."""
    return "application/json; charset=utf-8", harmless_json(value).encode()


def harmless_json(value: object) -> str:
    r"""Write JSON in which no text can be taken for markup.

    >>> print(harmless_json({"a": "</script>&"}))
    {"a": "\u003c/script\u003e\u0026"}
    """
    text = json.dumps(value)  # ASCII alone, so that no separator of lines and no lone surrogate is in it
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
