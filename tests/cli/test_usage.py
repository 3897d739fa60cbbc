"""Commands, flags, help, exit statuses and messages."""

import re
import shutil
import subprocess
import unittest

from support import MODEL, PROGRAM, CommandLineTest

COMMANDS = ["convert", "run", "diff", "report", "inspect", "platforms", "operators", "transforms", "verify", "version",
            "completion"]


class Help(CommandLineTest):
    def test_every_command_has_help_with_an_example(self):
        for words in [[], *([c] for c in COMMANDS), ["platforms", "list"], ["platforms", "show"]]:
            result = self.expect(0, *words, "--help")
            self.assertIn("Example:", result.out)
            self.assertIn("ingot " + " ".join(words), result.out)
            self.assertEqual(result.err, "")

    def test_root_help_lists_the_commands_and_no_others(self):
        out = self.expect(0, "--help").out
        listed = re.findall(r"^  (\w+) +[A-Z]", out.split("Subcommands:")[1], re.M)
        self.assertEqual(sorted(listed), sorted(COMMANDS))

    def test_convert_help_lists_every_key(self):
        out = self.expect(0, "convert", "--help").out
        for key in ["model.input_shapes", "module.prefix", "memory.tensors", "kernels.optimize",
                    "numerics.scales", "platform.min_alignment", "documentation.html"]:
            self.assertIn("--" + key, out)

    def test_version(self):
        for words in (["version"], ["--version"]):
            self.assertRegex(self.expect(0, *words).out, r"^ingot \d+\.\d+\.\d+\n")
        self.assertEqual(self.expect(0, "version", "--json").json["residency_schema"], 5)


class Mistakes(CommandLineTest):
    def test_wrong_command_lines_are_status_2(self):
        for words in [[], ["conver"], ["convert", "--bogus"], ["convert", MODEL, "extra"], ["run"],
                      ["diff", "a"], ["platforms"], ["platforms", "shw"], ["inspect"],
                      ["convert", MODEL, "--color", "blue"], ["-x"], ["convert", "-z", MODEL],
                      ["run", MODEL, "--invocations", "0"], ["run", MODEL, "--seed", "x"],
                      ["run", MODEL, "--invocations"], ["completion", "tcsh"], ["convert"],
                      ["operators", "CONV_3D_X"], ["platforms", "show", "nobody"]]:
            result = self.expect(2, *words)
            self.assertRegex(result.err, r"(?m)^error: ")
            self.assertEqual(result.out, "")

    def test_misspelt_words_get_a_suggestion(self):
        for words, suggestion in [(["convrt"], "convert"), (["platforms", "lst"], "list"),
                                  (["convert", "--memory.planer", "best"], "--memory.planner"),
                                  (["run", MODEL, "--output-dri", "x"], "--output-dir"),
                                  (["operators", "CONV2D"], "CONV_2D"),
                                  (["platforms", "show", "apollo510_evn"], "apollo510_evb"),
                                  (["convert", MODEL, "--platform.name", "rp2041"], "rp2040"),
                                  (["convert", MODEL, "--memory.planner", "gredy"], "greedy")]:
            result = self.expect(2, *words)
            self.assertIn(f"hint: did you mean '{suggestion}'?", result.err)

    def test_missing_files_are_status_5(self):
        for words in [["convert", "none.tflite"], ["run", "none.tflite"], ["inspect", "none.tflite"],
                      ["convert", MODEL, "--path", "none.yaml"], ["diff", "a.json", "b.json"],
                      ["convert", MODEL, "--platform.name", "./none.yaml"],
                      ["run", MODEL, "--input", "none.bin"],
                      ["convert", MODEL, "--test.enabled", "--test.golden_data", "none.npz"]]:
            self.assertIn("none" if "diff" not in words else "a.json", self.expect(5, *words).err)

    def test_a_file_that_is_no_model_is_status_3(self):
        self.write("bad.tflite", b"not a model at all, but long enough to be one")
        for command in ("convert", "run", "inspect"):
            self.assertRegex(self.expect(3, command, "bad.tflite").err, r"^error: ")

    def test_too_small_memories_are_status_4_and_write_nothing(self):
        self.expect(4, "convert", MODEL, "-o", "out", "--platform.memories",
                    "[{name: ram, size: 1K}]")
        self.assertFalse((self.folder / "out" / "aot_module").exists())

    def test_what_is_no_report_is_status_5(self):
        self.write("a.json", "{}")
        self.write("b.json", "no json")
        self.expect(5, "diff", "a.json", "b.json")


class Configuration(CommandLineTest):
    def test_mistakes_have_line_and_column_and_are_shown_together(self):
        self.write("config.yaml", "memory:\n  planner: gredy\n  alocate_arenas: true\nforce: maybe\n")
        err = self.expect(2, "convert", MODEL, "--path", "config.yaml").err
        self.assertIn("error: config.yaml:2:12: ", err)
        self.assertIn("error: config.yaml:3:3: unknown key 'alocate_arenas'", err)
        self.assertIn("hint: did you mean 'allocate_arenas'?", err)
        self.assertIn("error: config.yaml:4:8: ", err)

    def test_flags_take_dashes_and_underscores_and_negation(self):
        for flags, allocates in [(["--no-memory.allocate-arenas"], False),
                                 (["--no-memory.allocate_arenas"], False),
                                 (["--memory.allocate_arenas=false"], False),
                                 (["--memory.allocate-arenas"], True),
                                 (["--memory.allocate-arenas=true"], True)]:
            self.expect(0, "convert", MODEL, "-o", "out", "--force", *flags)
            module = self.folder / "out" / "aot_module"
            self.assertEqual((module / "aot_arena_const_dtcm__blob.bin").exists(), not allocates,
                             flags)

    def test_flags_take_inline_yaml(self):
        self.write("config.yaml", "memory: {planner: greedy}\n")
        result = self.expect(0, "convert", MODEL, "--path", "config.yaml", "--dry-run", "--json",
                             "--memory.tensors",
                             "[{type: constant, attributes: {memory: MRAM}}]",
                             "--transforms=[{name: '*', enabled: false}]",
                             "--memory.constraints", "[{name: sram, max_size: 96K}]")
        arenas = result.json["arenas"]
        self.assertEqual([a["memory"] for a in arenas if a["role"] == "constant"], ["mram"])

    def test_a_flag_does_not_swallow_the_model(self):
        self.expect(0, "convert", "--explain", "0", MODEL, "--dry-run")
        self.expect(0, "convert", "--no-memory.allocate_arenas", MODEL, "--dry-run")

    def test_an_unused_rule_is_a_note(self):
        result = self.expect(0, "convert", MODEL, "--dry-run", "--memory.tensors",
                             "[{type: persistent, attributes: {memory: sram}}]")
        self.assertRegex(result.err, r"(?m)^note: ")

    def test_hostile_yaml_is_status_2(self):
        for text in ["[" * 50000, "a: &a [*a]", "\x00", "{" * 1000, "- " * 10000, "'", "a: b: c"]:
            self.write("config.yaml", text)
            self.expect(2, "convert", MODEL, "--path", "config.yaml")


class Output(CommandLineTest):
    def test_json_is_one_object_also_when_it_fails(self):
        for status, words in [(0, ["convert", MODEL, "--dry-run"]), (2, ["convert", "--bogus"]),
                              (2, ["convert", MODEL, "--memory.planner", "x"]),
                              (5, ["convert", "none.tflite"]), (0, ["inspect", MODEL]),
                              (0, ["run", MODEL]), (0, ["platforms", "list"]),
                              (0, ["platforms", "show", "host"]), (0, ["operators"]),
                              (0, ["transforms"]), (0, ["version"]), (2, ["nothing"]),
                              (5, ["diff", "a", "b"]), (2, ["platforms", "show", "hst"])]:
            result = self.expect(status, *words, "--json").json
            self.assertEqual(result["status"], status)
            self.assertIsInstance(result["schema_version"], int)
            self.assertEqual(any(d["severity"] == "error" for d in result["diagnostics"]),
                             status != 0)
            if words[0] == "convert":
                self.assertLessEqual({"module", "arenas", "totals"}, set(result))

    def test_json_names_that_are_not_utf_8_do_not_break_it(self):
        self.expect(5, "inspect", b"\xff.tflite".decode("utf-8", "surrogateescape"), "--json").json

    def test_colours_only_when_wanted(self):
        self.assertNotIn("\x1b", self.expect(2, "nothing").err)
        self.assertIn("\x1b[1;31merror\x1b[0m", self.expect(2, "convert", "--color=always").err)
        self.assertNotIn("\x1b", self.expect(2, "convert", "--color=never").err)

    def test_quiet_and_verbose(self):
        self.assertEqual(self.expect(0, "convert", MODEL, "-o", "a", "-q").out, "")
        loud = self.expect(0, "convert", MODEL, "-o", "b", "-vv").err
        self.assertIn("tensor 0 ", loud)
        self.assertIn("operator 0 ", loud)
        self.assertNotIn("tensor 0 ", self.expect(0, "convert", MODEL, "-o", "c").err)
        self.assertEqual(self.expect(0, "-q", "convert", MODEL, "-o", "d").out, "")

    def test_a_log_never_overwrites_an_input(self):
        model, config = self.folder / "m.tflite", self.folder / "c.yaml"
        shutil.copy(MODEL, model)
        config.write_text("module: {name: q}\n")
        by_yaml = self.folder / "log.yaml"
        by_yaml.write_text("log_file: m.tflite\nmodel: {path: m.tflite}\n")
        before = model.read_bytes()
        for words in (["m.tflite", "--log-file", "m.tflite"], ["m.tflite", "--log-file=./m.tflite"],
                      ["m.tflite", "--path", "c.yaml", "--log-file", "c.yaml"],
                      ["--path", "log.yaml"]):
            result = self.expect(2, "convert", *words, "-o", "out")
            self.assertIn("the log would overwrite this file", result.err)
        self.assertEqual(model.read_bytes(), before)
        self.assertEqual(config.read_text(), "module: {name: q}\n")

    def test_an_empty_value_does_not_take_the_next_word(self):
        for words in (["--module.path=", "--dry-run"], ["--memory.tensors=", "--force"],
                      ["--log-file=", "-q"]):
            result = self.expect(2, "convert", MODEL, *words)
            self.assertIn("the value is empty", result.err)
        self.assertEqual(list(self.folder.iterdir()), [])

    def test_log_file_has_the_messages(self):
        self.expect(2, "convert", "none", "--log-file", "log.txt", "--memory.planner", "x")
        self.assertIn("error: --memory.planner", (self.folder / "log.txt").read_text())
        self.expect(5, "version", "--log-file", "no/such/folder/log.txt")

    def test_summary_tells_what_matters(self):
        out = self.expect(0, "convert", MODEL, "-o", "out").out
        for text in ("out/aot_module", "dtcm", "507,904", "%", "MACs", "flash", "RAM"):
            self.assertIn(text, out)

    def test_a_full_standard_output_is_status_5(self):
        with open("/dev/full", "wb") as full:
            done = subprocess.run([PROGRAM, "operators"], stdout=full, stderr=subprocess.PIPE)
        self.assertEqual(done.returncode, 5)

    def test_explain_tells_where_and_why(self):
        out = self.expect(0, "convert", MODEL, "--dry-run", "--explain", "conv_2d_0").out
        self.assertIn("kernel:", out)
        out = self.expect(0, "convert", MODEL, "--dry-run", "--explain=0").out
        self.assertRegex(out, r"tensor 0[\s\S]*lifetime:")
        self.expect(2, "convert", MODEL, "--dry-run", "--explain", "conv_2d_x")

    def test_dump_after_prints_the_graph(self):
        self.assertIn("CONV_2D",
                      self.expect(0, "convert", MODEL, "--dry-run", "--dump-after", "import").out)
        self.expect(2, "convert", MODEL, "--dry-run", "--dump-after", "imprt")


class Shells(CommandLineTest):
    def test_completion_knows_commands_and_keys(self):
        for shell in ("bash", "zsh", "fish"):
            out = self.expect(0, "completion", shell).out
            for word in ("convert", "memory.allocate_arenas", "output-dir"):
                self.assertIn(word, out)

    def test_bash_completion_completes(self):
        script = self.write("completion.bash", self.expect(0, "completion", "bash").out)
        program = (f'. {script}; COMP_WORDS=(ingot convert --memory.pl); COMP_CWORD=2; _ingot; '
                   'echo "${COMPREPLY[@]}"')
        done = subprocess.run(["bash", "-c", program], capture_output=True, text=True, check=True)
        self.assertEqual(done.stdout.split(), ["--memory.planner"])

    def test_the_man_page_is_that_of_the_program(self):
        from support import ROOT
        page = (ROOT / "docs" / "ingot.1").read_text()
        self.assertEqual(self.expect(0, "completion", "man").out, page,
                         "refresh with: ingot completion man > docs/ingot.1")


if __name__ == "__main__":
    unittest.main()
