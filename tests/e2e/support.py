"""What the end-to-end tests share: the command, the fake Nominatim and Redis as processes, and tables.

Nothing here sleeps in order to be in time for something: tests poll for what they can observe, with a limit.
Environment: GEOBREAKER and FAKE_NOMINATIM are the programs under test.
"""

import csv
import http.client
import json
import os
import re
import resource
import shutil
import signal
import socket
import subprocess
import tempfile
import time
import unittest
from pathlib import Path
from urllib.parse import quote

GEOBREAKER = os.environ["GEOBREAKER"]
RESULT_COLUMNS = ["status", "lat", "lon", "label", "prec", "conf", "source", "tried"]
csv.field_size_limit(1 << 24)
PATIENCE = 60.0  # of every wait, in seconds: only a test that fails ever takes so long
POLL = 0.01


def wait_until(condition, what, limit=PATIENCE):
    """Returns the first true value that `condition` gives."""
    end = time.monotonic() + limit
    while True:
        value = condition()
        if value:
            return value
        if time.monotonic() > end:
            raise AssertionError(f"waited {limit:.0f} s in vain: {what}")
        time.sleep(POLL)


def tied(command):
    """The command of a process that ends with this test, even if the test is killed."""
    return ["setpriv", "--pdeathsig", "KILL", *command]


class Run:
    """One process of the command. Its messages go to a file, so that a full pipe never holds it up."""

    def __init__(self, folder, arguments, stdout=subprocess.DEVNULL, stdin=subprocess.DEVNULL, before=None, tag=""):
        self.messages_path = Path(folder) / f"messages{tag}-{time.monotonic_ns()}.txt"
        with open(self.messages_path, "wb") as messages:
            self.process = subprocess.Popen(tied([GEOBREAKER, "geocode", *map(str, arguments)]), stdin=stdin,
                                            stdout=stdout, stderr=messages, preexec_fn=before, cwd=folder)

    @property
    def messages(self):
        return self.messages_path.read_text(errors="replace")

    def running(self):
        return self.process.poll() is None

    def wait(self, limit=PATIENCE):
        try:
            return self.process.wait(limit)
        except subprocess.TimeoutExpired:
            raise AssertionError(f"still running after {limit:.0f} s; it said:\n{self.messages}") from None

    def send(self, number):
        self.process.send_signal(number)

    def kill(self):
        if self.running():
            self.process.kill()
        self.process.wait()

    def wait_for_message(self, text):
        wait_until(lambda: text in self.messages or not self.running(), f"the message {text!r}")
        if text not in self.messages:
            raise AssertionError(f"it ended without {text!r}; it said:\n{self.messages}")


class FakeNominatim:
    """The tests' own Nominatim; `log` is what it saw."""

    def __init__(self, *arguments):
        self.process = subprocess.Popen(tied([os.environ["FAKE_NOMINATIM"], "--until-eof", *map(str, arguments)]),
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.control_port = int(self.process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}"

    def _get(self, path):
        connection = http.client.HTTPConnection("127.0.0.1", self.control_port, timeout=PATIENCE)
        try:
            connection.request("GET", path)
            answer = connection.getresponse()
            body = answer.read().decode()
            if answer.status != 200:
                raise AssertionError(f"{path}: {answer.status} {body}")
            return body
        finally:
            connection.close()

    def mode(self, mode):
        self._get("/_control?mode=" + quote(mode, safe=":"))

    def log(self):
        return [json.loads(line) for line in self._get("/_log").splitlines() if line]

    def stats(self):
        return json.loads(self._get("/_stats"))

    def requests(self):
        return self.stats()["requests"]

    def reset(self):
        self._get("/_reset")

    def wait_for(self, count):
        wait_until(lambda: self.requests() >= count, f"{count} requests at the server")

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


class Redis:
    """A redis-server of the test's own, empty whenever it starts."""

    def __init__(self, folder, *options):
        self.folder, self.options = folder, options
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self.process = None
        self.start()

    def start(self):
        self.process = subprocess.Popen(
            tied(["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no",
                  "--dir", str(self.folder), *self.options]), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        wait_until(self._answers, "an answer of redis-server")

    def _answers(self):
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(64)[:1] in (b"+", b"-")
        except OSError:
            return False

    def command(self, *words):
        """The reply's bytes, for one short reply."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE) as connection:
            connection.sendall(" ".join(words).encode() + b"\r\n")
            return connection.recv(65536)

    def freeze(self):
        self.process.send_signal(signal.SIGSTOP)

    def thaw(self):
        self.process.send_signal(signal.SIGCONT)

    def kill(self):
        self.process.kill()
        self.process.wait()


class EndToEnd(unittest.TestCase):
    """A folder of its own for each test, which goes away together with every process that it started."""

    def setUp(self):
        self.folder = Path(tempfile.mkdtemp(prefix="geobreaker-e2e-"))
        self.addCleanup(shutil.rmtree, self.folder, ignore_errors=True)
        self.addCleanup(self._tell)
        self.runs_started = []

    def run_command(self, *arguments, **options):
        run = Run(self.folder, arguments, **options)
        self.runs_started.append(run)
        self.addCleanup(run.kill)
        return run

    def _tell(self):
        """Shows what the processes said when a test has failed."""
        result = self._outcome.result
        if not any(test is self for test, _ in result.failures + result.errors):
            return
        for run in self.runs_started:
            print(f"---- {run.messages_path.name}: {run.messages[-3000:]}", flush=True)

    def finish(self, *arguments, **options):
        """Runs to the end; returns exit code and messages."""
        run = self.run_command(*arguments, **options)
        return run.wait(), run.messages

    def fake(self, *arguments):
        fake = FakeNominatim(*arguments)
        self.addCleanup(fake.close)
        return fake

    def redis(self, *options):
        redis = Redis(self.folder, *options)
        self.addCleanup(redis.kill)
        return redis

    def file(self, name, content):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return path

    def towns(self, name, count, first=0):
        """A table of `count` rows, each another house in a town that the gazetteer knows."""
        towns = ["Paris, France", "Berlin, Germany", "Rome, Italy", "Madrid, Spain", "Lisbon, Portugal"]
        rows = [f'{n},"{n} Main Street, {towns[n % len(towns)]}"' for n in range(first, first + count)]
        return self.file(name, "id,address\n" + "\n".join(rows) + "\n")

    def config(self, text, name="geobreaker.toml"):
        return self.file(name, text)

    def assert_order(self, path, ids):
        self.assertEqual([row["id"] for row in read_table(path)], [str(i) for i in ids])


def read_table(path, delimiter=","):
    with open(path, newline="", encoding="utf-8-sig", errors="surrogateescape") as table:
        return list(csv.DictReader(table, delimiter=delimiter))


def tally(rows, column):
    counts = {}
    for row in rows:
        counts[row[column]] = counts.get(row[column], 0) + 1
    return counts


def calls_of(messages, provider):
    """What the summary says: {"calls": 12, "ok": 10, ...}."""
    line = re.search(rf"^provider   {provider}: ([\d,]+) calls?(?:: ([^;\n]*))?", messages, re.M)
    counts = {"calls": int(line[1].replace(",", ""))}
    for number, word in re.findall(r"([\d,]+) ([a-z-]+)", line[2] or ""):
        counts[word] = int(number.replace(",", ""))
    return counts


def limit_file_size(size):
    """For Run's `before`: no file may become longer."""
    def apply():
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))
    return apply
