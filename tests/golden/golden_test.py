#!/usr/bin/env python3
"""Tests `dp2trace golden` from check to accept: every status, the cache, shards, the store, and what an interruption leaves.

usage: golden_test.py --program PATH [unittest arguments]
"""

import json
import os
import pathlib
import random
import resource
import shutil
import signal
import struct
import subprocess
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import program_test
from events import CHANGES, IS_READ, wait_for_end, wait_for_event, wait_until

TIMEOUT_S = 60
HEAVY_DRAWS = 40000  # blended, of 4096 x 4096 pixels: minutes of work on any machine
TODAY = "2027-01-15"


def trace(colors, size=8, frames=1, broken=0, draws=0):
    """A trace that clears its target with each colour, blends a triangle over it `draws` times, shows it `frames` times, and has
    `broken` unknown operations."""
    tokens, vertices = program_test.blended(size, draws) if draws else ([], [])
    events = program_test.beginning(size) + [program_test.call([program_test.clear(color, size) for color in colors] + tokens, vertices)]
    events += [program_test.call([{"raw": "f0000000"}])] * broken + [program_test.PRESENT] * frames
    return json.dumps(events)


HEAVY = trace(["0xFF000001"], size=4096, draws=HEAVY_DRAWS)


def run(*arguments, environment=None, **more):
    """Runs the program; returns what subprocess.run() does."""
    command = [str(program_test.ProgramTest.program), "golden", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, timeout=300, check=False, env={"PATH": "", "LC_ALL": "C", **(environment or {})},
                          **more)


def workers_of(process):
    """The numbers of the children of a process, as texts."""
    return pathlib.Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()


class GoldenTest(program_test.ProgramTest):
    """A folder with traces, a manifest that includes them, and a store."""

    def setUp(self):
        super().setUp()
        (self.folder / "t").mkdir()
        self.manifest = self.folder / "manifest.json"
        self.manifest.write_text('{"version":1,"include":["t"],"traces":[]}')
        self.store = self.folder / "store"
        self.results = self.folder / "results.jsonl"

    def write(self, name, text):
        """Writes a trace."""
        (self.folder / "t" / f"{name}.json").write_text(text)

    def check(self, *arguments, results=None, **more):
        """Runs golden check over the manifest."""
        return run("check", "--manifest", self.manifest, "--store", self.store, "--results", results or self.results, "--force", "--today", TODAY, *arguments,
                   **more)

    def accept(self, *arguments, **more):
        """Runs golden accept for the results."""
        return run("accept", "--manifest", self.manifest, "--store", self.store, "--results", self.results, *arguments, **more)

    def accepted(self, **traces):
        """Writes traces and accepts what they give."""
        for name, text in traces.items():
            self.write(name, text)
        self.check("--keep-all")
        done = self.accept()
        self.assertEqual(done.returncode, 0, done.stderr)

    def edit(self, name, **members):
        """Changes members of a trace's entry in the manifest."""
        manifest = json.loads(self.manifest.read_text())
        for entry in manifest["traces"]:
            if entry["path"] == f"t/{name}.json":
                entry.update(members)
        self.manifest.write_text(json.dumps(manifest))

    def read_results(self, path=None):
        """The results by name of the trace; fails where the file is not whole."""
        lines = (path or self.results).read_text().splitlines()
        self.assertEqual(json.loads(lines[-1])["type"], "end")
        results = [json.loads(line) for line in lines[1:-1]]
        return {pathlib.Path(result["trace"]).stem: result for result in results}


class Statuses(GoldenTest):
    """One run that has every status."""

    def kill_worker_of(self, parent, name):
        """Ends the worker that has the trace open; false where there is none yet."""
        try:
            children = pathlib.Path(f"/proc/{parent}/task/{parent}/children").read_text().split()
            for child in children:
                for link in pathlib.Path(f"/proc/{child}/fd").iterdir():
                    if os.readlink(link).endswith(f"/{name}.json"):
                        os.kill(int(child), signal.SIGKILL)
                        return True
        except OSError:  # it has just ended
            pass
        return False

    def test_every_status(self):
        """Each trace has the status that was provoked, and the run goes on after each."""
        red, blue = trace(["0xFFFF0000"]), trace(["0xFFFF0000", "0xFF0000FF"])
        normal = ["match", "differ", "gone", "frames", "fewer", "findings", "broken", "skipped", "known", "passes", "expired", "slow", "crash"]
        self.accepted(**{name: red for name in normal})
        self.write("differ", blue)
        (self.folder / "t/gone.json").unlink()
        self.write("fewer", '[{"event":"header"}]')
        self.write("frames", trace(["0xFFFF0000"], frames=2))
        self.write("broken", "PNG")
        self.write("known", blue)
        self.write("added", red)
        self.write("slow", HEAVY)
        self.write("crash", HEAVY)
        later = {"reason": "why", "expires": "2027-01-15"}
        self.edit("findings", findings={"DP2-STREAM-006": 1})
        self.edit("skipped", skip=later)
        self.edit("known", expected_fail=later)
        self.edit("passes", expected_fail=later)
        self.edit("expired", skip={"reason": "why", "expires": "2027-01-14"})
        command = [self.program, "golden", "check", "--manifest", self.manifest, "--store", self.store, "--results", self.results, "--force", "--today", TODAY,
                   "--timeout", "6", "-j", "2"]
        with subprocess.Popen(list(map(str, command)), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            self.assertTrue(wait_until(lambda: self.kill_worker_of(process.pid, "crash"), [self.folder / "t"], TIMEOUT_S, IS_READ))
            stdout, stderr = process.communicate(timeout=300)
        self.assertEqual(process.returncode, 1, stderr)
        results = self.read_results()
        expected = {"match": "match", "differ": "differ", "gone": "missing", "frames": "new", "fewer": "missing", "findings": "findings-changed",
                    "broken": "render-error", "skipped": "skipped", "known": "expected-fail", "passes": "unexpected-pass", "expired": "expired",
                    "slow": "time-out", "crash": "crash", "added": "new"}
        self.assertEqual({name: result["status"] for name, result in results.items()}, expected, stdout)
        self.assertEqual(results["known"]["actual_status"], "differ")
        self.assertIn("SIGKILL", results["crash"]["message"])
        self.assertIn("6 s", results["slow"]["message"])
        self.assertEqual([image["status"] for image in results["frames"]["images"]], ["match", "new"])
        self.assertEqual([image["status"] for image in results["fewer"]["images"]], ["missing"])
        image = results["differ"]["images"][0]
        self.assertEqual(image["difference"]["differing_pixels"], 64)
        self.assertEqual(image["difference"]["first"], {"x": 0, "y": 0, "expected": "#ffff0000", "actual": "#ff0000ff"})
        self.assertEqual(image["last_writer"], {"draw": 2, "event": 3, "offset": 36, "operation": "CLEAR"})
        self.assertIn("14 traces: 1 match,", stdout)

    def test_findings_changed(self):
        """The same file and pictures with other findings are a status of their own."""
        self.accepted(a=trace(["0xFFFF0000"], broken=2))
        self.assertEqual(self.check().returncode, 0)
        self.edit("a", findings={"DP2-STREAM-006": 1})
        self.assertEqual(self.check().returncode, 1)
        result = self.read_results()["a"]
        self.assertEqual(result["status"], "findings-changed")
        self.assertEqual(result["finding_counts"], {"DP2-STREAM-006": 2})
        self.assertEqual(result["expected_finding_counts"], {"DP2-STREAM-006": 1})
        self.assertEqual([finding["event"] for finding in result["findings"]], [4, 5])
        done = self.accept()
        self.assertIn("DP2-STREAM-006: 1 -> 2 findings", done.stdout)
        self.assertEqual(self.check().returncode, 0)

    def test_memory_limit(self):
        """A replay that needs more memory than the limit fails its own trace."""
        self.accepted(large=trace(["0xFFFF0000"], size=8192), small=trace(["0xFF00FF00"]))
        done = self.check("--max-worker-memory", "200M", "--retry", "2", "--slowest", "1")
        results = self.read_results()
        if results["large"]["status"] == "match":
            self.skipTest("a sanitizer's build has no limit of memory")
        self.assertEqual(done.returncode, 1)
        self.assertEqual(results["large"]["status"], "render-error")
        self.assertIn("more memory", results["large"]["message"])
        self.assertIn("(in each of 3 tries)", results["large"]["message"])
        self.assertRegex(done.stdout, r"\nretries: 2\n +0\.\d{3} s  t/small.json\n$")
        self.assertEqual(results["small"]["status"], "match")

    def test_nothing_to_check(self):
        """Exit code 77 without traces, 3 without a manifest, 2 for a shard that does not exist."""
        self.assertEqual(self.check().returncode, 77)
        self.assertEqual(run("check", "--manifest", self.folder / "none").returncode, 3)
        self.write("a", trace(["0xFFFF0000"]))
        self.assertEqual(self.check("--shard", "3/2").returncode, 2)


class AcceptAndStore(GoldenTest):
    """golden accept, golden gc and the store."""

    def test_refused_in_ci(self):
        """CI=true is refused, unless told."""
        self.write("a", trace(["0xFFFF0000"]))
        self.check()
        before = self.manifest.read_bytes()
        self.assertEqual(self.accept(environment={"CI": "true"}).returncode, 2)
        self.assertEqual(self.manifest.read_bytes(), before)
        self.assertEqual(self.accept("--allow-ci", environment={"CI": "true"}).returncode, 0)
        self.assertNotEqual(self.manifest.read_bytes(), before)

    def test_only_chosen_traces(self):
        """accept TRACE leaves the others alone; an unknown one is a usage error."""
        self.write("a", trace(["0xFFFF0000"]))
        self.write("b", trace(["0xFF00FF00"]))
        self.check()
        self.assertEqual(self.accept("t/c.json").returncode, 2)
        done = self.accept("t/b.json")
        self.assertEqual(done.stdout.splitlines()[0], "+ t/b.json: 1 picture")
        self.assertEqual([entry["path"] for entry in json.loads(self.manifest.read_text())["traces"]], ["t/b.json"])

    def test_part_by_part(self):
        """Results of one check are accepted one trace after the other, and a second time without effect."""
        self.write("a", trace(["0xFFFF0000"]))
        self.write("b", trace(["0xFF00FF00"]))
        self.check("--keep-all")
        for chosen in (["t/b.json"], ["t/a.json"]):
            self.assertEqual(self.accept(*chosen).returncode, 0)
        whole = self.manifest.read_bytes()
        self.assertEqual(self.accept().returncode, 0)
        self.assertEqual(self.manifest.read_bytes(), whole)
        self.assertEqual(self.check().returncode, 0)

    def test_damaged_store(self):
        """A damaged expected picture is never used, and accept repairs it."""
        self.accepted(a=trace(["0xFFFF0000"]))
        picture = next(self.store.glob("*/*.png"))
        good = picture.read_bytes()
        other = self.folder / "other"
        self.write("a", trace(["0xFF0000FF"]))
        self.check("--actual", other)
        shutil.copy(next(other.glob("*/*.png")), picture)
        self.check("--actual", other)
        result = self.read_results()["a"]
        self.assertIn("damaged", result["message"])
        self.assertNotIn("difference", result["images"][0])
        picture.write_bytes(good)
        self.check("--actual", other)
        self.assertIn("difference", self.read_results()["a"]["images"][0])

    def test_store_is_filled_again(self):
        """--keep-all and accept bring back the pictures of a store that was lost; the manifest stays."""
        self.accepted(a=trace(["0xFFFF0000"]), b=trace(["0xFF00FF00"]))
        before = self.manifest.read_bytes()
        pictures = sorted(path.relative_to(self.store) for path in self.store.glob("*/*.png"))
        shutil.rmtree(self.store)
        shutil.rmtree(f"{self.results}.pictures")
        self.check("--keep-all")
        self.assertEqual(self.accept().returncode, 0)
        self.assertEqual(sorted(path.relative_to(self.store) for path in self.store.glob("*/*.png")), pictures)
        self.assertEqual(self.manifest.read_bytes(), before)

    def test_words_for_what_is_missing(self):
        """A message says that the store lacks the picture, that the trace is another one, and that its file is gone."""
        self.accepted(a=trace(["0xFFFF0000"]), b=trace(["0xFFFF0000"]))
        picture = next(self.store.glob("*/*.png"))
        picture.unlink()
        self.write("a", trace(["0xFF00FF00"]))
        (self.folder / "t/b.json").unlink()
        self.check()
        results = self.read_results()
        self.assertEqual(results["a"]["message"], "frame 1 differs; the file of the trace has changed, too; the store has no picture "
                         f"{picture.parent.name}{picture.stem} to say what differs")
        self.assertEqual(results["b"]["message"], "the file of the trace is missing")

    def test_gc(self):
        """gc lists what no manifest names, and deletes only when told."""
        self.accepted(a=trace(["0xFFFF0000"]), b=trace(["0xFF00FF00"]))
        (self.folder / "t/b.json").unlink()
        self.check()
        self.accept()
        pictures = sorted(self.store.glob("*/*.png"))
        self.assertEqual(len(pictures), 2)
        done = run("gc", "--store", self.store, "--manifest", self.manifest)
        self.assertEqual(done.stdout.splitlines()[-1], "in no manifest: 1 of 2 files")
        self.assertEqual(sorted(self.store.glob("*/*.png")), pictures)
        run("gc", "--store", self.store, "--manifest", self.manifest, "--delete")
        self.assertEqual(len(list(self.store.glob("*/*.png"))), 1)
        self.assertEqual(self.check().returncode, 0)


class CacheAndShards(GoldenTest):
    """What does not change the results."""

    def many(self, count=12):
        """Accepts many small traces and lets two of them differ."""
        self.accepted(**{f"t{i:02}": trace([f"0xFF0000{i:02X}"]) for i in range(count)})
        self.write("t03", trace(["0xFFFF0000"]))
        self.write("t07", trace(["0xFFFF0000"], broken=1))

    def test_runs_agree(self):
        """Number of jobs and cache do not change a byte."""
        self.many()
        self.check("-j", "1")
        first = self.results.read_bytes()
        for arguments in (("-j", "4"), ("--cache", self.folder / "cache"), ("--cache", self.folder / "cache")):
            self.check(*arguments)
            self.assertEqual(self.results.read_bytes(), first)

    def test_place_does_not_matter(self):
        """Results do not say where the manifest and the store lie."""
        self.many()
        self.write("t01", "PNG")
        (self.folder / "t/t02.json").rename(self.folder / "t/t02.dp2t")  # not a container
        self.check("--actual", self.folder / "actual")
        wanted = self.read_results()["t03"]["images"][0]["expected_hash"]
        (self.store / wanted[:2] / f"{wanted[2:]}.png").write_text("damaged")
        self.check("--actual", self.folder / "actual")
        self.assertIn("damaged", self.read_results()["t03"]["message"])
        first = self.results.read_bytes()
        run("check", "--store", "store", "--results", "results.jsonl", "--actual", "actual", "--today", TODAY, cwd=self.folder)
        self.assertEqual(self.results.read_bytes(), first)

    def test_cache_saves_the_replay(self):
        """An unchanged trace is not replayed: each replay writes its record anew. A changed one is, and one whose record is damaged."""
        self.accepted(t=trace(["0xFF000001"]))
        cache = self.folder / "cache"

        def records():
            return {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in cache.rglob("*") if path.is_file()}

        self.assertEqual(self.check("--cache", cache).returncode, 0)
        first = records()
        self.assertEqual(len(first), 1)
        self.assertEqual(self.check("--cache", cache).returncode, 0)
        self.assertEqual(records(), first)
        next(iter(first)).write_text("damaged")
        damaged = records()
        self.assertEqual(self.check("--cache", cache).returncode, 0)
        self.assertNotEqual(records(), damaged)
        self.write("t", trace(["0xFF000002"]))
        self.assertEqual(self.check("--cache", cache).returncode, 1)
        self.assertEqual(len(records()), 2)

    def test_no_cache_for_an_unknown_program(self):
        """Where the system does not say which program runs (no /proc), another build's records could be taken for this one's."""
        alone = ["unshare", "--user", "--map-root-user", "--mount", "sh", "-c", 'mount -t tmpfs none /proc && exec "$@"', "sh"]
        if shutil.which("unshare") is None or subprocess.run([*alone, "true"], capture_output=True, check=False).returncode != 0:
            self.skipTest("no user namespaces here")
        self.accepted(t=trace(["0xFF000001"]))
        cache = self.folder / "cache"
        done = subprocess.run([*alone, str(self.program), "golden", "check", "--manifest", str(self.manifest), "--cache", str(cache)],
                              capture_output=True, text=True, timeout=300, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("note: --cache is not used", done.stderr)
        self.assertFalse(cache.exists())

    def test_pictures_come_back_behind_a_cache(self):
        """A cached trace whose pictures are needed and were deleted is replayed."""
        self.write("a", trace(["0xFFFF0000"]))
        actual = self.folder / "actual"
        for _ in range(2):
            self.check("--cache", self.folder / "cache", "--actual", actual)
            self.assertEqual(len(list(actual.glob("*/*.png"))), 1)
            shutil.rmtree(actual)

    def test_shards_merge_to_the_whole(self):
        """Shards together give the bytes of one machine; a missing one is named."""
        self.many()
        self.check()
        whole = self.results.read_bytes()
        times = self.folder / "times.json"
        self.check("--times", times)
        for more in ((), ("--durations", times)):
            shards = [self.folder / f"shard{i}" for i in (1, 2, 3)]
            for i, shard in enumerate(shards, 1):
                self.check("--shard", "auto", *more, results=shard, environment={"DP2TRACE_SHARD_INDEX": str(i), "DP2TRACE_SHARD_COUNT": "3"})
            merged = self.folder / "merged"
            self.assertEqual(run("merge", *shards, "-o", merged).returncode, 1)  # two traces differ
            self.assertEqual(merged.read_bytes(), whole)
            merged.unlink()
            done = run("merge", shards[0], shards[2], "-o", merged)
            self.assertEqual(done.returncode, 3)
            self.assertIn("1 of 3 shards is missing: 2/3", done.stderr)
            self.assertFalse(merged.exists())


class WronglyGreen(GoldenTest):
    """No check passes that has not looked."""

    VERTEX = struct.Struct("<4fI")

    def write_with_side_file(self, color=0xFF00FF00):
        """A triangle whose vertices lie in a file of their own."""
        vertices = b"".join(self.VERTEX.pack(x, y, 0, 1, color) for x, y in ((0, 0), (16, 0), (0, 16)))
        (self.folder / "t/vertices.bin").write_bytes(vertices)
        events = json.loads(trace(["0xFFFF0000"]))
        states = [{"render_state": name, "state": value} for name, value in (("CULLMODE", "NONE"), ("ZENABLE", "FALSE"))]
        events[3]["commands"] += [{"op": "RENDERSTATE", "records": states}, {"op": "TRIANGLELIST", "v_start": 0}]
        events[3]["vertices"] = {"file": "vertices.bin"}
        return json.dumps(events)

    def statuses(self):
        """The status of each trace."""
        return {name: result["status"] for name, result in self.read_results().items()}

    def test_side_files_belong_to_a_trace(self):
        """A side file that changed, or is gone, is seen after a cache, too; so is one that changes no pixel."""
        cached = ("--cache", self.folder / "cache")
        self.accepted(a=self.write_with_side_file())
        for _ in range(2):
            self.assertEqual(self.check(*cached).returncode, 0)
        self.write_with_side_file(0xFF0000FF)
        self.assertEqual(self.check(*cached).returncode, 1)
        self.assertEqual(self.read_results()["a"]["images"][0]["status"], "differ")
        self.write_with_side_file(0x0000FF00)  # alpha is not drawn
        self.assertEqual(self.check(*cached).returncode, 1)
        self.assertEqual(self.read_results()["a"]["images"][0]["status"], "match")
        self.assertIn("hash", self.read_results()["a"]["message"])
        (self.folder / "t/vertices.bin").unlink()
        self.assertEqual(self.check(*cached).returncode, 3)
        self.assertEqual(self.statuses(), {"a": "incomplete"})
        self.write_with_side_file()
        self.assertEqual(self.check(*cached).returncode, 0)

    def test_a_trace_that_changes_while_it_is_replayed(self):
        """What was replayed is not what was hashed: no verdict, and nothing for the cache."""
        self.accepted(a=trace(["0xFFFF0000"], size=4096, draws=10))  # half a second; a minute with sanitizers
        path = self.folder / "t/a.json"
        whole = path.read_text()
        cache = self.folder / "cache"
        command = [self.program, "golden", "check", "--manifest", self.manifest, "--store", self.store, "--results", self.results, "--force", "--cache", cache]
        with subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
            self.assertTrue(wait_until(lambda: workers_of(process), [self.folder / "t"], TIMEOUT_S, IS_READ))
            path.write_text(whole.replace("0xFFFF0000", "0xFF0000FF"))
            self.assertEqual(process.wait(), 1)
        self.assertEqual(self.statuses(), {"a": "render-error"})
        self.assertIn("changed while", self.read_results()["a"]["message"])
        self.assertEqual([path for path in cache.rglob("*") if path.is_file()], [])
        path.write_text(whole)
        self.assertEqual(self.check("--cache", cache).returncode, 0)

    def test_a_trace_that_is_cut(self):
        """It is an error, also where its pictures come, and no golden trace."""
        self.accepted(a=trace(["0xFFFF0000"]))
        container = self.folder / "t/b.dp2t"
        convert = [self.program, "convert", self.folder / "t/a.json", container]
        self.assertEqual(subprocess.run(list(map(str, convert)), check=False, capture_output=True).returncode, 0)
        whole = container.read_bytes()
        for size in range(len(whole) - 1, len(whole) // 2, -7):
            container.write_bytes(whole[:size])
            replay = [self.program, "replay", container, "-o", self.folder / "pictures"]
            code = subprocess.run(list(map(str, replay)), check=False, capture_output=True).returncode
            self.assertEqual(self.check().returncode, 3 if code == 3 else 1, size)
            self.assertEqual(self.statuses()["b"], "incomplete" if code == 3 else "new", size)
            if code == 3:
                self.assertEqual(self.accept().returncode, 1)
                self.assertNotIn("b.dp2t", self.manifest.read_text())

    def test_a_trace_or_picture_that_vanishes(self):
        """They are missing, whatever cache and store hold."""
        cached = ("--cache", self.folder / "cache")
        self.accepted(a=trace(["0xFFFF0000"]), b=trace(["0xFF0000FF"], frames=2))
        self.assertEqual(self.check(*cached).returncode, 0)
        (self.folder / "t/a.json").unlink()
        self.write("b", trace(["0xFF0000FF"]))
        self.assertEqual(self.check(*cached).returncode, 1)
        self.assertEqual(self.statuses(), {"a": "missing", "b": "missing"})

    def test_nothing_to_check_is_no_success(self):
        """An empty manifest, and a choice that no trace has."""
        self.assertEqual(self.check().returncode, 77)
        self.accepted(a=trace(["0xFFFF0000"]))
        self.assertEqual(self.check("--tag", "absent").returncode, 77)

    def test_results_that_are_not_whole(self):
        """No verb takes a results file that was cut or changed, and accept no result whose entry has changed since."""
        self.accepted(a=trace(["0xFFFF0000"]), b=trace(["0xFF0000FF"]))
        self.write("a", trace(["0xFF00FF00"]))
        self.check()
        whole = self.results.read_bytes()
        manifest = self.manifest.read_bytes()
        broken = [whole[:size] for size in range(len(whole) - 1, 0, -97)] + [whole.replace(b'"differ"', b'"match!"'), whole[: whole.rindex(b'{"type":"end"')]]
        for content in broken:
            self.results.write_bytes(content)
            for verb in (["accept", "--manifest", self.manifest, "--store", self.store, "--results", self.results],
                         ["report", self.results, "-o", self.folder / "report", "--store", self.store],
                         ["merge", self.results, "-o", self.folder / "merged"]):
                self.assertEqual(run(*verb).returncode, 3, (verb, content[-100:]))
            self.assertEqual(self.manifest.read_bytes(), manifest)
        self.results.write_bytes(whole)
        self.edit("a", findings={"DP2-STREAM-006": 9})
        done = self.accept()
        self.assertNotEqual(done.returncode, 0)
        self.assertIn("its entry has changed since the check", done.stderr)
        self.manifest.write_bytes(manifest + b"\n")
        self.assertEqual(self.accept().returncode, 0)

    def test_a_shard_twice(self):
        """A merge of the same shard under two names is refused, whatever the other is."""
        for i in range(6):
            self.write(f"t{i}", trace([f"0xFF0000{i:02X}"]))
        shards = [self.folder / f"shard{i}" for i in (1, 2)]
        for i, shard in enumerate(shards, 1):
            self.check("--shard", f"{i}/2", results=shard)
        copy = self.folder / "copy"
        shutil.copy(shards[0], copy)
        for inputs in ([shards[0], copy], [shards[0], copy, shards[1]]):
            done = run("merge", *inputs, "-o", self.folder / "merged")
            self.assertEqual(done.returncode, 3)
            self.assertIn("occurs twice", done.stderr)
            self.assertFalse((self.folder / "merged").exists())

    def test_two_runs_at_once(self):
        """Runs that share store, cache and results end with whole results, each right."""
        names = [f"t{i}" for i in range(20)]
        self.accepted(**{name: trace([f"0xFF0000{i:02X}"], size=64) for i, name in enumerate(names)})
        self.check()
        expected = self.results.read_bytes()
        command = [self.program, "golden", "check", "--manifest", self.manifest, "--store", self.store, "--results", self.results, "--force", "--today", TODAY,
                   "--cache", self.folder / "cache", "--keep-all"]
        for _ in range(5):
            shutil.rmtree(self.folder / "cache", ignore_errors=True)
            runs = [subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE) for _ in range(3)]
            for process in runs:
                _, errors = process.communicate()
                self.assertEqual(process.returncode, 0, errors)
            self.assertEqual(self.results.read_bytes(), expected)


class Interruption(GoldenTest):
    """kill -9 at any time leaves whole files, and the next run completes the work."""

    SEED = 7

    def interrupt(self, runs, changes, folders, *arguments):
        """Starts the program so many times, and kills it after a random number of changes in the folders, none or fewer than `changes`."""
        source = random.Random(self.SEED)
        killed = 0
        for _ in range(runs):
            with subprocess.Popen([str(self.program), "golden", *map(str, arguments)], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                  env={"PATH": ""}) as process:
                for _ in range(source.randrange(changes)):
                    self.assertTrue(wait_for_event(folders, TIMEOUT_S, CHANGES, lambda: process.poll() is not None))
                process.kill()
            killed += process.returncode == -signal.SIGKILL
            yield
        self.assertGreater(killed, 0)

    def test_check_and_accept(self):
        """The results, the manifest and the store are old or new, never in between."""
        for i in range(30):
            self.write(f"t{i:02}", trace([f"0xFF0000{i:02X}"], size=256))
        self.check()
        reference = self.results.read_bytes()
        shutil.rmtree(f"{self.results}.pictures")
        self.results.unlink()
        check = ["check", "--manifest", self.manifest, "--store", self.store, "--results", self.results, "--force", "--cache", self.folder / "cache"]
        written = [self.folder, self.folder / "cache", pathlib.Path(f"{self.results}.pictures"), self.store]
        for _ in self.interrupt(20, 16, written, *check):
            if self.results.exists():
                self.assertEqual(self.results.read_bytes(), reference)
        self.check("--cache", self.folder / "cache")
        self.assertEqual(self.results.read_bytes(), reference)

        old = self.manifest.read_bytes()
        for _ in self.interrupt(20, 16, written, "accept", "--manifest", self.manifest, "--store", self.store, "--results", self.results):
            if self.manifest.read_bytes() != old:
                self.assertEqual(len(json.loads(self.manifest.read_text())["traces"]), 30)
                self.manifest.write_bytes(old)
        self.assertEqual(self.accept().returncode, 0)
        self.assertEqual(self.check().returncode, 0)
        # Every picture that the manifest names lies in the store, whole: a check of another picture can use it.
        for i in range(30):
            self.write(f"t{i:02}", trace(["0xFFFFFFFF"], size=256))
        self.check()
        for result in self.read_results().values():
            self.assertEqual(result["images"][0]["difference"]["differing_pixels"], 65536, result["message"])

    def test_report(self):
        """The report is whole or not there, and what an interruption leaves is in nobody's way."""
        self.accepted(**{f"t{i:02}": trace([f"0xFF0000{i:02X}"], frames=2, size=64) for i in range(20)})
        for i in range(20):
            self.write(f"t{i:02}", trace([f"0xFFFF00{i:02X}"], frames=2, size=64))
        self.check()
        report = self.folder / "report"
        command = ["report", self.results, "-o", report, "--store", self.store]
        self.assertEqual(run(*command).returncode, 0)
        whole = sorted(path.relative_to(report) for path in report.rglob("*"))
        shutil.rmtree(report)
        written = self.folder / "report.tmp"
        for _ in self.interrupt(30, 20, [self.folder, written, written / "data", written / "data" / "traces"], *command):
            if report.exists():
                self.assertEqual(sorted(path.relative_to(report) for path in report.rglob("*")), whole)
        again = run(*command)
        self.assertEqual(again.returncode, 0, again.stderr)
        self.assertEqual(sorted(path.relative_to(report) for path in report.rglob("*")), whole)
        self.assertEqual(list(self.folder.glob("report*.tmp")), [])

    def test_report_at_its_first_bytes(self):
        """A report that ends at the first bytes of its page is in nobody's way: signals of a limit of file sizes end it exactly there."""
        self.accepted(t=trace(["0xFF0000"], size=64))
        self.check()
        command = ["report", self.results, "-o", self.folder / "report", "--store", self.store]
        for size in (0, 1, 100):
            died = run(*command, preexec_fn=lambda size=size: resource.setrlimit(resource.RLIMIT_FSIZE, (size, size)))
            self.assertEqual(died.returncode, -signal.SIGXFSZ)
            self.assertEqual(len(list(self.folder.glob("report*.tmp"))), 1)
            again = run(*command)
            self.assertEqual(again.returncode, 0, again.stderr)
            self.assertEqual(list(self.folder.glob("report*.tmp")), [])

    def test_workers_die_with_the_check(self):
        """No worker goes on after a check that was killed."""
        self.write("heavy", HEAVY)
        with subprocess.Popen([str(self.program), "golden", "check", "--manifest", str(self.manifest)], stdout=subprocess.DEVNULL,
                              stderr=subprocess.DEVNULL) as process:
            self.assertTrue(wait_until(lambda: workers_of(process), [self.folder / "t"], TIMEOUT_S, IS_READ))
            worker = os.pidfd_open(int(workers_of(process)[0]))
            process.kill()
        self.addCleanup(os.close, worker)
        self.assertTrue(wait_for_end(worker, TIMEOUT_S), "the worker goes on")


if __name__ == "__main__":
    program_test.main("Tests dp2trace golden.")
