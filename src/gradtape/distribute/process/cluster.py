"""Joining the other processes of a job, by JAX's distributed runtime.

    cluster = join()
    cluster.process_id, cluster.process_count, cluster.is_chief

Where the processes meet is said by `TF_CONFIG`, as for TensorFlow; by the variables that
`gradtape launch` sets; or by SLURM's and Open MPI's, which JAX reads itself (see `membership`).
"""

from __future__ import annotations

import contextlib
import errno
import inspect
import json
import logging
import os
import socket
import sys
import threading
import time
from dataclasses import dataclass
from typing import Any

from gradtape.distribute.process import faults, membership
from gradtape.distribute.process.coordination import KeyValueStore, coordinator_address, store
from gradtape.distribute.process.exit_messages import exit_reporter
from gradtape.distribute.process.membership import ClusterError, Membership

__all__ = ["Cluster", "ClusterError", "current", "join"]

JOIN_TIMEOUT = "GRADTAPE_JOIN_TIMEOUT"
_DEFAULT_JOIN_TIMEOUT = 300.0
# JAX ends the process at its own timeout, without an exception: ours comes first.
_MARGIN = 600
_PROBE_SECONDS = 0.2
# How long a process whose program has ended stays for the others, who may evaluate or save.
_SHUTDOWN_SECONDS = 3600


@dataclass(frozen=True)
class Cluster:
    """The processes of a job, seen from one of them."""

    process_id: int = 0
    process_count: int = 1
    coordinator: str = ""
    addresses: tuple[str, ...] = ()

    @property
    def is_chief(self) -> bool:
        """Whether this process writes what is written once: checkpoints, logs."""
        return self.process_id == 0


_joined: list[Cluster] = []
_joining = threading.Lock()


def current() -> Cluster:
    """Return the cluster that this process has joined; one of this process alone if it has not."""
    return _joined[0] if _joined else Cluster()


def join(
    resolver: Any = None,
    *,
    coordinator: str | None = None,
    process_count: int | None = None,
    process_id: int | None = None,
    timeout: float | None = None,
    fault_timeout: float | None = None,
) -> Cluster:
    """Join the other processes of the job; a second call changes nothing.

    `timeout`: seconds to wait for the others (300, or GRADTAPE_JOIN_TIMEOUT). `fault_timeout`:
    seconds after which a process that shows no life counts as lost (20, or
    GRADTAPE_FAULT_TIMEOUT).
    """
    with _joining:
        if not _joined:
            member = membership.find(resolver, coordinator, process_count, process_id)
            patience = faults.seconds(timeout, JOIN_TIMEOUT, _DEFAULT_JOIN_TIMEOUT)
            _joined.append(_join(member, patience, fault_timeout))
        return _joined[0]


def _join(member: Membership, timeout: float, fault_timeout: float | None) -> Cluster:
    if _has_joined_by_itself():
        member = Membership(None, None, None, (), "jax.distributed.initialize")
    elif member.alone:
        return Cluster()
    jax = _jax()
    within = faults.seconds(fault_timeout, faults.TIMEOUT, faults.DEFAULT_TIMEOUT)
    if not jax.distributed.is_initialized():
        _initialize(jax, member, timeout, within)
    cluster = Cluster(
        _known_or(member.process_id, jax.process_index),
        _known_or(member.process_count, jax.process_count),
        member.coordinator or coordinator_address(),
        member.addresses,
    )
    notes = store()
    if notes is None:
        logging.getLogger("gradtape").warning(
            "This version of JAX does not share its store: lost processes are named by JAX only."
        )
        return cluster
    own = _introduce(notes, cluster)
    faults.watch(cluster.process_id, cluster.process_count, within)
    _agree(notes, cluster, own, _setting(member), timeout)
    return cluster


def _has_joined_by_itself() -> bool:
    """Return whether the program has called `jax.distributed.initialize`: then JAX knows all."""
    jax = sys.modules.get("jax")
    return jax is not None and jax.distributed.is_initialized()


def _known_or(said: int | None, ask) -> int:
    return ask() if said is None else said


def _jax() -> Any:
    try:
        from gradtape.backends.xla.require import jax
    except ImportError as error:
        raise ClusterError(
            "Several processes work together by JAX's distributed runtime, and JAX cannot be "
            f"imported here ({error.__cause__ or error}). Install it with `pip install "
            '"gradtape[xla]"` for every process of the job.'
        ) from error
    return jax


# --- meeting -------------------------------------------------------------------------------------


def _initialize(jax: Any, member: Membership, timeout: float, within: float) -> None:
    """Call `jax.distributed.initialize`; its failures become errors that say what to do."""
    deadline = time.monotonic() + timeout
    if member.process_id == 0:
        _must_be_free(member)
    elif member.process_id is not None:
        _wait_for_coordinator(member, timeout, deadline)
    if jax.config.jax_cpu_collectives_implementation is None:
        jax.config.update("jax_cpu_collectives_implementation", "gloo")
    if hasattr(jax.config, "jax_enable_preemption_service"):
        # It would catch SIGTERM, for programs that ask JAX when to save; here it ends a process.
        jax.config.update("jax_enable_preemption_service", False)
    options: dict[str, Any] = {
        "initialization_timeout": int(timeout) + _MARGIN,
        "heartbeat_timeout_seconds": faults.after(within),
        "shutdown_timeout_seconds": _SHUTDOWN_SECONDS,
    }
    if member.coordinator is not None:
        options["coordinator_address"] = member.coordinator
    if member.process_id is not None and member.process_count is not None:
        options["num_processes"] = member.process_count
        options["process_id"] = member.process_id
        options["cluster_detection_method"] = "deactivate"
    known = inspect.signature(jax.distributed.initialize).parameters
    options = {name: value for name, value in options.items() if name in known}
    failure: list[BaseException] = []

    def connect() -> None:
        try:
            jax.distributed.initialize(**options)
        except BaseException as error:  # raised again by who waits for the thread
            failure.append(error)

    # JAX waits where Python cannot interrupt it; so it waits in a thread, and this one stays free.
    thread = threading.Thread(target=connect, name="gradtape-join", daemon=True)
    words = (
        exit_reporter.message_inside(_ended_text(member))
        if member.process_id
        else contextlib.nullcontext()
    )
    with words:
        thread.start()
        thread.join(max(0.1, deadline - time.monotonic()))
    if thread.is_alive():
        raise ClusterError(_who_is_missing(member, timeout))
    if failure:
        raise _explain(member, failure[0]) from failure[0]


def _must_be_free(member: Membership) -> None:
    """Raise if the coordinator's port is in use: gRPC would silently share it with another job."""
    port = int(str(member.coordinator).rpartition(":")[2])
    for family, host in ((socket.AF_INET6, "::"), (socket.AF_INET, "0.0.0.0")):
        try:
            probe = socket.socket(family, socket.SOCK_STREAM)
        except OSError:
            continue  # no such protocol on this machine
        with probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((host, port))
            except OSError as error:
                if error.errno == errno.EADDRINUSE:
                    raise ClusterError(_port_in_use(member)) from None


def _port_in_use(member: Membership) -> str:
    return (
        f"Process 0 cannot listen at {member.coordinator}: the port is in use. Another "
        "program, or "
        "a process of an earlier run, has it; stop that one, or choose another port in "
        f"{_setting(member)} of every process."
    )


def _setting(member: Membership) -> str:
    if member.source == "the environment":
        return membership.COORDINATOR
    return member.source


def _wait_for_coordinator(member: Membership, timeout: float, deadline: float) -> None:
    host, _, port = str(member.coordinator).rpartition(":")
    why = "no answer"
    while True:
        try:
            with socket.create_connection((host.strip("[]"), int(port)), timeout=5):
                return
        except socket.gaierror as error:
            why = f"the name {host} is not known here: {error.strerror}"
        except OSError as error:
            why = error.strerror or str(error)
        if time.monotonic() >= deadline:
            break
        time.sleep(_PROBE_SECONDS)
    raise ClusterError(
        f"Process {member.process_id} of {member.process_count} waited {timeout:g} s, "
        "and process 0 "
        f"did not answer at {member.coordinator} ({why}). Start process 0 there; if it runs, "
        "see "
        f"that {_setting(member)} has its address and that no firewall closes the port. "
        f"{_LONGER}"
    )


_LONGER = f"{JOIN_TIMEOUT} (seconds) sets how long to wait."


def _who_is_missing(member: Membership, timeout: float) -> str:
    others = [
        f"process {i} ({address})"
        for i, address in enumerate(member.addresses)
        if i != member.process_id
    ]
    which = f": of {', '.join(others)} at least one is missing" if others else ""
    of = "" if member.process_count is None else f" of {member.process_count}"
    who = "This process" if member.process_id is None else f"Process {member.process_id}{of}"
    return (
        f"{who} waited {timeout:g} s at {member.coordinator or 'the coordinator'}, and not "
        "all "
        f"processes came{which}. Start all of them, and give all of them the same list in "
        f"{_setting(member)}. {_LONGER}"
    )


def _ended_text(member: Membership) -> str:
    return (
        f"process {member.process_id} of {member.process_count} ended while it joined "
        "the cluster at "
        f"{member.coordinator}. If it was refused there, process 0 knows of fewer processes, "
        "or "
        f"another process has the same number: give every process the same list in "
        f"{_setting(member)}, and each its own number."
    )


def _explain(member: Membership, error: BaseException) -> BaseException:
    text = str(error)
    if "start RPC server" in text:
        return ClusterError(_port_in_use(member))
    if "before any JAX calls" in text or "must be called before" in text:
        return ClusterError(
            "The processes must come together before the first computation on a device, and JAX "
            "has begun. Make the strategy (or call join) at the start of the program."
        )
    if isinstance(error, (RuntimeError, ValueError, TypeError)):
        return ClusterError(
            f"JAX could not join the cluster that {member.source} describes: {text}"
        )
    return error


# --- agreeing ------------------------------------------------------------------------------------


def _introduce(notes: KeyValueStore, cluster: Cluster) -> dict[str, Any]:
    """Announce this process to the others."""
    own = {
        "host": socket.gethostname(),
        "pid": os.getpid(),
        "count": cluster.process_count,
        "addresses": cluster.addresses,
    }
    notes.write(f"member/{cluster.process_id}", json.dumps(own))
    return own


def _agree(notes: KeyValueStore, cluster: Cluster, own: dict, setting: str, timeout: float) -> None:
    """Raise unless process 0 knows of the same cluster."""
    try:
        first = json.loads(notes.read("member/0", timeout))
    except Exception as error:  # of JAX' client, which has no class for it
        raise ClusterError(
            f"Process 0 at {cluster.coordinator} did not introduce itself in {timeout:g} s: {error}"
        ) from error
    for what in ("count", "addresses"):
        here, there = own[what], first[what]
        if here and there and _as_list(here) != _as_list(there):
            raise ClusterError(
                "The processes are configured for different clusters: process "
                f"{cluster.process_id} of "
                f"{_format(here)}, process 0 of {_format(there)}. Give every process the same list "
                f"in {setting}."
            )


def _as_list(value) -> list:
    return [value] if isinstance(value, int) else list(value)


def _format(value) -> str:
    return f"{value} processes" if isinstance(value, int) else ", ".join(value)
