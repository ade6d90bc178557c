"""Redis goes away in the middle of a job, in every way that it can, and the job does not care."""

import unittest

from support import EndToEnd, read_table, tally, wait_until

ROWS = 800
LATENCY_MS = 20
STORE_TIMEOUT_MS = 500
# A call waits for the store no longer than its time-out; the rest is for machines that are busy otherwise.
LONGEST_GAP_MS = STORE_TIMEOUT_MS + 1000


class StoreLoss(EndToEnd):
    def start(self):
        self.server = self.fake("--latency", LATENCY_MS)
        self.store = self.redis()
        config = self.config(f"""
            [store]
            url = "{self.store.url}"
            timeout = "{STORE_TIMEOUT_MS}ms"
            [[provider]]
            name = "nominatim"
            kind = "nominatim"
            url = "{self.server.url}"
            max_concurrency = 4
            """)
        self.run_ = self.run_command(self.towns("in.csv", ROWS), "--config", config, "-o", "out.csv")
        self.go_on()

    def go_on(self):
        """The job finishes rows, at its usual pace."""
        self.server.wait_for(self.server.requests() + 40)
        self.assertTrue(self.run_.running(), "the job was to last longer than the test")

    def said(self, what):
        return self.run_.messages.count(f"store: {what} for nominatim")

    def wait_until_said(self, what, times):
        wait_until(lambda: self.said(what) >= times, f'"{what}", {times} times')

    def finish_and_check(self, changes):
        self.assertEqual(self.run_.wait(), 0, self.run_.messages)
        rows = read_table(self.folder / "out.csv")
        self.assertEqual([int(row["id"]) for row in rows], list(range(ROWS)))
        self.assertEqual(tally(rows, "geo_tried"), {"nominatim:ok": ROWS})
        log = self.server.log()
        self.assertEqual(len(log), ROWS, "each row is asked once")
        gaps = [later["ms"] - earlier["ms"] for earlier, later in zip(log, log[1:])]
        self.assertLessEqual(max(gaps), LONGEST_GAP_MS)
        self.assertEqual((self.said("lost"), self.said("back")), changes, self.run_.messages)

    def test_killed_and_started_again(self):
        self.start()
        self.store.kill()
        self.wait_until_said("lost", 1)
        self.go_on()
        self.store.start()
        self.wait_until_said("back", 1)
        self.go_on()
        self.finish_and_check((1, 1))

    def test_frozen_and_thawed(self):
        self.start()
        self.store.freeze()
        self.wait_until_said("lost", 1)
        self.go_on()
        self.store.thaw()
        self.wait_until_said("back", 1)
        self.go_on()
        self.finish_and_check((1, 1))

    def test_frozen_killed_emptied_and_killed_for_good(self):
        self.start()
        self.store.freeze()
        self.wait_until_said("lost", 1)
        self.go_on()
        self.store.kill()
        self.go_on()
        self.store.start()
        self.wait_until_said("back", 1)
        self.store.command("FLUSHALL")
        self.go_on()
        self.store.kill()
        self.wait_until_said("lost", 2)
        self.go_on()
        self.finish_and_check((2, 1))

    def test_never_there(self):
        self.store = self.redis()
        self.store.kill()
        code, messages = self.finish(self.towns("in.csv", 50), "--store", self.store.url, "-o", "out.csv")
        self.assertEqual(code, 0, messages)
        self.assertEqual(tally(read_table(self.folder / "out.csv"), "geo_tried"), {"gazetteer:ok": 50})
        self.assertEqual(messages.count("store: lost for gazetteer"), 1, messages)

    def test_outage_without_a_store(self):
        """While Redis is away each process still protects the provider by itself."""
        self.start()
        self.store.kill()
        self.wait_until_said("lost", 1)
        self.server.mode("http500")
        wait_until(lambda: "nominatim: closed -> open" in self.run_.messages, "the local breaker opens")
        failing = sum(seen["mode"] == "http500" for seen in self.server.log())
        self.assertLessEqual(failing, 2 * (10 + 4), "threshold and in flight, two attempts each")
        self.server.mode("ok")


if __name__ == "__main__":
    unittest.main()
