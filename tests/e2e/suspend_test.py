"""A job that is suspended for a while (Ctrl-Z, a laptop that sleeps) blames no provider for it."""

import signal
import time
import unittest

from support import EndToEnd, calls_of, read_table, tally

ROWS = 200
SUSPENDED_S = 2.5  # longer than the time-out


class Suspend(EndToEnd):
    def test_calls_in_flight_are_made_again(self):
        server = self.fake("--latency", 100)
        config = self.config(f"""
            [[provider]]
            name = "nominatim"
            kind = "nominatim"
            url = "{server.url}"
            timeout = "1s"
            max_concurrency = 8
            retry = {{ attempts = 1 }}
            [[provider]]
            name = "gazetteer"
            kind = "gazetteer"
            """)
        run = self.run_command(self.towns("in.csv", ROWS), "--config", config, "-o", "out.csv", "--on-skip", "next")
        for _ in range(2):
            server.wait_for(server.requests() + 30)
            run.send(signal.SIGSTOP)
            time.sleep(SUSPENDED_S)
            run.send(signal.SIGCONT)
        self.assertEqual(run.wait(), 0, run.messages)
        self.assertEqual(tally(read_table(self.folder / "out.csv"), "geo_tried"), {"nominatim:ok": ROWS})
        self.assertNotIn("-> open", run.messages)
        self.assertEqual(calls_of(run.messages, "nominatim").get("timeout", 0), 0)
        self.assertLessEqual(server.requests(), ROWS + 2 * 8)


if __name__ == "__main__":
    unittest.main()
