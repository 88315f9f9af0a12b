#!/usr/bin/env python3
"""Runs scripts/ci/slurm.sh on a real Slurm and scripts/ci/parallel.sh on GNU parallel over 300 traces, and kills a shard midway.

What must hold: the merge fails closed and names the missing shard; a second start runs only that shard and completes the run; the merged
results have the bytes that one machine writes.

usage: cluster_test.py --program PATH slurm|parallel
exit code: 0 passed, 1 failed, 77 skipped: Slurm or GNU parallel is missing or cannot be started here
"""

import argparse
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from events import wait_until
from slurm import Slurm, SlurmError

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "ci"
TRACES = 300
SHARDS = 4
VICTIM = 2  # the shard that is killed
CLEARS = 100  # of each trace: some milliseconds
TIMEOUT_S = 240


def trace(number):
    """A trace that clears its target many times and shows it."""
    rects = [[0, 0, 256, 256]]
    clears = [{"op": "CLEAR", "flags": ["TARGET"], "fill_color": f"0xFF{number:04X}{i:02X}", "fill_depth": 1, "fill_stencil": 0, "rects": rects}
              for i in range(CLEARS)]
    return json.dumps([
        {"event": "header"},
        {"event": "surface_create", "handle": 1, "kind": "target", "format": "X8R8G8B8", "width": 256, "height": 256},
        {"event": "context_create", "context": 1, "target": 1},
        {"event": "dp2", "context": 1, "vertex_type": 68, "vertex_size": 20, "commands": clears},
        {"event": "present", "handle": 1},
    ])


class Failure(Exception):
    """Something that must hold does not."""


def expect(condition, what):
    """Fails the test with what was seen."""
    if not condition:
        raise Failure(what)


class Corpus:
    """300 traces, their manifest and store, and the results of one machine."""

    def __init__(self, program, folder):
        self.program = program
        self.folder = folder
        (folder / "t").mkdir()
        for number in range(TRACES):
            (folder / f"t/t{number:03}.json").write_text(trace(number))
        (folder / "manifest.json").write_text('{"version":1,"include":["t"],"traces":[]}')
        self.golden("check", "--results", "all.jsonl")
        self.golden("accept", "--results", "all.jsonl", expected=0)
        # Not everything matches: results with nothing in them would be compared easily.
        (folder / "t/t007.json").write_text(trace(1007))
        (folder / "t/t123.json").write_text("PNG")
        (folder / "t/t200.json").unlink()
        self.golden("check", "--results", "all.jsonl", "--force", expected=1)
        self.results = (folder / "all.jsonl").read_bytes()
        expect(b'"results":300' in self.results, "the run of one machine has 300 results")

    def golden(self, verb, *arguments, expected=None):
        """Runs a verb over the manifest."""
        done = subprocess.run([self.program, "golden", verb, "--manifest", "manifest.json", "--store", "store", *arguments], cwd=self.folder,
                              env={"PATH": ""}, capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
        expect(expected is None or done.returncode == expected, f"golden {verb}: {done.returncode}: {done.stderr}")

    def environment(self):
        """What the scripts need."""
        return {**os.environ, "DP2TRACE": str(self.program), "MANIFEST": "manifest.json", "STORE": "store", "CHECK_OPTIONS": "-j 1"}

    def check_merged(self, run):
        """The results that were merged are those of one machine, and a report stands beside them."""
        expect((run / "results.jsonl").read_bytes() == self.results, "the merged results have the bytes of one machine")
        expect((run / "report/index.html").exists(), "there is a report")


def processes_of(shard, folder):
    """The processes of the program that check the shard."""
    wanted = [f"{shard}/{SHARDS}".encode(), str(folder / f"shard-{shard}.jsonl").encode()]
    for process in pathlib.Path("/proc").iterdir():
        if not process.name.isdigit():
            continue
        try:
            arguments = (process / "cmdline").read_bytes().split(b"\0")
        except OSError:  # it has just ended
            continue
        if b"golden" in arguments[:2] and all(argument in arguments for argument in wanted):
            yield int(process.name)


def send(process, what):
    """Sends a signal; a worker that has just ended, or that went with its parent, needs none."""
    try:
        os.kill(process, what)
    except ProcessLookupError:
        pass


def kill_when_working(shard, folder):
    """Kills the shard once it has begun."""
    has_begun = lambda: any(folder.glob(f"shard-{shard}.jsonl.*tmp"))
    expect(wait_until(has_begun, [folder], TIMEOUT_S), f"shard {shard} was seen at work")
    processes = list(processes_of(shard, folder))
    for process in processes:
        send(process, signal.SIGSTOP)
    expect(processes and not (folder / f"shard-{shard}.jsonl").exists(), "the shard was stopped before its end")
    for process in processes:
        send(process, signal.SIGKILL)


def shards_in(folder):
    """The shards that have results, with when these were written."""
    return {path.name: path.stat().st_mtime_ns for path in folder.glob("shard-*.jsonl")}


def check_first(folder, message):
    """After a kill: no result, and the missing shard is named."""
    expect(f"1 of {SHARDS} shards is missing: {VICTIM}/{SHARDS}" in message, f"the merge names the missing shard: {message}")
    expect(not (folder / "results.jsonl").exists(), "the merge wrote nothing")
    expect(len(shards_in(folder)) == SHARDS - 1, "the other shards are whole")


def check_second(corpus, folder, before):
    """After the second start: only the missing shard was run, and the whole is as on one machine."""
    after = shards_in(folder)
    expect({name: after.get(name) for name in before} == before, "the other shards were not run again")
    corpus.check_merged(folder)


def test_slurm(corpus):
    """An array of shards on three nodes and a job after it that merges."""
    run = corpus.folder / "run"
    with Slurm(corpus.folder / "slurm", nodes=3) as slurm:
        environment = {**corpus.environment(), **slurm.environment()}

        def submit():
            done = subprocess.run([SCRIPTS / "slurm.sh", str(SHARDS), str(run)], cwd=corpus.folder, env=environment, capture_output=True, text=True,
                                  check=False, timeout=TIMEOUT_S)
            expect(done.returncode == 0, f"slurm.sh: {done.stderr}")
            return done.stdout.strip()

        job = submit()
        kill_when_working(VICTIM, run)
        expect(slurm.wait(job, TIMEOUT_S) == "FAILED", "the job that merges fails")
        check_first(run, (run / "merge.log").read_text())
        before = shards_in(run)
        job = submit()
        state = slurm.wait(job, TIMEOUT_S)
        expect(state == "FAILED", f"the merge says that pictures differ: {state}")  # exit code 1
        check_second(corpus, run, before)


def test_parallel(corpus):
    """Shards side by side on this machine."""
    run = corpus.folder / "run"
    command = [SCRIPTS / "parallel.sh", str(SHARDS), str(run), "3/:"]
    with subprocess.Popen(command, cwd=corpus.folder, env=corpus.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
        kill_when_working(VICTIM, run)
        _, errors = process.communicate(timeout=TIMEOUT_S)
    expect(process.returncode == 3, f"the merge fails: {process.returncode}: {errors}")
    check_first(run, errors)
    before = shards_in(run)
    done = subprocess.run(command, cwd=corpus.folder, env=corpus.environment(), capture_output=True, text=True, check=False, timeout=TIMEOUT_S)
    expect(done.returncode == 1, f"the merge says that pictures differ: {done.returncode}: {done.stderr}")
    check_second(corpus, run, before)


def main():
    """Runs the test that was asked for."""
    parser = argparse.ArgumentParser(description="Tests golden runs on more than one machine.")
    parser.add_argument("--program", required=True, type=pathlib.Path, help="the dp2trace to test")
    parser.add_argument("test", choices=["slurm", "parallel"])
    options = parser.parse_args()
    needed = Slurm.PROGRAMS if options.test == "slurm" else ["parallel"]
    if missing := [name for name in needed if not shutil.which(name, path=Slurm.PATH)]:
        print(f"skipped: {', '.join(missing)} missing")
        return 77
    folder = pathlib.Path(tempfile.mkdtemp(prefix="dp2trace-cluster-"))
    try:
        (test_slurm if options.test == "slurm" else test_parallel)(Corpus(options.program.resolve(), folder))
    except SlurmError as error:
        print(f"skipped: Slurm cannot be started here: {error}")
        return 77
    except Failure as failure:
        print(f"FAILED: {failure}")
        for log in sorted(folder.glob("run/*.log")):
            print(f"--- {log.name}\n{log.read_text()[-2000:]}")
        return 1
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print("passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
