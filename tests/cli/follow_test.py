#!/usr/bin/env python3
"""Runs `dp2trace replay --follow` beside a writer that appends a recording of the toy driver in pieces, and `verify` on such recordings.

Nothing here hangs on time: the test waits for what must happen (a picture, the end of the program) as long as TIMEOUT_S.

usage: follow_test.py --program PATH --recorder PATH
"""

import argparse
import base64
import json
import os
import pathlib
import pty
import random
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import tty

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

from events import wait_until

TIMEOUT_S = 60
FRAMES = 4


def wait_for(path):
    assert wait_until(path.exists, [path.parent], TIMEOUT_S), f"no {path} within {TIMEOUT_S} s"


def chunk_ends(data):
    """The offsets after the file header and after each chunk."""
    ends = [16]
    while ends[-1] < len(data):
        (stored_size,) = struct.unpack_from("<I", data, ends[-1] + 28)
        ends.append(ends[-1] + 48 + stored_size)
    assert ends[-1] == len(data)
    return ends


def pieces(data, seed):
    """Splits bytes anywhere, often within headers."""
    rng = random.Random(seed)
    while data:
        size = rng.choice((1, 2, 7, 16, 47, 48, 49, 100, 1000))
        yield data[:size]
        data = data[size:]


def pictures(folder):
    return {path.name: path.read_bytes() for path in sorted(folder.glob("*.png"))}


class Test:
    def __init__(self, program, recorder, folder):
        self.program = program
        self.folder = folder
        self.data = subprocess.run([recorder, str(FRAMES)], check=True, stdout=subprocess.PIPE).stdout
        self.torn = subprocess.run([recorder, "2", "torn"], check=True, stdout=subprocess.PIPE).stdout
        self.wrong = subprocess.run([recorder, "2", "wrong"], check=True, stdout=subprocess.PIPE).stdout
        self.ends = chunk_ends(self.data)
        whole = folder / "whole.dp2t"
        whole.write_bytes(self.data)
        self.expected = folder / "expected"
        done = self.run("replay", whole, "-o", self.expected, "--no-times")
        assert done.returncode == 0, done.stderr
        assert len(pictures(self.expected)) == FRAMES
        self.count = 0

    def run(self, *arguments, **more):
        return subprocess.run([self.program, *arguments], capture_output=True, timeout=TIMEOUT_S, **more)

    def start(self, trace, *options, **more):
        """The program on a trace that grows, and its output folder."""
        self.count += 1
        out = self.folder / f"out-{self.count}"
        command = [self.program, "replay", trace, "--follow", "-o", out, "--no-times", *options]
        return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, **more), out

    def finish(self, process, code):
        try:
            _, errors = process.communicate(timeout=TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()
            raise
        assert process.returncode == code, (process.returncode, errors)
        return errors.decode()

    def empty_file(self):
        path = self.folder / f"growing-{self.count}.dp2t"
        path.write_bytes(b"")
        return path

    def append(self, path, data):
        with open(path, "ab", buffering=0) as file:
            file.write(data)

    def same_as_whole(self, out):
        assert pictures(out) == pictures(self.expected)
        report, expected = (json.loads((folder / "report.json").read_text()) for folder in (out, self.expected))
        for one in (report, expected):
            del one["trace"]
        assert report == expected

    # ---- what is tested ----

    def test_any_split_gives_the_pictures_of_the_whole(self):
        for seed in range(3):
            path = self.empty_file()
            process, out = self.start(path)
            for piece in pieces(self.data, seed):
                self.append(path, piece)
            self.finish(process, 0)  # ends with the footer
            self.same_as_whole(out)

    def test_a_file_that_does_not_exist_yet_is_waited_for(self):
        path = self.folder / "later.dp2t"
        process, out = self.start(path)
        assert b"waiting for" in process.stderr.readline()
        self.append(path, self.data)
        self.finish(process, 0)
        self.same_as_whole(out)

    def test_a_file_that_never_comes_is_an_error(self):
        for stop in (["--idle", "0.1"], []):
            process, out = self.start(self.folder / "never.dp2t", *stop)
            assert b"waiting for" in process.stderr.readline()
            if not stop:
                process.send_signal(signal.SIGINT)
            assert "No such file" in self.finish(process, 3)
            assert not out.exists()

    def test_a_frame_is_written_when_it_is_complete(self):
        path = self.empty_file()
        process, out = self.start(path)
        names = [f"frame-{i + 1:06}.png" for i in range(FRAMES)]
        written = 0
        for end in self.ends:
            self.append(path, self.data[written:end])
            written = end
            done = sum((out / name).exists() for name in names)
            if end == self.ends[len(self.ends) // 2]:
                wait_for(out / names[0])
                assert process.poll() is None
                assert not (out / names[-1]).exists()
                assert not (out / "report.json").exists()
            assert done <= FRAMES
        self.finish(process, 0)
        self.same_as_whole(out)

    def interrupted(self, data, code):
        path = self.empty_file()
        process, out = self.start(path)
        self.append(path, data)
        wait_for(out / "frame-000001.png")
        process.send_signal(signal.SIGINT)
        errors = self.finish(process, code)
        report = json.loads((out / "report.json").read_text())
        assert report["summary"]["complete"] == (code == 0)
        for image in report["images"]:
            assert (out / image["file"]).exists()
        return errors, report

    def test_an_interrupt_after_a_whole_chunk_ends_a_whole_trace(self):
        errors, _ = self.interrupted(self.data[: self.ends[len(self.ends) // 2]], 0)
        assert errors == "", errors

    def test_an_interrupt_within_a_chunk_ends_a_trace_that_is_cut(self):
        errors, _ = self.interrupted(self.data[: self.ends[len(self.ends) // 2] + 60], 3)
        assert "TRACE-007" in errors, errors

    def test_a_torn_tail_keeps_what_is_before_it(self):
        path = self.empty_file()
        self.append(path, self.torn)
        process, out = self.start(path, "--idle", "0.2")
        errors = self.finish(process, 3)
        assert "TRACE-007" in errors, errors
        assert (out / "frame-000001.png").exists()

    def test_idle_ends_a_trace_that_does_not_go_on(self):
        path = self.empty_file()
        self.append(path, self.data[: self.ends[-3]])  # all but index and footer
        process, out = self.start(path, "--idle", "0.2")
        self.finish(process, 0)
        assert pictures(out) == pictures(self.expected)

    def test_a_pipe_ends_with_its_writer(self):
        process, out = self.start("-", stdin=subprocess.PIPE)
        for piece in pieces(self.data[: self.ends[-3]], 7):
            process.stdin.write(piece)
            process.stdin.flush()
        self.finish(process, 0)
        assert pictures(out) == pictures(self.expected)
        fifo = self.folder / "pipe"
        os.mkfifo(fifo)
        process, out = self.start(fifo)
        with open(fifo, "wb", buffering=0) as file:
            for piece in pieces(self.data, 8):
                file.write(piece)
        self.finish(process, 0)
        self.same_as_whole(out)

    def test_an_appended_session_is_followed(self):
        path = self.empty_file()
        self.append(path, self.data + self.data)
        process, out = self.start(path)
        self.finish(process, 0)
        assert len(pictures(out)) == 2 * FRAMES

    def begun_anew(self, cut, change, word, code):
        """A trace whose file begins anew after a whole chunk, or `cut` bytes more: its pictures come after those that were there."""
        path = self.empty_file()
        process, out = self.start(path)
        self.append(path, self.data[: self.ends[len(self.ends) // 2] + cut])
        wait_for(out / "frame-000001.png")
        change(path)
        note = process.stderr.readline().decode()
        assert f"was {word}: it is read from its start" in note, note
        self.append(path, self.data)
        errors = self.finish(process, code)
        frames = list(pictures(out).values())
        assert len(frames) > FRAMES and frames[-FRAMES:] == list(pictures(self.expected).values())
        return errors

    def test_a_file_that_is_truncated_is_read_from_its_start(self):
        def truncate(path):
            os.truncate(path, 0)

        assert self.begun_anew(0, truncate, "truncated", 0) == ""
        assert "TRACE-007" in self.begun_anew(60, truncate, "truncated", 3)

    def test_a_file_that_is_truncated_and_grows_at_once_is_read_from_its_start(self):
        path = self.empty_file()
        process, out = self.start(path)
        self.append(path, self.data[: self.ends[len(self.ends) // 2]])
        wait_for(out / "frame-000001.png")
        process.send_signal(signal.SIGSTOP)
        path.write_bytes(b"the machine started again\n" + self.data)
        process.send_signal(signal.SIGCONT)
        note = process.stderr.readline().decode()
        assert "was truncated: it is read from its start" in note, note
        self.finish(process, 0)
        frames = list(pictures(out).values())
        assert len(frames) > FRAMES and frames[-FRAMES:] == list(pictures(self.expected).values())

    def test_a_file_that_is_replaced_is_read_from_its_start(self):
        def replace(path):
            new = path.with_suffix(".new")
            new.write_bytes(b"")
            new.rename(path)

        assert self.begun_anew(0, replace, "replaced", 0) == ""
        assert "TRACE-007" in self.begun_anew(60, replace, "replaced", 3)

    def test_a_named_pipe_may_have_a_writer_for_each_append(self):
        fifo = self.folder / "appends"
        os.mkfifo(fifo)
        process, out = self.start(fifo)
        for begin, end in zip([0, *self.ends], self.ends):
            with open(fifo, "wb", buffering=0) as file:
                file.write(self.data[begin:end])
            if end != self.ends[-1]:
                assert b"waiting for the next writer" in process.stderr.readline()
        self.finish(process, 0)
        self.same_as_whole(out)

    def test_the_lines_of_a_log_are_followed(self):
        lines = ["boot: nothing of ours\r\n", "D2T:\n", "x" * 9000 + "\n"]
        for begin in range(0, len(self.data), 72):
            text = base64.b64encode(self.data[begin : begin + 72]).decode()
            lines.append(f"[{begin / 1000:9.3f}] driver D2T:{text}\r\n")
            if begin % 5 == 0:
                lines.append("irq 7: somebody else's line with D2T in it\n")
        log = "".join(lines).encode()
        for seed in range(2):
            path = self.folder / f"serial-{seed}.log"
            path.write_bytes(b"")
            process, out = self.start(path)
            for piece in pieces(log, seed):
                self.append(path, piece)
            self.finish(process, 0)  # ends with the footer
            self.same_as_whole(out)
        process, out = self.start("-", stdin=subprocess.PIPE)
        process.stdin.write(log.rstrip())  # the last line has no end
        process.stdin.close()
        process.stdin = None
        self.finish(process, 0)
        assert pictures(out) == pictures(self.expected)
        nothing = self.folder / "nothing.log"
        nothing.write_bytes(b"\n".join([b"no line of ours"] * 10))
        process, _ = self.start(nothing, "--idle", "0.2")
        assert "TRACE-002" in self.finish(process, 3)

    def test_nothing_but_a_header_is_an_error(self):
        path = self.empty_file()
        self.append(path, self.data[: self.ends[0]])
        process, _ = self.start(path, "--idle", "0.2")
        assert "after 0 events" in self.finish(process, 3)

    def test_a_socket_and_a_cooked_terminal_say_what_to_do(self):
        name = self.folder / "socket"
        with socket.socket(socket.AF_UNIX) as server:
            server.bind(str(name))
            process, _ = self.start(name)
            assert "socat -u UNIX-CONNECT" in self.finish(process, 2)
        master, slave = pty.openpty()
        process, _ = self.start(os.ttyname(slave), "--idle", "0.2")
        assert "stty raw" in self.finish(process, 3)
        tty.setraw(slave)
        process, _ = self.start(os.ttyname(slave), "--idle", "0.2")
        assert "stty raw" not in self.finish(process, 3)
        os.close(master)
        os.close(slave)

    def test_what_cannot_be_followed_is_refused(self):
        assert self.run("replay", "x.json", "--follow", "-o", "x").returncode == 2
        assert self.run("replay", "missing/trace.dp2t", "--follow", "-o", "x").returncode == 3
        assert self.run("replay", "x.dp2t", "--idle", "1", "-o", "x").returncode == 2
        assert self.run("replay", "x.dp2t", "--follow", "--frames", "last", "-o", "x").returncode == 2
        text = self.folder / "text.dp2t"
        text.write_text("this is not a container, but a text that is long enough to look like nothing else\n" * 4)
        done = self.run("replay", text, "--follow", "--idle", "0.2", "-o", self.folder / "text")
        assert done.returncode == 3 and b"TRACE-002" in done.stderr, done

    def test_verify_compares_what_the_driver_recorded(self):
        good, wrong = self.folder / "good.dp2t", self.folder / "wrong.dp2t"
        good.write_bytes(self.data)
        wrong.write_bytes(self.wrong)
        done = self.run("verify", good.name, cwd=self.folder)
        assert done.returncode == 0 and done.stdout.endswith(b": sound\n"), done
        done = self.run("verify", wrong.name, "-o", "verify", cwd=self.folder)
        assert done.returncode == 1, done
        assert b"1 of 128 pixels differ, in region 5,3,1,1" in done.stdout, done
        assert b"last written by draw 4 (event" in done.stdout and b"CLEAR)" in done.stdout, done
        assert sorted(path.name for path in (self.folder / "verify").iterdir()) == [
            f"picture-000002-{side}.png" for side in ("difference", "driver", "replay")
        ]
        done = self.run("verify", wrong.name, "--tolerance", "16", cwd=self.folder)
        assert done.returncode == 0, done
        done = self.run("verify", "-", "--format", "json", input=self.wrong)
        assert done.returncode == 1 and json.loads(done.stdout)["traces"][0]["summary"]["differing_pictures"] == 1, done


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", required=True)
    parser.add_argument("--recorder", required=True)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dp2trace-follow-") as folder:
        test = Test(pathlib.Path(arguments.program).resolve(), arguments.recorder, pathlib.Path(folder))
        for name in [name for name in dir(Test) if name.startswith("test_")]:
            getattr(test, name)()
            print(f"ok: {name}")


if __name__ == "__main__":
    main()
