"""Memory does not grow with the file: neither at work nor while every row waits for a provider."""

import os
import signal
import unittest

from support import EndToEnd

SMALL, LARGE = 50_000, 500_000
MOST_MORE_KIB = 10 * 1024


class Memory(EndToEnd):
    def setUp(self):
        super().setUp()
        self.tables = [self.towns(f"in{rows}.csv", rows) for rows in (SMALL, LARGE)]

    def peak(self, run, code):
        """The most memory that it ever had, in KiB."""
        _, status, usage = os.wait4(run.process.pid, 0)
        run.process.returncode = os.waitstatus_to_exitcode(status)
        self.assertEqual(run.process.returncode, code, run.messages)
        return usage.ru_maxrss

    def check(self, peaks):
        self.assertLess(peaks[1] - peaks[0], MOST_MORE_KIB, peaks)

    def test_gazetteer(self):
        peaks = []
        for table in self.tables:
            run = self.run_command(table, "-o", "out.csv")
            peaks.append(self.peak(run, 0))
            (self.folder / "out.csv.gbj").unlink()
        self.check(peaks)

    def test_every_row_waits(self):
        """As many rows as may wait are read, the rest stays in the file; then Ctrl-C writes all of them."""
        server = self.fake("--mode", "http500")
        config = self.config(f"""
            [breaker]
            base_cooldown = "60s"
            [[provider]]
            kind = "nominatim"
            url = "{server.url}"
            """)
        runs = [self.run_command(table, "--config", config, "-o", f"out{number}.csv", tag=str(number))
                for number, table in enumerate(self.tables)]
        for run in runs:
            run.wait_for_message(" parked")
            run.send(signal.SIGINT)
        peaks = [self.peak(run, 130) for run in runs]
        self.check(peaks)
        with open(self.folder / "out1.csv") as rows:
            self.assertEqual(sum(",pending," in row for row in rows), LARGE)


if __name__ == "__main__":
    unittest.main()
