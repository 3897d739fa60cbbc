"""The memory plan as a picture in the terminal, as data, and `ingot report`'s files and mistakes."""

import json
import re
import shutil
import unittest

from support import MODEL, MODELS, STATEFUL_MODEL, CommandLineTest

UTF8 = {"LC_ALL": "C.UTF-8"}


def inspect(case: CommandLineTest, model, *words, **options):
    return case.expect(0, "inspect", model, "--plan", *words, **options)


class Picture(CommandLineTest):
    def test_no_line_is_wider_than_asked(self):
        for width in (40, 72, 200):
            for flags, env in [(["--ascii"], {}), ([], UTF8)]:
                out = inspect(self, MODEL, "--width", width, *flags, env=env).out
                chart = [line for line in out.splitlines() if re.search(r" [|+│┤└]", line)]
                self.assertGreaterEqual(len(chart), 16)
                self.assertLessEqual(max(map(len, chart)), width)

    def test_ascii_unless_the_locale_is_utf_8(self):
        plain = inspect(self, MODEL).out
        self.assertTrue(plain.isascii())
        self.assertEqual(inspect(self, MODEL, "--ascii", env=UTF8).out, plain)
        self.assertEqual(inspect(self, MODEL, env={"LANG": "de_DE"}).out, plain)
        for env in (UTF8, {"LANG": "de_DE.utf8"}):
            self.assertIn("┤", inspect(self, MODEL, env=env).out)

    def test_colours_when_asked(self):
        self.assertNotIn("\x1b", inspect(self, MODEL).out)
        coloured = inspect(self, MODEL, "--color", "always").out
        self.assertIn("\x1b[30;48;5;", coloured)
        for line in coloured.splitlines():
            self.assertIn(line.rfind("\x1b["), (-1, line.rfind("\x1b[0m")), "a colour runs on")

    def test_the_numbers_are_those_of_a_conversion(self):
        for model in (MODEL, STATEFUL_MODEL, MODELS / "mobilenet_v1_025_int8.tflite"):
            arenas = self.expect(0, "convert", model, "--dry-run", "--json").json["arenas"]
            drawn = inspect(self, model, "--json").json["map"]["arenas"]
            self.assertEqual([(a["role"], a["memory"], a["used"]) for a in arenas],
                             [(a["role"], a["memory"], a["used"]) for a in drawn])
            used = next(a["used"] for a in arenas if a["role"] == "scratch")
            self.assertRegex(inspect(self, model).out, rf"used {used:,} \+")

    def test_budgets_are_shown_and_do_not_stop_it(self):
        out = inspect(self, MODEL, "--platform.memories", "[{name: ram, size: 1K}]").out
        self.assertRegex(out, r"bytes of [\d,]+, more than there is")

    def test_wrong_flags(self):
        self.expect(2, "inspect", MODEL, "--plan", "--width", "3")
        self.expect(2, "inspect", MODEL, "--plan", "--memory.planner", "none")


class Data(CommandLineTest):
    def test_the_map_is_what_the_boxes_say(self):
        for model in sorted(MODELS.glob("*.tflite")):
            self.check(inspect(self, model, "--json").json["map"])

    def check(self, drawn):
        slots = len(drawn["steps"]) + 2
        for number, arena in enumerate(drawn["arenas"]):
            boxes = [t for t in drawn["tensors"] if t["arena"] == number and t["view_of"] is None]
            self.assertTrue(all(t["offset"] + t["size"] <= arena["used"] for t in boxes))
            if arena["role"] != "scratch":
                continue
            for slot in range(slots):
                live = [t for t in boxes if t["first"] <= slot <= t["last"]]
                rounded = [(t["offset"], t["offset"] + -(-t["size"] // 16) * 16) for t in live]
                self.assertEqual(arena["live"][slot], sum(end - begin for begin, end in rounded))
                # Bytes occupied, counted one unit of 16 at a time.
                units = {unit for begin, end in rounded for unit in range(begin // 16, end // 16)}
                self.assertEqual(arena["occupied"][slot], 16 * len(units))
            self.assertEqual(arena["peak"], arena["occupied"].index(max(arena["occupied"])))
            self.assertLessEqual(max(arena["occupied"]), arena["used"])


class Report(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.expect(0, "convert", STATEFUL_MODEL, "-o", "out", "--documentation.html")
        self.module = self.folder / "out" / "aot_module"

    def test_the_page_of_a_module(self):
        self.expect(0, "report", "out/aot_module")
        page = (self.folder / "aot_report.html").read_bytes()
        self.assertEqual(page, (self.module / "aot_report.html").read_bytes())
        self.assertIn("aot_report.html", json.loads((self.module / "aot_plan.json").read_text())["files"])
        self.expect(0, "report", "out/aot_module", "-o", "aot_report.html", "--json")  # replaced
        self.expect(0, "convert", STATEFUL_MODEL, "-o", "a.zip")
        self.expect(0, "report", "a.zip", "-o", "zip.html")
        self.assertEqual((self.folder / "zip.html").read_bytes(), page)
        self.expect(0, "convert", STATEFUL_MODEL, "-o", "out", "--force")
        self.assertFalse((self.module / "aot_report.html").exists())

    def test_nothing_of_others_is_replaced(self):
        self.write("mine.html", "<!doctype html>mine")
        self.expect(5, "report", "out/aot_module", "-o", "mine.html")
        self.assertEqual((self.folder / "mine.html").read_text(), "<!doctype html>mine")
        self.expect(5, "report", "out/aot_module", "-o", "out")

    def test_what_is_no_module_is_status_5(self):
        for words in (["none"], ["out"], [MODEL]):
            self.assertRegex(self.expect(5, "report", *words, "-o", "x.html").err, r"^error: ")
        for name in ("aot_plan.json", "aot_report.json"):
            good = (self.module / name).read_text()
            broken = ["", "[]", "{}", good[:-20],
                      re.sub(r'"schema_version": \d+', '"schema_version": 99', good),
                      good.replace('"operators": [', '"operators": [{},')]
            if name == "aot_plan.json":
                broken += [good.replace('"region"', '"regio"'), re.sub(r'"used": \d+', '"used": -5', good),
                           re.sub(r'"first": \d+', '"first": 99999999999', good)]
            for bad in broken:
                self.assertNotEqual(bad, good)
                (self.module / name).write_text(bad)
                self.expect(5, "report", "out/aot_module", "-o", "x.html")
            (self.module / name).unlink()
            self.expect(5, "report", "out/aot_module", "-o", "x.html")
            (self.module / name).write_text(good)
        shutil.copy(self.module / "aot_plan.json", self.module / "b_plan.json")
        self.expect(5, "report", "out/aot_module", "-o", "x.html")
        self.assertFalse((self.folder / "x.html").exists())


if __name__ == "__main__":
    unittest.main()
