#!/usr/bin/env python3
"""Runs the files of scripts/ci as the systems that they are for would: the shell commands of the action, the workflow and the pipeline, in their order and
with their variables, over a small repository of traces. What installs the program is left out: it is there.

usage: ci_test.py --program PATH [unittest arguments]
exit code: 77 skipped: python3-yaml or git is missing
"""

import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "support"))

import program_test

try:
    import yaml
except ImportError:
    sys.exit(77)

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPTS = ROOT / "scripts" / "ci"
TAG = "v0.1.0"
INSTALL = "#!/bin/sh\nmkdir -p \"$1\"\ncommand -v dp2trace > /dev/null\n"
EXPRESSION = re.compile(r"\$\{\{\s*(.*?)\s*\}\}")


def trace(color):
    """A trace that clears its target and shows it."""
    return json.dumps([*program_test.beginning(8), program_test.call([program_test.clear(color, 8)]), program_test.PRESENT])


def evaluate(value, known):
    """A value of a workflow with its expressions replaced by what is known of them; fails for any other."""
    return EXPRESSION.sub(lambda match: known[match[1]], str(value))


class Ci(program_test.ProgramTest):
    """A repository with four traces and an accepted manifest, and scripts/ci of the tag beside it."""

    def setUp(self):
        super().setUp()
        self.repository = self.folder / "repository"
        (self.repository / "t").mkdir(parents=True)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        (self.bin / "dp2trace").symlink_to(program_test.ProgramTest.program)
        self.tools = self.folder / "dp2trace"
        shutil.copytree(SCRIPTS, self.tools / "scripts" / "ci")
        (self.tools / "scripts" / "ci" / "install.sh").write_text(INSTALL)
        for i in range(4):
            self.write(i, f"0xFF0000{i:02X}")
        (self.repository / "manifest.json").write_text('{"version":1,"include":["t"],"traces":[]}')
        self.shell("dp2trace golden check --results r || dp2trace golden accept --results r && rm -r r")

    def write(self, number, color):
        """Writes a trace."""
        (self.repository / "t" / f"{number}.json").write_text(trace(color))

    def shell(self, script, code=0, **variables):
        """Runs a script in the repository as CI does: each command must succeed. Returns what it printed."""
        environment = {"PATH": f"{self.bin}:{os.environ['PATH']}", "HOME": str(self.folder), "LC_ALL": "C", **{key: str(value) for key, value in variables.items()}}
        done = subprocess.run(["bash", "-e", "-c", script], cwd=self.repository, env=environment, capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, code, (script, done.stdout, done.stderr))
        return done.stdout

    def pictures(self):
        """How many pictures the store has."""
        return len(list((self.repository / "pictures").glob("*/*.png")))

    def test_check(self):
        """Exit codes are those of the check, the report is there whatever it found, and a job may fill the store."""
        self.shell(f"{SCRIPTS}/check.sh run")
        self.assertEqual(self.pictures(), 0)
        self.shell(f"{SCRIPTS}/check.sh run", SAVE_STORE="true")
        self.assertEqual(self.pictures(), 4)
        self.write(0, "0xFF00FF00")
        out = self.shell(f"{SCRIPTS}/check.sh run", code=1, REPORT_OPTIONS="--output github=-")
        self.assertIn("::error", out)
        run = self.repository / "run"
        self.assertIn("<failure", (run / "golden.xml").read_text())
        self.assertTrue((run / "report" / "index.html").exists())
        self.shell(f"{SCRIPTS}/check.sh run", code=3, MANIFEST="missing.json")

    def run_action(self, is_default, code=0):
        """Runs the steps of the action."""
        action = yaml.safe_load((SCRIPTS / "action.yml").read_text())
        known = {f"inputs.{name}": data["default"] for name, data in action["inputs"].items()}
        known["inputs.cache-store == 'true' && github.ref_name == github.event.repository.default_branch"] = str(is_default).lower()
        steps = [step for step in action["runs"]["steps"] if "run" in step]
        self.assertEqual(len(steps), 2)
        output = self.folder / "output"
        for step in steps:
            variables = {key: evaluate(value, known) for key, value in step.get("env", {}).items()}
            self.shell(step["run"], code=code if step is steps[-1] else 0, GITHUB_ACTION_PATH=self.tools / "scripts" / "ci", RUNNER_TEMP=self.folder / "temp",
                       GITHUB_OUTPUT=output, GITHUB_STEP_SUMMARY=self.folder / "summary", CI="true", **variables)
        self.assertIn(f"folder={self.folder}/temp/golden", output.read_text())

    def test_action(self):
        """The default branch fills the store; another branch reads it, and fails with a report."""
        (self.folder / "summary").touch()
        self.run_action(is_default=True)
        self.assertEqual(self.pictures(), 4)
        self.write(1, "0xFF00FF00")
        self.run_action(is_default=False, code=1)
        self.assertEqual(self.pictures(), 4)
        self.assertIn("1 trace fails", (self.folder / "summary").read_text())

    def run_job(self, job, known, code=0):
        """Runs the shell commands of a job of the workflow, whose checkout of the tag is made."""
        if not (self.repository / ".dp2trace").exists():
            shutil.copytree(self.tools, self.repository / ".dp2trace")
        steps = [step for step in job["steps"] if "run" in step]
        for step in steps:
            variables = {key: evaluate(value, known) for key, value in step.get("env", {}).items()}
            self.shell(evaluate(step["run"], known), code=code if step is steps[-1] else 0, CI="true", **variables)

    def test_workflow(self):
        """The shards and their merge find what the action finds."""
        jobs = yaml.safe_load((SCRIPTS / "github-actions.yml").read_text())["jobs"]
        self.write(2, "0xFF00FF00")
        shards = jobs["shard"]["strategy"]["matrix"]["shard"]
        for shard in shards:
            self.run_job(jobs["shard"], {"matrix.shard": str(shard), "strategy.job-total": str(len(shards))})
        self.run_job(jobs["merge"], {}, code=1)
        self.assertIn("<failure", (self.repository / "run" / "golden.xml").read_text())
        (self.repository / "run" / "shard-3.jsonl").unlink()
        self.run_job(jobs["merge"], {}, code=3)

    def pipeline_job(self, pipeline, name, code=0, **variables):
        """Runs a job of the pipeline, with what it extends."""
        job = pipeline[name]
        base = pipeline[job["extends"]]
        given = {**pipeline["variables"], **base["variables"], **job.get("variables", {}), **variables, "DP2TRACE_REPOSITORY": self.tools}
        shutil.rmtree(self.repository / ".dp2trace", ignore_errors=True)
        lines = base["before_script"] + job["script"]
        self.shell("\n".join(lines), code=code, CI="true", **given)

    def test_pipeline(self):
        """GitLab: one job, and the same in shards."""
        git = ["git", "-c", "user.name=t", "-c", "user.email=t@example.org", "-C", self.tools]
        for arguments in (["init", "-q"], ["add", "-A"], ["commit", "-q", "-m", "t"], ["tag", TAG]):
            subprocess.run([*git, *arguments], check=True, capture_output=True)
        pipeline = yaml.safe_load((SCRIPTS / "gitlab-ci.yml").read_text())
        self.assertEqual(pipeline["variables"]["DP2TRACE_TAG"], TAG)
        self.pipeline_job(pipeline, "golden", **pipeline["golden"]["rules"][0]["variables"])
        self.assertEqual(self.pictures(), 4)
        self.write(3, "0xFF00FF00")
        self.pipeline_job(pipeline, "golden", code=1)
        self.assertEqual(len(json.loads((self.repository / "run" / "golden-quality.json").read_text())), 1)
        shutil.rmtree(self.repository / "run")
        shards = pipeline["golden-shard"]["parallel"]
        for shard in range(1, shards + 1):
            self.pipeline_job(pipeline, "golden-shard", CI_NODE_INDEX=shard, CI_NODE_TOTAL=shards)
        self.pipeline_job(pipeline, "golden-merge", code=1)
        self.assertIn("<failure", (self.repository / "run" / "golden.xml").read_text())

    def test_hooks(self):
        """What the hooks of pre-commit start fails for a trace that breaks a rule, and for a picture that is not as expected."""
        hooks = {hook["id"]: hook for hook in yaml.safe_load((ROOT / ".pre-commit-hooks.yaml").read_text())}
        self.shell("dp2trace convert t/0.json good.dp2t")
        (self.repository / "bad.json").write_text(json.dumps([*program_test.beginning(8), program_test.call([{"raw": "f0000000"}])]))
        self.shell("dp2trace convert bad.json bad.dp2t")
        lint = hooks["dp2trace-lint"]
        self.assertTrue(re.search(lint["files"], "folder/good.dp2t"))
        self.shell(f"{lint['entry']} good.dp2t")
        self.shell(f"{lint['entry']} good.dp2t bad.dp2t", code=1)
        golden = hooks["dp2trace-golden"]
        self.shell(golden["entry"])
        self.write(0, "0xFF00FF00")
        self.shell(golden["entry"], code=1)


if __name__ == "__main__":
    if shutil.which("git") is None:
        sys.exit(77)
    program_test.main(__doc__)
