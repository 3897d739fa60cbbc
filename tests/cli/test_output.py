"""What is on disk after a conversion: all of a module, or the old one untouched."""

import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
import unittest
import zipfile
from pathlib import Path

from support import MODEL, PROGRAM, STATEFUL_MODEL, CommandLineTest, tree


class Replacing(CommandLineTest):
    def convert(self, status=0, *words):
        return self.expect(status, "convert", MODEL, "-o", "out", *words)

    def module(self) -> Path:
        return self.folder / "out" / "aot_module"

    def test_an_existing_module_needs_force(self):
        self.convert()
        before = tree(self.module())
        self.assertIn("--force", self.convert(5, "--module.prefix", "net").err)
        self.assertEqual(tree(self.module()), before)
        self.convert(0, "--module.prefix", "net", "--force")
        self.assertTrue((self.module() / "net_plan.json").exists())
        self.assertFalse((self.module() / "aot_plan.json").exists())

    def test_every_kind_of_module_is_known_again(self):
        staged = "[{type: constant, attributes: {memory: MRAM, constant_destination_memory: DTCM}}]"
        split = "[{type: constant, attributes: {memory: MRAM, min_size: 1K}}]"
        for words in [[], ["--test.enabled"], ["--memory.dump_residency_json"],
                      ["--no-memory.allocate_arenas"], ["--memory.tensors", staged],
                      ["--memory.tensors", staged, "--no-memory.allocate_arenas"],
                      ["--memory.tensors", split], []]:
            self.convert(0, "--force", *words)

    def test_foreign_files_are_never_removed(self):
        foreign = {"notes.txt": "mine", "src/mine.c": "int x;", "src/aot_mine.c": "int y;",
                   ".git/config": "", "zephyr/extra/x": "", "includes-api/aot_mine.h": ""}
        for name, text in foreign.items():
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            self.convert()
            self.write(f"out/aot_module/{name}", text)
            before = tree(self.module())
            result = self.convert(5, "--force")
            self.assertIn(name, result.err)
            self.assertEqual(tree(self.module()), before)

    def test_files_that_only_another_module_has_are_foreign(self):
        for name in ["My.pack.pdsc", "nsx-module.yaml", "zephyr/Kconfig", "src/aot_test_case.c"]:
            self.convert(0, "--force")
            (self.module() / name).parent.mkdir(exist_ok=True)
            (self.module() / name).write_text("mine")
            self.convert(5, "--force")
            self.assertEqual((self.module() / name).read_text(), "mine")
            shutil.rmtree(self.folder / "out")

    def test_a_loop_of_links_is_status_5(self):
        (self.folder / "out").mkdir()
        (self.folder / "out" / "aot_module").symlink_to("aot_module")
        self.convert(5, "--force")

    def test_folders_of_others_are_never_replaced(self):
        for name, text in [("README.md", "my project"), ("aot_plan.json", "{}"),
                           ("aot_plan.json", "not json"), ("src/main.c", "int main;")]:
            shutil.rmtree(self.folder / "out", ignore_errors=True)
            self.write(f"out/aot_module/{name}", text)
            self.convert(5, "--force")
            self.assertEqual((self.module() / name).read_text(), text)

    def test_a_link_inside_is_foreign(self):
        self.convert()
        (self.module() / "src" / "link").symlink_to("/etc")
        self.convert(5, "--force")

    def test_a_link_to_a_module_is_kept(self):
        self.convert()
        real = self.folder / "real"
        self.module().rename(real)
        self.module().symlink_to(real)
        self.convert(0, "--force", "--module.prefix", "net")
        self.assertTrue(self.module().is_symlink())
        self.assertTrue((real / "net_plan.json").exists())

    def test_a_file_in_the_place_of_the_folder_is_kept(self):
        self.write("out/aot_module", "precious")
        self.convert(5, "--force")
        self.assertEqual(self.module().read_text(), "precious")

    def test_a_file_in_the_way_of_the_path_is_status_5(self):
        self.write("out", "precious")
        self.convert(5)
        self.assertEqual((self.folder / "out").read_text(), "precious")

    def test_dry_run_writes_nothing(self):
        self.convert(0, "--dry-run")
        self.assertEqual(list(self.folder.iterdir()), [])


class Failing(CommandLineTest):
    def setUp(self):
        super().setUp()
        self.expect(0, "convert", MODEL, "-o", "out")
        self.before = tree(self.folder / "out")

    def test_a_failed_write_leaves_the_old_module(self):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (20000, 20000))

        result = self.expect(5, "convert", MODEL, "-o", "out", "--force", "--module.prefix", "net",
                             preexec_fn=limit)
        self.assertIn("cannot write", result.err)
        self.assertEqual(tree(self.folder / "out"), self.before)

    def test_a_failed_conversion_leaves_the_old_module(self):
        self.expect(4, "convert", MODEL, "-o", "out", "--force", "--platform.memories",
                    "[{name: ram, size: 1K}]")
        self.assertEqual(tree(self.folder / "out"), self.before)

    def start(self):
        return subprocess.Popen([PROGRAM, "convert", str(MODEL), "-o", "out", "--force", "-q",
                                 "--module.prefix", "net"], cwd=self.folder)

    def test_a_killed_conversion_leaves_a_whole_module(self):
        # Kills at moments spread over as long as a conversion takes here, its end included.
        begin = time.monotonic()
        self.expect(0, "convert", MODEL, "-o", "measured")
        taken = time.monotonic() - begin
        old = {name[len("aot_module/"):]: data for name, data in self.before.items()}
        new = self.reference()
        for part in range(0, 30):
            process = self.start()
            time.sleep(taken * part / 20)
            process.send_signal(signal.SIGKILL)
            process.wait()
            self.assertIn(tree(self.folder / "out" / "aot_module"), (old, new))
        self.assertEqual(self.start().wait(), 0)
        self.assertEqual(tree(self.folder / "out" / "aot_module"), new)
        self.assertEqual([p.name for p in (self.folder / "out").iterdir()], ["aot_module"])

    def test_an_unwritable_folder_leaves_the_old_module(self):
        # Root may write anywhere, so somebody else tries, with copies that they may read.
        with tempfile.TemporaryDirectory() as folder:
            os.chmod(folder, 0o755)
            program = shutil.copy(PROGRAM, folder)
            model = shutil.copy(MODEL, folder)
            os.chmod(model, 0o644)
            out = Path(folder, "out")
            shutil.copytree(self.folder / "out", out)
            before = tree(out)
            nobody = {"user": 65534, "group": 65534} if os.geteuid() == 0 else {}
            if not nobody:
                os.chmod(out, 0o555)
            done = subprocess.run([program, "convert", model, "-o", str(out), "--force",
                                   "--module.prefix", "net"], capture_output=True, text=True,
                                  cwd=folder, **nobody)
            if not nobody:
                os.chmod(out, 0o755)
            self.assertEqual(done.returncode, 5, done.stderr)
            self.assertIn("Permission denied", done.stderr)
            self.assertEqual(tree(out), before)

    def reference(self):
        self.expect(0, "convert", MODEL, "-o", "reference", "--module.prefix", "net")
        return tree(self.folder / "reference" / "aot_module")


class Archives(CommandLineTest):
    def test_a_zip_has_one_top_folder_and_fixed_dates(self):
        self.expect(0, "convert", MODEL, "-o", "kws.zip", "--module.name", "kws")
        self.expect(0, "convert", MODEL, "-o", "out", "--module.name", "kws")
        with zipfile.ZipFile(self.folder / "kws.zip") as archive:
            self.assertIsNone(archive.testzip())
            names = archive.namelist()
            self.assertEqual(names, sorted(names))
            content = {name: archive.read(name) for name in names}
            self.assertEqual({i.date_time for i in archive.infolist()}, {(1980, 1, 1, 0, 0, 0)})
        folder = {f"kws/{name}": data for name, data in tree(self.folder / "out" / "kws").items()}
        self.assertEqual(content, folder)

    def test_force_replaces_only_ingots_own_archives(self):
        self.expect(0, "convert", MODEL, "-o", "a.ZIP")
        self.expect(5, "convert", MODEL, "-o", "a.ZIP")
        self.expect(0, "convert", MODEL, "-o", "a.ZIP", "--force", "--module.name", "other")
        for name, make in [("b.zip", lambda z: z.writestr("aot_module/README.md", "mine")),
                           ("c.zip", lambda z: None)]:
            with zipfile.ZipFile(self.folder / name, "w") as archive:
                make(archive)
        before = (self.folder / "b.zip").read_bytes()
        self.expect(5, "convert", MODEL, "-o", "b.zip", "--force")
        self.assertEqual((self.folder / "b.zip").read_bytes(), before)
        self.write("d.zip", "no archive")
        self.expect(5, "convert", MODEL, "-o", "d.zip", "--force")
        with zipfile.ZipFile(self.folder / "a.zip", "a") as archive:
            archive.writestr("other/mine.txt", "mine")
        self.expect(5, "convert", MODEL, "-o", "a.zip", "--force")

    def test_a_pack_is_for_cmsis_packs(self):
        self.expect(2, "convert", MODEL, "-o", "a.pack")


class Determinism(CommandLineTest):
    def test_same_bytes_anywhere(self):
        shutil.copy(STATEFUL_MODEL, self.folder / "demo.tflite")
        keys = ["--memory.dump_residency_json", "--test.enabled"]
        trees, archives = [], []
        for name, env in [("a", {}), ("b/deep/er", {"LC_ALL": "de_DE.UTF-8", "TZ": "Asia/Tokyo"}),
                          ("c", {"LC_ALL": "C", "TZ": "America/New_York", "HOME": "/nowhere"})]:
            folder = self.folder / name
            folder.mkdir(parents=True)
            shutil.copy(self.folder / "demo.tflite", folder / "demo.tflite")
            self.expect(0, "convert", "demo.tflite", "-o", "out", *keys, cwd=folder, env=env)
            self.expect(0, "convert", folder / "demo.tflite", "-o", folder / "out.zip", *keys,
                        cwd="/", env=env)
            trees.append(tree(folder / "out"))
            archives.append((folder / "out.zip").read_bytes())
        self.assertEqual(trees[0], trees[1])
        self.assertEqual(trees[0], trees[2])
        self.assertEqual(len(set(archives)), 1)
        self.assertFalse(any(os.fsencode(self.folder) in data for data in trees[0].values()))


class Diffing(CommandLineTest):
    def test_diff_of_folders_and_files(self):
        for name, words in [("a", []), ("b", []), ("c", ["--memory.tensors",
                            "[{type: constant, attributes: {memory: MRAM}}]"])]:
            self.expect(0, "convert", MODEL, "-o", name, "--memory.dump_residency_json", *words)
        self.expect(0, "diff", "a/aot_module", "b/aot_module")
        self.expect(0, "diff", "a/aot_module/aot_residency.json", "b/aot_module")
        result = self.expect(1, "diff", "a/aot_module", "c/aot_module")
        self.assertIn("mram", result.out)
        self.assertFalse(self.expect(1, "diff", "a/aot_module", "c/aot_module", "--json")
                         .json["diff"]["equal"])
        self.expect(5, "diff", "a/aot_module", "a")


if __name__ == "__main__":
    unittest.main()
