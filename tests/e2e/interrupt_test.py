"""Ctrl-C: what is in flight is finished, the rest says `pending`, and the same command continues."""

import signal
import time
import unittest

from support import EndToEnd, read_table, tally, wait_until

ROWS = 120
FINISHING = "finishing what is in flight"


class Interrupt(EndToEnd):
    def start(self, *arguments, server_arguments=("--latency", 60), provider="", rows=ROWS):
        self.server = self.fake(*server_arguments)
        self.table = self.towns("in.csv", rows)
        self.settings = self.config(f"""
            [breaker]
            base_cooldown = "60s"
            [batch]
            concurrency = 8
            [[provider]]
            name = "nominatim"
            kind = "nominatim"
            url = "{self.server.url}"
            max_concurrency = 4
            retry = {{ attempts = 1 }}
            {provider}
            """)
        self.arguments = (self.table, "--config", self.settings, "-o", "out.csv", *arguments)
        return self.run_command(*self.arguments)

    def rows(self):
        rows = read_table(self.folder / "out.csv")
        self.assertEqual([int(row["id"]) for row in rows], list(range(len(rows))))
        return rows

    def check_interrupted(self, run, rows=ROWS):
        """Whole output, `pending` where nothing is known, and a way to go on. Returns how many are done."""
        self.assertEqual(run.wait(), 130, run.messages)
        self.assertIn("the same command continues", run.messages)
        statuses = tally(self.rows(), "geo_status")
        self.assertEqual(sum(statuses.values()), rows)
        self.assertLessEqual(set(statuses), {"ok", "pending"})
        for row in self.rows():
            if row["geo_status"] == "pending":
                self.assertEqual((row["geo_lat"], row["geo_lon"], row["geo_source"]), ("", "", ""))
        self.assertGreater(statuses["pending"], 0)
        return statuses.get("ok", 0)

    def check_continued(self, rows=ROWS):
        code, messages = self.finish(*self.arguments)
        self.assertEqual(code, 0, messages)
        self.assertEqual(tally(self.rows(), "geo_status"), {"ok": rows})

    def test_in_flight(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=number.name):
                (self.folder / "out.csv.gbj").unlink(missing_ok=True)
                run = self.start()
                self.server.wait_for(20)
                run.send(number)
                run.wait()
                asked = self.server.requests()
                self.assertEqual(self.check_interrupted(run), asked, "what was asked is finished")
                self.check_continued()
                self.assertEqual(self.server.requests(), ROWS, "no row was asked twice")

    def test_second_signal_ends_at_once(self):
        run = self.start(server_arguments=("--mode", "hang"), provider='timeout = "50s"')
        self.server.wait_for(4)
        run.send(signal.SIGINT)
        run.wait_for_message(FINISHING)
        self.assertTrue(run.running())
        run.send(signal.SIGINT)
        self.assertEqual(run.wait(20), 130)
        self.server.mode("ok")
        self.check_continued()

    def test_all_rows_parked(self):
        for mode in ("http500", "429:300"):
            with self.subTest(mode=mode):
                (self.folder / "out.csv.gbj").unlink(missing_ok=True)
                run = self.start(server_arguments=("--mode", mode))
                wait_until(lambda: self.server.stats()["requests"] > 0 and self.server.stats()["in_flight"] == 0, "calls")
                if mode == "http500":
                    run.wait_for_message("closed -> open")
                run.send(signal.SIGINT)
                self.assertEqual(self.check_interrupted(run), 0)
                self.server.mode("ok")
                self.check_continued()

    def test_held_back_by_a_rate(self):
        run = self.start(provider='rate = "1/s"', rows=30)
        self.server.wait_for(2)
        begun = time.monotonic()
        run.send(signal.SIGINT)
        done = self.check_interrupted(run, rows=30)
        self.assertLess(time.monotonic() - begun, 10, "rows that wait for their turn are not in flight")
        self.assertEqual(done, self.server.requests())
        self.assertLessEqual(done, 4)

    def test_gazetteer_alone(self):
        self.table = self.towns("in.csv", 40_000)
        self.arguments = (self.table, "-o", "out.csv")
        run = self.run_command(*self.arguments)
        journal = self.folder / "out.csv.gbj-wal"
        wait_until(lambda: journal.exists() and journal.stat().st_size > 200_000, "rows in the journal")
        run.send(signal.SIGINT)
        done = self.check_interrupted(run, rows=40_000)
        self.assertGreater(done, 1000)
        self.check_continued(rows=40_000)

    def test_between_streams_nothing_can_be_continued(self):
        self.start().kill()
        with open(self.table, "rb") as rows, open(self.folder / "streamed.csv", "wb") as out:
            run = self.run_command("-", "--config", self.settings, stdin=rows, stdout=out)
            asked = self.server.requests()
            self.server.wait_for(asked + 10)
            run.send(signal.SIGINT)
            self.assertEqual(run.wait(), 130)
        self.assertIn("cannot be continued", run.messages)
        self.assertEqual(len(read_table(self.folder / "streamed.csv")), ROWS)


if __name__ == "__main__":
    unittest.main()
