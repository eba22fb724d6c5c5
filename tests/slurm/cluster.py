# SPDX-License-Identifier: MIT
"""A Slurm cluster for a test: munged, one slurmctld and one slurmd on loopback, with keys, state, ports and logs of
their own in one folder. Whoever starts it needs no rights on the machine's own Slurm, and stop() leaves nothing."""
import ctypes
import getpass
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import time

SECONDS_TO_START = 40
SECONDS_TO_STOP = 10
SET_PARENT_DEATH_SIGNAL, SET_CHILD_SUBREAPER = 1, 36  # of prctl(2)
COMMANDS = ("munged", "slurmctld", "slurmd", "sbatch", "squeue", "scancel", "scontrol", "sinfo")
NODE = "node1"
REQUEUE_SECONDS = 5  # a requeued job waits until what it was started with has expired

CONF = """\
ClusterName=gpusimtest
SlurmctldHost={host}(127.0.0.1)
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket,cred_expire={requeue_seconds}
CredType=cred/munge
SlurmctldPort={controller_port}
SlurmdPort={node_port}
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd.log
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmdParameters=config_overrides
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SwitchType=switch/none
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core_Memory
SchedulerType=sched/backfill
SchedulerParameters=batch_sched_delay=0,bf_interval=1,sched_interval=2
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
JobRequeue=1
ReturnToService=2
KillWait=2
MinJobAge=3600
NodeName={node} NodeAddr=127.0.0.1 CPUs={cpus} RealMemory={memory_mib} State=UNKNOWN
PartitionName=test Nodes={node} Default=YES MaxTime=60 State=UP
"""


class CannotStart(Exception):
    """There is no Slurm on this machine, or it does not run here. Says why."""


def missing_commands():
    return [command for command in COMMANDS if find(command) is None]


def find(command):
    """Daemons are in sbin, which is not on everybody's PATH."""
    return shutil.which(command, path=os.environ.get("PATH", os.defpath) + ":/usr/sbin:/sbin")


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    try:
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]
    finally:
        for one in sockets:
            one.close()


def accepts(port):
    with socket.socket() as one:
        return one.connect_ex(("127.0.0.1", port)) == 0


def end_with_parent():
    """Runs in a daemon before it becomes one: it may not outlive a test that was killed."""
    ctypes.CDLL(None).prctl(SET_PARENT_DEATH_SIGNAL, signal.SIGTERM)


def reap_orphans():
    """slurmstepd detaches itself from slurmd. What has ended is let go of; what has not is not ours to wait for."""
    try:
        while os.waitpid(-1, os.WNOHANG) != (0, 0):
            pass
    except ChildProcessError:
        pass


class Cluster:
    """`with Cluster(folder) as cluster:`; raises CannotStart. The folder must exist; its path must not have spaces,
    which slurm.conf cannot hold."""

    def __init__(self, folder, cpus=2, memory_mib=2000):
        self.folder = pathlib.Path(folder)
        self.conf = self.folder / "slurm.conf"
        self.daemons = []
        self.cpus = cpus
        self.memory_mib = memory_mib

    def environment(self):
        return {**os.environ, "SLURM_CONF": str(self.conf)}

    def __enter__(self):
        if missing_commands():
            raise CannotStart(f"not installed: {', '.join(missing_commands())} (packages slurm-wlm and munge)")
        try:
            self._write_files()
            self._start_all()
        except BaseException:
            self.stop()
            raise
        return self

    def __exit__(self, *_):
        self.stop()

    def run(self, *command):
        """A client command; its output. Raises CalledProcessError."""
        done = subprocess.run([find(command[0]), *command[1:]], env=self.environment(), text=True, check=True,
                              capture_output=True, timeout=60)
        return done.stdout

    def stop(self):
        """Jobs first, then the daemons in the opposite order of their start."""
        if len(self.daemons) == 3:
            subprocess.run([find("scancel"), "--signal=KILL", "--full", f"--user={getpass.getuser()}"],
                           env=self.environment(), check=False, capture_output=True, timeout=60)
            self._wait_for_no_step()
        while self.daemons:
            self._end(self.daemons.pop())
        reap_orphans()

    def _write_files(self):
        self.folder.chmod(0o711)  # munged insists that everybody could reach its socket
        for name in ("state", "spool"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.touch(mode=0o600)
        key.write_bytes(os.urandom(128))
        self.controller_port, node_port = free_ports(2)
        self.conf.write_text(CONF.format(
            folder=self.folder, host=socket.gethostname().split(".")[0], node=NODE, user=getpass.getuser(),
            requeue_seconds=REQUEUE_SECONDS, cpus=self.cpus, memory_mib=self.memory_mib,
            controller_port=self.controller_port, node_port=node_port))

    def _start_all(self):
        folder = self.folder
        ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, 1)
        self._start("munged", "--foreground", f"--key-file={folder}/munge.key", f"--socket={folder}/munge.socket",
                    f"--pid-file={folder}/munged.pid", f"--seed-file={folder}/munge.seed", "--num-threads=2")
        self._wait("munged", lambda: (folder / "munge.socket").exists())
        self._start("slurmctld", "-D", "-f", str(self.conf))
        self._wait("slurmctld", lambda: accepts(self.controller_port))
        self._start("slurmd", "-D", "-f", str(self.conf), "-N", NODE)
        self._wait("slurmd", lambda: self._node_state() in ("idle", "mixed"))

    def _start(self, name, *arguments):
        with open(self.folder / f"{name}.out", "w", encoding="utf-8") as output:
            self.daemons.append(subprocess.Popen([find(name), *arguments], env=self.environment(), cwd=self.folder,
                                                 stdin=subprocess.DEVNULL, stdout=output, stderr=output,
                                                 start_new_session=True, preexec_fn=end_with_parent))

    def _node_state(self):
        done = subprocess.run([find("sinfo"), "--noheader", "--format=%t"], env=self.environment(), text=True,
                              check=False, capture_output=True, timeout=60)
        return done.stdout.strip()

    def _wait(self, name, is_ready):
        end = time.monotonic() + SECONDS_TO_START
        while not is_ready():
            dead = [daemon.args[0] for daemon in self.daemons if daemon.poll() is not None]
            if dead or time.monotonic() > end:
                what = f"{dead[0]} ended" if dead else f"{name} was not ready within {SECONDS_TO_START} s"
                raise CannotStart(f"{what}: {self._last_words()}")
            time.sleep(0.1)

    def _last_words(self):
        lines = []
        for file in sorted(self.folder.glob("*.out")):
            lines += [f"{file.stem}: {line}" for line in file.read_text(errors="replace").splitlines()[-3:]]
        return "; ".join(lines) or "no output"

    def _wait_for_no_step(self):
        """slurmstepd outlives slurmd: it must have ended before the folder goes."""
        end = time.monotonic() + SECONDS_TO_STOP
        while list((self.folder / "spool").glob(f"{NODE}_*")) and time.monotonic() < end:
            time.sleep(0.1)

    def _end(self, daemon):
        daemon.send_signal(signal.SIGTERM)
        try:
            daemon.wait(SECONDS_TO_STOP)
        except subprocess.TimeoutExpired:
            daemon.kill()
            daemon.wait()
