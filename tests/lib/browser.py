"""A headless Chromium, driven over its DevTools protocol through a pair of pipes.

https://chromedevtools.github.io/devtools-protocol/ describes the messages.
"""

import base64
import json
import os
import select
import shutil
import subprocess
import time
from pathlib import Path

from project import TestFailure

FLAGS = ["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars", "--remote-debugging-pipe", "--no-first-run",
         "--disable-background-networking", "--disable-component-update", "--disable-default-apps", "--disable-extensions"]
PATIENCE = 60  # seconds for one answer, on a machine that does much else


class Browser:
    """One page at a time. `errors` and `requests` are what the page said on its console, and asked for."""

    def __init__(self, folder: Path):
        program = shutil.which("chromium")
        if not program:
            raise TestFailure("chromium is not installed: scripts/setup.sh --tests")
        to_child, self.write_end = os.pipe()
        self.read_end, from_child = os.pipe()

        def connect():  # the browser reads from 3 and writes to 4
            os.dup2(to_child, 103)
            os.dup2(from_child, 104)
            os.dup2(103, 3)
            os.dup2(104, 4)

        self.process = subprocess.Popen([program, *FLAGS, f"--user-data-dir={folder / 'profile'}", "about:blank"],
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                        preexec_fn=connect, close_fds=False)
        os.close(to_child)
        os.close(from_child)
        self.buffer, self.number, self.session = b"", 0, None
        self.errors, self.requests, self.loaded = [], [], False
        pages = [t for t in self.call("Target.getTargets")["targetInfos"] if t["type"] == "page"]
        self.session = self.call("Target.attachToTarget", targetId=pages[0]["targetId"], flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait()
        os.close(self.read_end)
        os.close(self.write_end)

    def call(self, method: str, **parameters) -> dict:
        """Sends a message and gives the answer's result; takes in the events before it."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.write_end, json.dumps(message).encode() + b"\0")
        while True:
            answer = self.receive()
            if answer.get("id") == self.number:
                if "error" in answer:
                    raise TestFailure(f"{method}: {answer['error']}")
                return answer["result"]
            self.event(answer.get("method"), answer.get("params", {}))

    def receive(self) -> dict:
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.buffer:
            if not select.select([self.read_end], [], [], max(end - time.monotonic(), 0))[0]:
                raise TestFailure(f"no word from chromium for {PATIENCE} s")
            got = os.read(self.read_end, 1 << 16)
            if not got:
                raise TestFailure("chromium ended")
            self.buffer += got
        message, self.buffer = self.buffer.split(b"\0", 1)
        return json.loads(message)

    def event(self, method: str, parameters: dict) -> None:
        if method == "Runtime.exceptionThrown":
            details = parameters["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description", details["text"]))
        elif method == "Runtime.consoleAPICalled" and parameters["type"] in ("error", "warning", "assert"):
            self.errors.append(str(parameters["args"]))
        elif method == "Log.entryAdded" and parameters["entry"]["level"] in ("error", "warning"):
            self.errors.append(parameters["entry"]["text"])
        elif method == "Network.requestWillBeSent":
            self.requests.append(parameters["request"]["url"])
        elif method == "Page.loadEventFired":
            self.loaded = True

    def open(self, address: str, width: int = 1400, height: int = 1000) -> None:
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=1, mobile=False)
        self.navigate("about:blank")  # so that another part after `#` loads the page anew
        self.errors, self.requests = [], []
        self.navigate(address)

    def navigate(self, address: str) -> None:
        self.loaded = False
        self.call("Page.navigate", url=address)
        while not self.loaded:
            answer = self.receive()
            self.event(answer.get("method"), answer.get("params", {}))

    def value(self, expression: str):
        """The value of a JavaScript expression, after the next frame has been drawn."""
        drawn = f"new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done({expression}))))"
        result = self.call("Runtime.evaluate", expression=drawn, awaitPromise=True, returnByValue=True)
        if "exceptionDetails" in result:
            raise TestFailure(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def key(self, key: str) -> None:
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=key if len(key) == 1 and kind == "keyDown" else "")

    def mouse(self, kind: str, x: float, y: float, **more) -> None:
        self.call("Input.dispatchMouseEvent", type=kind, x=x, y=y, **more)

    def scheme(self, name: str) -> None:
        """Tells the page that the system is light or dark."""
        self.call("Emulation.setEmulatedMedia", features=[{"name": "prefers-color-scheme", "value": name}])

    def screenshot(self, path: Path) -> bytes:
        data = base64.b64decode(self.call("Page.captureScreenshot", format="png")["data"])
        path.write_bytes(data)
        return data
