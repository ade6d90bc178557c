"""Rows that come through a pipe, when they come: nobody waits for those that are not there yet."""

import os
import signal
import subprocess
import unittest

from support import EndToEnd, read_table, tally, wait_until

ROWS = 90


class Stream(EndToEnd):
    def start(self, latency=20):
        self.server = self.fake("--latency", latency)
        config = self.config(f"""
            [[provider]]
            name = "nominatim"
            kind = "nominatim"
            url = "{self.server.url}"
            timeout = "2s"
            max_concurrency = 4
            retry = {{ attempts = 1 }}
            """)
        lines = self.towns("all.csv", ROWS).read_bytes().splitlines(keepends=True)
        self.pieces = [b"".join(lines[:31]), b"".join(lines[31:61]) + lines[61][:7], lines[61][7:] + b"".join(lines[62:])]
        theirs, self.ours = os.pipe()
        with open(theirs, "rb") as source, open(self.folder / "out.csv", "wb") as out:
            self.run_ = self.run_command("-", "--config", config, stdin=source, stdout=out)

    def give(self, piece):
        os.write(self.ours, piece)

    def test_rows_are_asked_for_as_they_come(self):
        self.start()
        for number, piece in enumerate(self.pieces[:2], start=1):
            self.give(piece)
            self.server.wait_for(30 * number)
            wait_until(lambda: self.server.stats()["in_flight"] == 0, "answers")
        self.assertEqual(self.server.requests(), 60, "half a row is no row")
        self.give(self.pieces[2])
        os.close(self.ours)
        self.assertEqual(self.run_.wait(), 0, self.run_.messages)
        rows = read_table(self.folder / "out.csv")
        self.assertEqual([int(row["id"]) for row in rows], list(range(ROWS)))
        self.assertEqual(tally(rows, "geo_tried"), {"nominatim:ok": ROWS})

    def test_interrupt_while_waiting_for_rows(self):
        self.start()
        self.give(self.pieces[0])
        self.server.wait_for(30)
        self.run_.send(signal.SIGINT)
        self.run_.wait_for_message("finishing")
        self.give(self.pieces[1] + self.pieces[2])
        os.close(self.ours)
        self.assertEqual(self.run_.wait(), 130, self.run_.messages)
        self.assertEqual(tally(read_table(self.folder / "out.csv"), "geo_status"), {"ok": 30, "pending": 60})

    def test_second_interrupt_while_waiting_for_rows(self):
        self.start()
        self.give(self.pieces[0])
        self.server.wait_for(30)
        self.run_.send(signal.SIGINT)
        self.run_.wait_for_message("finishing")
        self.run_.send(signal.SIGINT)
        self.assertEqual(self.run_.wait(20), 130)
        os.close(self.ours)

    def test_one_worker_serves_parked_rows_and_stream(self):
        """A row that waits for its provider has its turn, although the stream is silent."""
        self.server = self.fake("--mode", "429:1")
        read, write = os.pipe()
        with open(read, "rb") as source, open(self.folder / "out.csv", "wb") as out:
            run = self.run_command("-", "--provider", f"nominatim={self.server.url}", "--concurrency", "1", stdin=source,
                                   stdout=out)
        os.write(write, b"id,address\n1,Paris\n2,Berlin\n")
        self.server.wait_for(1)
        self.server.mode("ok")
        self.server.wait_for(3)
        os.close(write)
        self.assertEqual(run.wait(), 0, run.messages)
        self.assertEqual(tally(read_table(self.folder / "out.csv"), "geo_tried"), {"nominatim:ok": 2})

    def test_terminal_keeps_its_ways(self):
        """What the shell shares with the command is not made non-blocking behind its back."""
        ours, theirs = os.openpty()
        with open(self.folder / "out.csv", "wb") as out:
            run = self.run_command("-", stdin=theirs, stdout=out)
        os.write(ours, b"id,address\n1,Paris France\n")
        run.wait_for_message("address columns")
        self.assertTrue(os.get_blocking(theirs))
        os.write(ours, b"2,Berlin Germany\n\x04")
        self.assertEqual(run.wait(), 0, run.messages)
        self.assertTrue(os.get_blocking(theirs))
        self.assertEqual(len(read_table(self.folder / "out.csv")), 2)
        os.close(ours)
        os.close(theirs)

    def test_fast_stream(self):
        table = self.towns("in.csv", 40_000)
        code, _ = self.finish(table, "-o", "file.csv")
        self.assertEqual(code, 0)
        cat = subprocess.Popen(["cat", table], stdout=subprocess.PIPE)
        with open(self.folder / "out.csv", "wb") as out:
            run = self.run_command("-", stdin=cat.stdout, stdout=out)
        cat.stdout.close()
        self.assertEqual(run.wait(), 0, run.messages)
        cat.wait()
        self.assertEqual((self.folder / "out.csv").read_bytes(), (self.folder / "file.csv").read_bytes())


if __name__ == "__main__":
    unittest.main()
