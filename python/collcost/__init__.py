"""What collective communication costs: the questions of collcost, answered as lists of dicts.

    import collcost
    rows = collcost.cost("allreduce", "cluster:4x8", "1MiB", machine="h100-ndr")
    rows[0]["algorithm"], rows[0]["total_s"]

A list of dicts is what pandas.DataFrame takes. Times are in seconds, sizes in bytes; a size can be
written as in "64KiB", and a list of sizes is answered row by row. Options are those of the program,
with "_" for "-": ports="all", contention="shared", startup="2 us". What cost, bound, switch_points
and verify answer comes from the library libcollcost; fit, synthesize and any other command run the
program collcost, which must be on PATH.
"""

import json
import os
import re
import signal
import subprocess
import tempfile
import threading
import warnings
from ctypes import CDLL, POINTER, Structure, byref, c_char_p, c_size_t, c_void_p

from . import _binding as c

__all__ = ["Error", "Session", "bound", "cost", "fit", "run", "switch_points", "synthesize",
           "verify", "version"]


# A model begins with its kind and its name.
MODELS = rb"(?m)^(machine|topology|collective|algorithm|problem|source|library):[ \t]*[^\s\[]"


class Error(Exception):
    """What collcost says of a question that it cannot answer."""


def _open_library():
    library = CDLL(os.environ.get("COLLCOST_LIBRARY", "libcollcost.so.0"))
    for name, (result, arguments) in c.FUNCTIONS.items():
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
    if library.collcost_version().decode() != c.VERSION:
        raise ImportError(f"this is for libcollcost {c.VERSION}")
    return library


_library = _open_library()


def version():
    """The version of the library."""
    return _library.collcost_version().decode()


_UNITS = {"": 1, "B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "TB": 10**12,
          "KiB": 2**10, "MiB": 2**20, "GiB": 2**30, "TiB": 2**40}


def _bytes(size):
    if not isinstance(size, str):
        return float(size)
    found = re.fullmatch(r"\s*([0-9.]+)\s*(\w*)\s*", size)
    if not found or found.group(2) not in _UNITS:
        raise Error(f"not a size: {size!r}; for instance '64KiB'")
    return float(found.group(1)) * _UNITS[found.group(2)]


def _sizes(sizes):
    return [_bytes(size) for size in sizes] if isinstance(sizes, (list, tuple, range)) else \
        [_bytes(sizes)]


def _value(value):
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, Structure):
        return _dict(value)
    return value


def _dict(row):
    """Lists with their counts become lists; what there is not, None."""
    names = [name for name, _ in row._fields_]
    counts = {name: next((count for count in (name + "_count", name[:-1] + "_count")
                          if count in names), None) for name in names}
    found = {}
    for name in names:
        value = getattr(row, name)
        if counts[name] and not isinstance(value, (int, float)):
            found[name] = [_value(value[i]) for i in range(getattr(row, counts[name]))]
        elif name not in counts.values():
            found[name] = _value(value)
    if found.get("has_chunks") is False:
        found.update({name: None for name in ("k", "from_k", "to_k") if name in found})
    if "check" in found:
        found["check"] = ("verified", "wrong", "not verified", "verified smaller")[found["check"]]
    for name in ("peak_bytes", "bound_s"):
        if found.get(name, 0) is not None and found.get(name, 0) < 0:
            found[name] = None
    return found


class Session:
    """Models, and what was found out with them. Studies and cases are kept: a question that is asked
    again at another size costs little. `models`: files and folders of models, and descriptions of
    networks by other programs, which the program reads; a network has the name of its file."""

    def __init__(self, models=(), memory_limit=0):
        self._messages, self._interrupted = [], False
        self._studies, self._cases, self._texts = {}, {}, []
        kinds = dict(c.collcost_settings._fields_)
        self._settings = c.collcost_settings(
            diagnostic=kinds["diagnostic"](self._hear), progress=kinds["progress"](lambda *_: None),
            network=kinds["network"](self._read_network),
            models=(c_char_p * len(models))(*[str(model).encode() for model in models]),
            model_count=len(models), memory_limit=memory_limit)
        self._context = c_void_p()
        self._ask("collcost_open", byref(self._settings), byref(self._context))

    def close(self):
        """Frees all of it."""
        _library.collcost_close(self._context)
        self._context = c_void_p()
        self._studies, self._cases = {}, {}

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def __del__(self):
        if getattr(self, "_context", None):
            self.close()

    def _hear(self, _, diagnostic):
        said = diagnostic.contents
        place = f"{said.source.decode()}:{said.line}:{said.column}: " if said.source else ""
        self._messages.append((said.severity, place + said.message.decode()))

    def _read_network(self, _, path, models):
        """Files that hold no models are tried as descriptions of networks."""
        path = path.decode()
        with open(path, "rb") as file:
            if re.search(MODELS, file.read()):
                return
        with tempfile.TemporaryDirectory() as folder:
            name = os.path.join(folder, "network.yaml")
            done = subprocess.run(["collcost", "import", path, "--save", name],
                                  capture_output=True, check=False)
            if done.returncode == 0:
                with open(name, "rb") as file:
                    self._texts.append(file.read())
                models[0] = self._texts[-1]

    def _cancel(self, *_):
        self._interrupted = True
        _library.collcost_cancel(self._context)

    def _ask(self, function, *arguments):
        """An interrupt of the keyboard ends it at the next safe point, where progress is told."""
        is_main = threading.current_thread() is threading.main_thread()
        before = signal.signal(signal.SIGINT, self._cancel) if is_main else None
        try:
            status = getattr(_library, function)(*arguments)
        finally:
            if before is not None:
                signal.signal(signal.SIGINT, before)
        said, self._messages = self._messages, []
        if status in (c.COLLCOST_NO_MEMORY, c.COLLCOST_CANCELLED, c.COLLCOST_TOO_LARGE):
            for study in self._studies.values():
                _library.collcost_study_free(study)
            self._studies, self._cases = {}, {}
        if self._interrupted:
            self._interrupted = False
            raise KeyboardInterrupt
        if status not in (c.COLLCOST_FINE, c.COLLCOST_CHECK_FAILED):
            raise Error("\n".join(text for _, text in said) or "the question has no answer")
        for severity, text in said:
            if severity != c.COLLCOST_NOTE:
                warnings.warn(text, stacklevel=4)

    def _study(self, options):
        key = tuple(sorted((name.replace("_", "-"), str(value)) for name, value in options.items()))
        if key not in self._studies:
            study = c_void_p()
            self._ask("collcost_study_create", self._context, byref(study))
            try:
                for name, value in sorted(key, key=lambda pair: pair[0] != "machine"):
                    value = {"True": "yes", "False": "no"}.get(value, value)
                    self._ask("collcost_study_set", study, name.encode(), value.encode())
            except Error:
                _library.collcost_study_free(study)
                raise
            self._studies[key] = study
        return key, self._studies[key]

    def _case(self, subject, topology, options):
        key, study = self._study(options)
        if (key, subject, topology) not in self._cases:
            opened = c_void_p()
            self._ask("collcost_case_open", study, subject.encode(), topology.encode(),
                                                    byref(opened))
            self._cases[key, subject, topology] = opened
        return self._cases[key, subject, topology]

    def _rows(self, opened, extra, function, *arguments):
        kind = c.FUNCTIONS[function][1][-2]._type_._type_
        found, count = POINTER(kind)(), c_size_t()
        self._ask(function, opened, *arguments, byref(found), byref(count))
        head = {"collective": _library.collcost_case_collective(opened).decode(),
                "topology": _library.collcost_case_network(opened).decode(),
                "p": _library.collcost_case_ranks(opened), **extra}
        return [{**head, **_dict(found[i])} for i in range(count.value)]

    def cost(self, subject, topology, size, **options):
        """The cost of each algorithm of a collective, or of one, "allreduce/ring", the fastest
        first, for each size."""
        opened = self._case(subject, topology, options)
        return [row for m in _sizes(size)
                for row in self._rows(opened, {"m_bytes": m}, "collcost_case_costs", m)]

    def bound(self, collective, topology, size, **options):
        """The lower bounds with their reasons, for each size; the one that `binds` is the largest."""
        opened = self._case(collective, topology, options)
        return [row for m in _sizes(size)
                for row in self._rows(opened, {"m_bytes": m}, "collcost_case_bounds", m, 0)]

    def switch_points(self, collective, topology, from_size=1, to_size=None, tolerance=None,
                      **options):
        """Which algorithm is the fastest from which size to which; None: as far as is sought."""
        opened = self._case(collective, topology, options)
        largest = _library.collcost_case_largest_size(opened)
        return self._rows(opened, {}, "collcost_case_switch_points", _bytes(from_size),
                          largest if to_size is None else _bytes(to_size),
                          -1.0 if tolerance is None else float(tolerance), c.COLLCOST_DETAILS)

    def verify(self, *models, ranks=(), topologies=(), most=64, **options):
        """Runs algorithms on data and compares their claims: a row for each model, whose `failures`
        say what is wrong."""
        _, study = self._study(options)
        task = c.collcost_task(
            models=(c_char_p * len(models))(*[model.encode() for model in models]),
            model_count=len(models), most=most, rank_count=len(ranks),
            ranks=(c.c_int64 * len(ranks))(*ranks), topology_count=len(topologies),
            topologies=(c_char_p * len(topologies))(*[one.encode() for one in topologies]))
        found = c.collcost_verification()
        self._ask("collcost_verify", study, byref(task), byref(found))
        answer = _dict(found)
        failures = {}
        for one in answer["runs"]:
            if not one["is_right"]:
                failures.setdefault(one["model"], []).append(one["detail"])
        for one in answer["claims"]:
            if one["holds"] != one["recorded"]:
                failures.setdefault(one["model"], []).append(f"{one['source']}: {one['verdict']}")
        return [{**row, "failures": failures.get(row["model"], [])} for row in answer["models"]]


_usual = None


def _session():
    global _usual
    _usual = _usual or Session()
    return _usual


def cost(subject, topology, size, **options):
    return _session().cost(subject, topology, size, **options)


def bound(collective, topology, size, **options):
    return _session().bound(collective, topology, size, **options)


def switch_points(collective, topology, from_size=1, to_size=None, tolerance=None, **options):
    return _session().switch_points(collective, topology, from_size, to_size, tolerance, **options)


def verify(*models, ranks=(), topologies=(), most=64, **options):
    return _session().verify(*models, ranks=ranks, topologies=topologies, most=most, **options)


for _function in (cost, bound, switch_points, verify):
    _function.__doc__ = getattr(Session, _function.__name__).__doc__


def run(command, *operands, **options):
    """Any command of the program collcost, whose answer in JSON it returns; `check` failures too.

        collcost.run("search", "allreduce", topology="torus:4x4", size="1MiB")
    """
    words = ["collcost", command, *map(str, operands)]
    for name, values in options.items():
        for value in values if isinstance(values, (list, tuple)) else [values]:
            if value is not False:
                option = "--" + name.replace("_", "-")
                words.append(option if value is True else f"{option}={value}")
    done = subprocess.run([*words, "--output=json"], capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1) or not done.stdout:
        raise Error(done.stderr.strip())
    if done.stderr:
        warnings.warn(done.stderr.strip(), stacklevel=2)
    return json.loads(done.stdout)


def fit(*logs, **options):
    """A machine fitted to the measurements of these logs: a row for each parameter."""
    return run("fit", *logs, **options)


def synthesize(collective, topology, size, **options):
    """Schedules that are made for this network."""
    return run("synthesize", collective, topology=topology, size=size, **options)
