"""A small driver of headless Chromium by the DevTools protocol, over a pair of pipes: clicks, keys, what is shown."""

from __future__ import annotations

import base64
import contextlib
import json
import os
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

PROGRAM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SECONDS = 20.0
OPTIONS = (
    "--headless=new --no-sandbox --disable-gpu --no-first-run --disable-extensions --disable-background-networking"
)
# The browser reads commands from descriptor 3 and answers on 4.
STARTER = """\
import os, sys
reading, writing = os.dup(int(sys.argv[1])), os.dup(int(sys.argv[2]))
while reading < 5: reading = os.dup(reading)
while writing < 5: writing = os.dup(writing)
os.dup2(reading, 3); os.dup2(writing, 4)
os.execv(sys.argv[3], sys.argv[3:])
"""
KEYS = {"Enter": 13, "Escape": 27, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40, "Home": 36}


class Page:
    """One page of a browser. `trouble` holds what the browser complained of: errors, dialogs, forbidden content."""

    def __init__(self, reading: int, writing: int) -> None:
        self._reading, self._writing = reading, writing
        self._rest = b""
        self._number = 0
        self._session: str | None = None
        self.trouble: list[str] = []
        self.requested: list[str] = []
        target = self.send("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.send(f"{domain}.enable")

    def send(self, method: str, **parameters: object) -> dict[str, Any]:
        """Send a command and return its result."""
        self._number += 1
        message: dict[str, object] = {"id": self._number, "method": method, "params": parameters}
        if self._session is not None:
            message["sessionId"] = self._session
        os.write(self._writing, json.dumps(message).encode() + b"\0")
        end = time.monotonic() + SECONDS
        while True:
            told = self._receive(end)
            if told.get("id") == self._number:
                assert "error" not in told, told["error"]
                result: dict[str, Any] = told["result"]
                return result
            self._note(told)

    def _receive(self, end: float) -> dict[str, Any]:
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._reading], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            self._rest += os.read(self._reading, 1 << 20)
        first, _, self._rest = self._rest.partition(b"\0")
        told: dict[str, Any] = json.loads(first)
        return told

    def _note(self, told: dict[str, Any]) -> None:
        method, parameters = told.get("method"), told.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.trouble.append(str(parameters["exceptionDetails"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.trouble.append(str(parameters["entry"]))
        elif method == "Page.javascriptDialogOpening":
            self.trouble.append(f"dialog: {parameters['message']}")
            self._number += 1
            close = {"id": self._number, "method": "Page.handleJavaScriptDialog", "params": {"accept": True}}
            os.write(self._writing, json.dumps({**close, "sessionId": self._session}).encode() + b"\0")
        elif method == "Network.requestWillBeSent":
            self.requested.append(parameters["request"]["url"])

    # ── What a person does ────────────────────────────────────────────────────────────────────────────────────────

    def open(self, address: str) -> None:
        self.send("Page.navigate", url=address)

    def click(self, selector: str) -> None:
        """Click in the middle of the first element that fits, after scrolling to it."""
        self.wait(f"document.querySelector({selector!r})")
        place = self.run(
            f"(() => {{ const one = document.querySelector({selector!r}); one.scrollIntoView({{block: 'center'}});"
            "const box = one.getBoundingClientRect(); return [box.x + box.width / 2, box.y + box.height / 2]; })()"
        )
        for kind in ("mousePressed", "mouseReleased"):
            self.send("Input.dispatchMouseEvent", type=kind, x=place[0], y=place[1], button="left", clickCount=1)

    def type(self, text: str) -> None:
        self.send("Input.insertText", text=text)

    def key(self, name: str) -> None:
        code = KEYS.get(name, ord(name[0].upper()))
        text = "\r" if name == "Enter" else name if len(name) == 1 else ""
        for kind in ("keyDown", "keyUp"):
            self.send("Input.dispatchKeyEvent", type=kind, key=name, windowsVirtualKeyCode=code, text=text)

    def look(self, *, width: int = 1200, height: int = 850, dark: bool = False, media: str = "") -> None:
        """Be a screen of some size, in the light or in the dark, or paper."""
        self.send("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.send("Emulation.setEmulatedMedia", media=media, features=[scheme])

    # ── What a person sees ────────────────────────────────────────────────────────────────────────────────────────

    def run(self, script: str) -> Any:
        """Return the value of an expression; a promise is waited for."""
        told = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in told, told
        return told["result"].get("value")

    def wait(self, condition: str, seconds: float = SECONDS) -> None:
        """Wait until an expression is true."""
        end = time.monotonic() + seconds
        while not self.run(f"Boolean({condition})"):
            assert time.monotonic() < end, f"waited in vain for {condition}; the page says: {self.text()[:2000]}"
            time.sleep(0.05)

    def wait_for_text(self, text: str, selector: str = "main") -> None:
        self.wait(f"document.querySelector({selector!r})?.textContent.includes({json.dumps(text)})")

    def text(self, selector: str = "body") -> str:
        return str(self.run(f"document.querySelector({selector!r})?.textContent"))

    def screenshot(self, path: Path) -> None:
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot")["data"]))


@contextlib.contextmanager
def browsing(folder: Path) -> Iterator[Page]:
    """Start a browser with a fresh profile, and end it."""
    assert PROGRAM is not None
    to_browser, from_browser = os.pipe(), os.pipe()
    command = [sys.executable, "-c", STARTER, str(to_browser[0]), str(from_browser[1]), PROGRAM, *OPTIONS.split()]
    with (folder / "browser.log").open("wb") as log:
        process = subprocess.Popen(
            [*command, "--remote-debugging-pipe", f"--user-data-dir={folder / 'profile'}"],
            pass_fds=(to_browser[0], from_browser[1]),
            stdin=subprocess.DEVNULL,
            stdout=log,
            stderr=log,
        )
    os.close(to_browser[0])
    os.close(from_browser[1])
    try:
        yield Page(from_browser[0], to_browser[1])
    finally:
        os.close(to_browser[1])
        os.close(from_browser[0])
        process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(10)
        process.kill()
        process.wait()
