#!/usr/bin/env python3
"""The page of `ingot report` in a headless Chromium: it draws every box, searches, zooms and obeys the keyboard, in
light and dark, asks for nothing on the network, says nothing on the console, and takes no name for HTML.

The screenshots stay in the test's folder, to be looked at.
"""

import json
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "lib"))

from browser import Browser  # noqa: E402
from cases import OWN_MODELS  # noqa: E402
from project import TestFailure, finish, ingot, work_folder  # noqa: E402

HOSTILE = ["</script><img src=x onerror=\"document.title='owned'\">", "<!--<script>", "]]>'\"&amp;\u2028\u202e\x07", "\\u003c/script>"]
MANY = 10_000
MAP = "document.getElementById('map')"


def check(true, text: str) -> None:
    if not true:
        raise TestFailure(text)


def module(folder: Path, model: str, *flags) -> Path:
    ingot("convert", OWN_MODELS / f"{model}.tflite", "-q", "-o", folder, "--module.name", model, *flags)
    return folder / model


def page(module_folder: Path) -> Path:
    path = module_folder.with_suffix(".html")
    ingot("report", module_folder, "-q", "-o", path)
    return path


def load(browser: Browser, path: Path, part: str = "") -> None:
    browser.open(path.as_uri() + part)
    browser.value("0")
    check(browser.errors == [], f"{path.name}: the console has {browser.errors}")
    check(browser.requests == [path.as_uri() + part] or browser.requests == [path.as_uri()],
          f"{path.name} asks for {browser.requests}")


def data(browser: Browser, name: str):
    return browser.value(f"{MAP}.dataset.{name}")


def roots(plan: dict) -> int:
    return sum(tensor["view_of"] is None for tensor in plan["tensors"])


def draws_and_searches(browser: Browser, folder: Path) -> None:
    made = module(folder, "demo", "--platform.name", "nrf52840dk")
    path, plan = page(made), json.loads((made / "aot_plan.json").read_text())
    shots = {}
    for scheme in ("light", "dark"):
        browser.scheme(scheme)
        load(browser, path)
        check(int(data(browser, "boxes")) == roots(plan), f"{data(browser, 'boxes')} boxes of {roots(plan)}")
        check(browser.value("document.documentElement.dataset.theme") == scheme, f"the page isn't {scheme}")
        colours = browser.value("[...document.querySelectorAll('canvas')].map((c) => new Set(new Uint32Array(c.getContext('2d')"
                                ".getImageData(0, 0, c.width, c.height).data.buffer)).size)")
        check(min(colours) > 8, f"a map is blank: {colours} colours")
        shots[scheme] = browser.screenshot(folder / f"{scheme}.png")
    check(shots["light"] != shots["dark"], "light and dark look the same")
    load(browser, path, "#search=svdf&theme=light")
    wanted = sum("svdf" in (t["id"] + t["name"]).lower() for t in plan["tensors"])
    check(wanted <= int(data(browser, "matches")) < len(plan["tensors"]), f"{data(browser, 'matches')} found")
    check(browser.value("document.getElementById('operators').dataset.rows") == "1", "the table isn't filtered")
    browser.screenshot(folder / "search.png")


def points_and_keys(browser: Browser, path: Path, folder: Path) -> None:
    browser.scheme("light")
    load(browser, path)
    x, y, height = browser.value("(() => { const r = document.querySelector('canvas').getBoundingClientRect(); "
                                 "return [r.x, r.y, r.height]; })()")
    place = (x + 230, y + height * 0.6)
    browser.mouse("mouseMoved", *place)
    check("tensor " in browser.value("document.getElementById('tip').textContent"), "nothing is said on hovering")
    browser.mouse("mousePressed", *place, button="left", clickCount=1)
    browser.mouse("mouseReleased", *place, button="left", clickCount=1)
    first = data(browser, "chosen")
    check(first != "" and "why there" in browser.value("document.getElementById('details').textContent"), "a click chooses nothing")
    browser.screenshot(folder / "chosen.png")
    browser.value("document.querySelector('canvas').focus()")
    browser.key("ArrowRight")
    check(data(browser, "chosen") not in ("", first), "the arrow goes nowhere")
    browser.key("Escape")
    check(data(browser, "chosen") == "", "Escape doesn't let go")
    before = int(data(browser, "boxes"))
    browser.mouse("mouseWheel", *place, deltaX=0, deltaY=-900)
    for _ in range(6):
        browser.key("+")
    check(int(data(browser, "boxes")) < before, "zooming in leaves every box in sight")
    browser.key("0")
    check(int(data(browser, "boxes")) == before, "0 doesn't show all")
    sizes = "[...document.querySelectorAll('#tensors tbody td:nth-child(5)')].map((c) => Number(c.textContent.replace(/,/g, '')))"
    for order in (True, False):  # largest first, then the other way round
        browser.value("document.querySelectorAll('#tensors th button')[4].click()")
        got = browser.value(sizes)
        check(got == sorted(got, reverse=order), f"bytes aren't sorted: {got}")
    check(browser.errors == [], f"the console has {browser.errors}")


def changed(made: Path, name: str, change) -> Path:
    """A copy of the module's two reports, changed by hand."""
    folder = made.parent / name
    folder.mkdir()
    plan, report = (json.loads((made / f"aot_{kind}.json").read_text()) for kind in ("plan", "report"))
    change(plan, report)
    for kind, content in (("plan", plan), ("report", report)):
        (folder / f"aot_{kind}.json").write_text(json.dumps(content))
    return folder


def takes_no_name_for_html(browser: Browser, made: Path) -> None:
    def rename(plan, report):
        plan["model"] = HOSTILE[0]
        for i, tensor in enumerate(plan["tensors"]):
            tensor["name"] = tensor["decided_by"] = HOSTILE[i % len(HOSTILE)]
        for step, why in zip(plan["operators"], report["operators"]):
            step["label"] = step["note"] = step["name"] = step["type"] = HOSTILE[0]
        for hint in report["hints"]:
            hint["message"] = HOSTILE[0]

    path = page(changed(made, "hostile", rename))
    text = path.read_text()
    check(text.isascii() or HOSTILE[0] not in text, "a name stands in the page as it is")
    check(text.count("</script") == 2, "a name ends a script")
    load(browser, path, "#tensor=3&search=img")
    check(browser.value("document.querySelectorAll('img').length") == 0, "a name became an element")
    check(browser.value("document.title") == HOSTILE[0] + ": memory map", "the title isn't the model's name")
    check(HOSTILE[0] in browser.value("document.getElementById('details').textContent"), "the name isn't shown")


def ten_thousand(browser: Browser, made: Path) -> None:
    """A chain of many operators, each over its input's place plus 64."""
    def grow(plan, report):
        step, why, tensor = plan["operators"][0], report["operators"][0], next(
            t for t in plan["tensors"] if t["role"] == "scratch")
        scratch = next(a["enum_name"] for a in plan["arenas"] if a["role"] == "scratch")
        used = next(a["used"] for a in plan["arenas"] if a["role"] == "scratch")
        plan["tensors"] = [{**tensor, "id": str(i), "lifetime": {"first": i - 1, "last": i}, "size": 512, "view_of": None,
                            "placement": {**tensor["placement"], "region": scratch, "offset": 64 * (i % 2)}}
                           for i in range(MANY + 1)]
        def uses(i):
            return [{**step["tensors"][0], "id": str(i), "use": "read"}, {**step["tensors"][0], "id": str(i + 1), "use": "write"}]
        plan["operators"] = [{**step, "id": i, "tensors": uses(i)} for i in range(MANY)]
        report["operators"] = [{**why, "id": i} for i in range(MANY)]
        check(used >= 576, "the arena is too small for this test")

    path = page(changed(made, "many", grow))
    load(browser, path)
    check(int(data(browser, "boxes")) == MANY + 1, "not every box is drawn")
    check(browser.value("document.querySelectorAll('#operators tbody tr').length") == 200, "the table shows too much")
    browser.value("(() => { for (let i = 0; i < 40; ++i) document.querySelector('canvas').dispatchEvent("
                  "new WheelEvent('wheel', { deltaY: -120, shiftKey: true })); })()")
    check(0 < int(data(browser, "boxes")) < 20, "zooming in leaves too many boxes, or none")
    check(browser.errors == [], f"the console has {browser.errors}")


def sees_what_is_wrong(browser: Browser, path: Path) -> None:
    """The checks above would see an error, a request and a blank map."""
    wrong = path.with_name("wrong.html")
    wrong.write_text(path.read_text().replace("</main>", "</main><img src='https://localhost/x.png'><script>nothing()</script>"))
    browser.open(wrong.as_uri())
    browser.value("0")
    check(any("Content Security Policy" in error for error in browser.errors), f"the policy let a request pass: {browser.errors}")
    check(any("nothing is not defined" in error for error in browser.errors), "an error isn't seen")


def main():
    folder = work_folder("report_page")
    failures, tried = [], 0
    with Browser(folder) as browser:
        made = folder / "demo"
        for part in (lambda: draws_and_searches(browser, folder), lambda: points_and_keys(browser, folder / "demo.html", folder),
                     lambda: takes_no_name_for_html(browser, made), lambda: ten_thousand(browser, made),
                     lambda: sees_what_is_wrong(browser, folder / "demo.html")):
            tried += 1
            try:
                part()
            except TestFailure as failure:
                failures.append(str(failure))
    finish("report page", failures, tried)


if __name__ == "__main__":
    main()
