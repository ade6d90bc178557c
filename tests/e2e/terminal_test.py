"""What a person sees while a job runs: a bar on a terminal, plain lines elsewhere, nothing with --quiet."""

import fcntl
import os
import pty
import re
import select
import struct
import subprocess
import termios
import time
import unittest

from support import GEOBREAKER, PATIENCE, EndToEnd, tied

NEW_FRAME = b"\r\x1b[2K"


class Screen:
    """The command with a pseudo-terminal as its standard error."""

    def __init__(self, folder, columns, arguments):
        self.ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
        self.process = subprocess.Popen(tied([GEOBREAKER, "geocode", *map(str, arguments)]), cwd=folder, stderr=theirs,
                                        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL)
        os.close(theirs)
        self.shown = b""

    def read_until(self, done):
        """Reads what is shown until `done` of it, or to the end."""
        end = time.monotonic() + PATIENCE
        while not done(self.shown):
            if not select.select([self.ours], [], [], max(0, end - time.monotonic()))[0]:
                raise AssertionError(f"waited in vain; shown was {self.shown[-500:]!r}")
            try:
                self.shown += os.read(self.ours, 65536)
            except OSError:  # Linux says EIO when the other side is closed
                break
        return self.shown

    def frames(self):
        """What was drawn into the bar's line, each time."""
        return [frame.split(b"\r")[0].split(b"\n")[0].decode() for frame in self.shown.split(NEW_FRAME)[1:]
                if frame.startswith(b"[")]

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.ours)


class Terminal(EndToEnd):
    def screen(self, columns, *arguments):
        screen = Screen(self.folder, columns, arguments)
        self.addCleanup(screen.close)
        return screen

    def throttled(self):
        """A job of which every row is parked."""
        server = self.fake("--mode", "429:300")
        return (self.towns("in.csv", 30), "--provider", f"nominatim={server.url}", "-o", f"out{server.port}.csv")

    def test_bar(self):
        screen = self.screen(80, self.towns("in.csv", 150_000), "-o", "out.csv")
        screen.read_until(lambda shown: False)
        self.assertEqual(screen.process.wait(), 0)
        frames = screen.frames()
        self.assertGreater(len(frames), 1)
        for frame in frames:
            self.assertLess(len(frame), 80)
            self.assertRegex(frame, r"^\[#*-*\] \d+% [\d,]+ rows? [\d,]+/s.*gazetteer closed")
        shares = [int(re.search(r"(\d+)%", frame)[1]) for frame in frames]
        self.assertEqual(shares, sorted(shares))
        last = screen.shown.rsplit(NEW_FRAME, 1)[1].decode()
        self.assertIn("150,000 finished", last, "the bar is gone when the summary comes")

    def test_parked_rows_and_states(self):
        for columns in (40, 80, 200):
            with self.subTest(columns=columns):
                screen = self.screen(columns, *self.throttled())
                word = b"paused" if columns >= 80 else b"rows"
                screen.read_until(lambda shown: word in shown.rsplit(NEW_FRAME, 1)[-1] and shown.count(NEW_FRAME) > 3)
                for frame in screen.frames():
                    self.assertLess(len(frame), columns)
                if columns >= 80:
                    self.assertRegex(screen.frames()[-1], r"nominatim paused \d+s  30 parked")
                screen.process.kill()
                screen.process.wait()

    def test_plain_lines_elsewhere(self):
        run = self.run_command(*self.throttled())
        run.wait_for_message("progress: ")
        self.assertNotIn("\r", run.messages)
        self.assertNotIn("\x1b", run.messages)
        line = next(line for line in run.messages.splitlines() if line.startswith("progress: "))
        self.assertRegex(line, r"^progress: 0%, 0 rows 0/s  nominatim paused \d+s  30 parked$")

    def test_quiet(self):
        code, messages = self.finish(self.towns("in.csv", 50_000), "-o", "out.csv", "--quiet")
        self.assertEqual((code, messages), (0, ""))
        screen = self.screen(80, self.towns("in.csv", 50_000), "-o", "out2.csv", "-q")
        self.assertEqual(screen.read_until(lambda shown: False), b"")
        self.assertEqual(screen.process.wait(), 0)
        self.assertIn("missing.csv", self.finish("missing.csv", "--quiet")[1], "errors are said all the same")


if __name__ == "__main__":
    unittest.main()
