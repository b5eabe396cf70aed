# SPDX-License-Identifier: LGPL-2.1-or-later
# Copyright (C) 2026 the gst-orch authors

"""What Module.configure() takes, as properties of the elements that run a Call."""

from __future__ import annotations

import logging
import os
import shutil
from dataclasses import dataclass, field

from .errors import CompileError
from .recovery import RecoveryPolicy, UdfRecoveryMode

_log = logging.getLogger("gst_orch")

# Of Ray: where an actor is placed and how it is kept, for which there is no need here.
_WITHOUT_MEANING = frozenset((
    "accelerator_type", "concurrency_groups", "enable_task_events", "get_if_exists",
    "label_selector", "lifetime", "max_concurrency", "max_pending_calls", "max_restarts",
    "max_task_retries", "memory", "name", "namespace", "num_cpus", "num_gpus",
    "object_store_memory", "placement_group", "placement_group_bundle_index",
    "placement_group_capture_child_tasks", "resources", "scheduling_strategy"))

_RECOVERY = {
    UdfRecoveryMode.ABORT: "abort",
    UdfRecoveryMode.RETRY_BATCH: "retry-batch",
    UdfRecoveryMode.RETRY_TAIL: "retry-tail",
    UdfRecoveryMode.ISOLATE_TAIL: "bisect",
}

_told = set()


@dataclass
class CallOptions:
    """Properties of the element, the interpreter of its workers and what is added to
    their environment."""

    element: dict = field(default_factory=dict)
    python: str | None = None
    environment: dict = field(default_factory=dict)
    recovery: RecoveryPolicy | None = None

    @property
    def replicas(self):
        return self.element.get("replicas", 1)


def read(options):
    """CallOptions of what configure() was given."""
    read = CallOptions()
    for name, value in options.items():
        reader = _READERS.get(name)
        if reader:
            reader(read, name, value)
        elif name in _WITHOUT_MEANING:
            _tell_once(name)
        else:
            raise CompileError(f"there is no option {name}; there are "
                               f'{", ".join(sorted(_READERS))}')
    return read


def _tell_once(name):
    if name not in _told:
        _told.add(name)
        _log.log(logging.INFO if name == "num_cpus" else logging.WARNING,
                 "%s has no effect: a Call runs on this machine, in as many worker "
                 "processes as replicas says, and they see all that there is", name)


def _read_count(least):
    def reader(read, name, value):
        if type(value) is not int:
            raise CompileError(f"{name} is a whole number, and {value!r} is none")
        if value < least:
            raise CompileError(f"{name} is {least} or more, not {value}")
        read.element[name.replace("_", "-")] = value
    return reader


def _read_seconds(read, name, value):
    if isinstance(value, bool) or not isinstance(value, (int, float)) or value < 0:
        raise CompileError(f"{name} is a number of seconds, and {value!r} is none")
    read.element[name.replace("_", "-")] = round(value * 1e9)


def _read_boolean(read, name, value):
    if type(value) is not bool:
        raise CompileError(f"{name} is True or False, not {value!r}")
    read.element[name.replace("_", "-")] = value


def _read_word(*words):
    def reader(read, name, value):
        if value not in words:
            raise CompileError(f'{name} is {" or ".join(words)}, not {value!r}')
        read.element[name.replace("_", "-")] = value
    return reader


def _read_recovery(read, name, value):
    if not isinstance(value, RecoveryPolicy):
        raise CompileError(f"recovery is a RecoveryPolicy, and {value!r} is none")
    read.recovery = value
    read.element["recovery"] = _RECOVERY[value.udf_mode]
    if value.max_udf_retries:
        read.element["max-retries"] = value.max_udf_retries
        read.element["abort-after-retries"] = True


def _read_python(read, name, value):
    read.python = os.fspath(value)


def _read_runtime_env(read, name, value):
    if not isinstance(value, dict):
        raise CompileError("runtime_env is a dict with conda, py_executable or env_vars")
    for key, part in value.items():
        if key == "env_vars":
            read.environment.update(part)
        elif key == "py_executable":
            read.python = os.fspath(part)
        elif key == "conda":
            read.python = _find_conda_python(part)
        else:
            raise CompileError(f"runtime_env: {key} is not installed or copied here; make an "
                               "environment beforehand and name its interpreter with python")


def _find_conda_python(environment):
    """Of an environment by name, or by its folder."""
    folders = [environment] if os.path.isabs(str(environment)) else [
        os.path.join(root, "envs", str(environment)) for root in _conda_roots()]
    for folder in folders:
        python = os.path.join(folder, "bin", "python")
        if os.access(python, os.X_OK):
            return python
    raise CompileError(f"there is no Conda environment {environment!r}; name the interpreter "
                       'of an environment with python="/path/to/bin/python"')


def _conda_roots():
    program = os.environ.get("CONDA_EXE") or shutil.which("conda")
    if program:
        yield os.path.dirname(os.path.dirname(os.path.realpath(program)))
    yield os.path.expanduser("~/.conda")


def _refuse(reason):
    def reader(read, name, value):
        raise CompileError(f"{name}: {reason}")
    return reader


_READERS = {
    "replicas": _read_count(1),
    "batch_size": _read_count(1),
    "batching": _read_word("mixed", "siblings"),
    "recovery": _read_recovery,
    "max_wait": _read_seconds,
    "attempt_timeout": _read_seconds,
    "max_memory": _read_count(0),
    "max_buffers": _read_count(0),
    "max_bytes": _read_count(1),
    "confine": _read_boolean,
    "python": _read_python,
    "runtime_env": _read_runtime_env,
    "max_retries": _refuse("say which retries are meant, with recovery=RecoveryPolicy..."),
    "batch_scope": _refuse('say batching="siblings" for batches of one parent'),
    "batching_policy": _refuse('say batching="mixed" or batching="siblings"'),
}
