"""A Slurm of its own on this machine: a controller and some nodes, with everything in one folder, ended whatever happens.

Nodes are slurmd processes with names and ports of their own. Authentication is `none` where the build has it, otherwise a munged with a key
and socket in the folder.
"""

import os
import pathlib
import pwd
import secrets
import shutil
import signal
import socket
import subprocess
import time

START_S = 60


class SlurmError(Exception):
    """Slurm does not run here."""


def free_ports(count):
    """Ports that nothing listens on."""
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


class Slurm:
    """Starts in `with`."""

    PATH = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    PROGRAMS = ["slurmctld", "slurmd", "sbatch", "scontrol", "sinfo"]

    def __init__(self, folder, nodes):
        self.folder = folder
        self.nodes = [f"node{i}" for i in range(1, nodes + 1)]
        self.processes = []
        self.config = folder / "slurm.conf"

    def environment(self):
        """What the programs of Slurm need."""
        return {"PATH": self.PATH, "SLURM_CONF": str(self.config)}

    def __enter__(self):
        try:
            self.folder.mkdir()
            self.configure()
            self.start()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def authentication(self):
        """Lines of the configuration."""
        if list(pathlib.Path("/usr/lib").glob("**/slurm*/auth_none.so")):
            return ["AuthType=auth/none", "CredType=cred/none"]
        if not shutil.which("munged", path=self.PATH):
            raise SlurmError("there is neither auth/none nor munged")
        key = self.folder / "munge.key"
        key.write_bytes(secrets.token_bytes(128))
        key.chmod(0o400)
        paths = {name: self.folder / f"munge.{name}" for name in ("socket", "log-file", "pid-file", "seed-file")}
        self.spawn("munged", "--foreground", "--force", f"--key-file={key}", *(f"--{name}={path}" for name, path in paths.items()))
        return ["AuthType=auth/munge", f"AuthInfo=socket={paths['socket']}", "CredType=cred/munge"]

    def configure(self):
        """Writes slurm.conf."""
        user = pwd.getpwuid(os.getuid()).pw_name
        host = socket.gethostname()
        ports = free_ports(1 + len(self.nodes))
        state = self.folder / "state"
        state.mkdir()
        lines = [
            "ClusterName=dp2trace", f"SlurmctldHost={host}(127.0.0.1)", f"SlurmctldPort={ports[0]}", f"SlurmUser={user}", f"SlurmdUser={user}",
            *self.authentication(), f"StateSaveLocation={state}", f"SlurmdSpoolDir={self.folder}/spool-%n",
            f"SlurmctldPidFile={self.folder}/slurmctld.pid", f"SlurmdPidFile={self.folder}/%n.pid", f"SlurmctldLogFile={self.folder}/slurmctld.log",
            f"SlurmdLogFile={self.folder}/%n.log", "ProctrackType=proctrack/pgid", "TaskPlugin=task/none", "SelectType=select/cons_tres",
            "SelectTypeParameters=CR_CPU", "SlurmdParameters=config_overrides", "ReturnToService=2", "SwitchType=switch/none", "MpiDefault=none",
            "AccountingStorageType=accounting_storage/none", "JobAcctGatherType=jobacct_gather/none", "JobRequeue=0", "KillWait=2",
            "MinJobAge=600", "SchedulerType=sched/builtin", "SchedulerParameters=batch_sched_delay=0,sched_interval=2",
        ]
        for name, port in zip(self.nodes, ports[1:]):
            (self.folder / f"spool-{name}").mkdir()
            lines.append(f"NodeName={name} NodeHostname={host} NodeAddr=127.0.0.1 Port={port} CPUs=1 RealMemory=500 State=UNKNOWN")
        lines.append(f"PartitionName=all Nodes={','.join(self.nodes)} Default=YES MaxTime=INFINITE State=UP")
        self.config.write_text("\n".join(lines) + "\n")

    def spawn(self, *command):
        """Starts a daemon in the foreground."""
        with open(self.folder / "daemons.log", "ab") as log:
            # pylint: disable-next=consider-using-with
            self.processes.append(subprocess.Popen(command, env={**os.environ, **self.environment()}, stdin=subprocess.DEVNULL, stdout=log, stderr=log,
                                                   start_new_session=True))

    def start(self):
        """Starts the daemons and waits until all nodes are idle."""
        self.spawn("slurmctld", "-D", "-f", str(self.config))
        for name in self.nodes:
            self.spawn("slurmd", "-D", "-N", name, "-f", str(self.config))
        end = time.monotonic() + START_S
        states = ""
        while time.monotonic() < end:
            if any(process.poll() is not None for process in self.processes):
                break
            states = self.ask("sinfo", "-h", "-N", "-o", "%t")
            if states.split() == ["idle"] * len(self.nodes):
                return
            time.sleep(0.2)
        raise SlurmError(f"the nodes are {states.split()}: {self.logs()}")

    def logs(self):
        """The ends of the logs."""
        return "\n".join(f"{log.name}: {log.read_text(errors='replace')[-600:]}" for log in sorted(self.folder.glob("*.log")))

    def ask(self, *command):
        """The standard output of a program of Slurm; empty where it fails."""
        done = subprocess.run(command, env={**os.environ, **self.environment()}, capture_output=True, text=True, check=False, timeout=START_S)
        return done.stdout if done.returncode == 0 else ""

    def wait(self, job, limit_s):
        """The state in which a job ended."""
        end = time.monotonic() + limit_s
        state = ""
        while time.monotonic() < end:
            words = dict(word.split("=", 1) for word in self.ask("scontrol", "show", "job", "-o", job).split() if "=" in word)
            state = words.get("JobState", "")
            if state not in ("", "PENDING", "RUNNING", "COMPLETING", "CONFIGURING"):
                return state
            time.sleep(0.2)
        return f"not ended in {limit_s} s: {state}"

    def stop(self):
        """Ends the daemons, and what they started."""
        if len(self.processes) > 1:
            self.ask("scancel", "--user", pwd.getpwuid(os.getuid()).pw_name)
        for process in reversed(self.processes):
            process.terminate()
        for process in self.processes:
            try:
                process.wait(timeout=10)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        for left in self.left_behind():
            try:
                os.kill(left, signal.SIGKILL)
            except ProcessLookupError:
                pass
        self.processes = []

    def left_behind(self):
        """Processes whose environment names this configuration: steps and their jobs."""
        wanted = f"SLURM_CONF={self.config}".encode()
        for process in pathlib.Path("/proc").iterdir():
            if not process.name.isdigit() or int(process.name) == os.getpid():
                continue
            try:
                if wanted in (process / "environ").read_bytes().split(b"\0"):
                    yield int(process.name)
            except OSError:  # another user's, or it has just ended
                continue
