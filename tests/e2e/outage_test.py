"""A provider dies in the middle of a job that four processes share over one Redis, and comes back."""

import unittest

from support import EndToEnd, calls_of, read_table, tally, wait_until

PROCESSES = 4
ROWS = 500
MOST_AT_ONCE = 4
RUN_THRESHOLD = 10
LATENCY_MS = 20
TIMEOUT_MS = 700
COOLDOWN_MS, LONGEST_COOLDOWN_MS = 2000, 3000


class Outage(EndToEnd):
    def start(self, on_skip):
        self.server = self.fake("--latency", LATENCY_MS)
        # The gazetteer's rate keeps rows for the time after the outage.
        config = self.config(f"""
            [store]
            url = "{self.redis().url}"
            timeout = "250ms"
            [breaker]
            base_cooldown = "{COOLDOWN_MS}ms"
            max_cooldown = "{LONGEST_COOLDOWN_MS}ms"
            run_threshold = {RUN_THRESHOLD}
            [batch]
            concurrency = 16
            on_skip = "{on_skip}"
            [[provider]]
            name = "nominatim"
            kind = "nominatim"
            url = "{self.server.url}"
            timeout = "{TIMEOUT_MS}ms"
            max_concurrency = {MOST_AT_ONCE}
            retry = {{ attempts = 1 }}
            [[provider]]
            name = "gazetteer"
            kind = "gazetteer"
            rate = "25/s"
            """)
        tables = [self.towns(f"in{i}.csv", ROWS, first=i * ROWS) for i in range(PROCESSES)]
        self.runs = [self.run_command(t, "--config", config, "-o", self.folder / f"out{i}.csv", tag=str(i))
                     for i, t in enumerate(tables)]
        self.server.wait_for(PROCESSES * 40)

    def wait_until_open(self):
        for run in self.runs:
            wait_until(lambda r=run: "nominatim: closed -> open" in r.messages, "every process sees the breaker open")

    def hanging(self):
        return [seen for seen in self.server.log() if seen["mode"] == "hang"]

    def outcome(self, expected_codes):
        codes = [run.wait() for run in self.runs]
        self.assertEqual(codes, expected_codes, "\n".join(run.messages for run in self.runs))
        tables = [read_table(self.folder / f"out{i}.csv") for i in range(PROCESSES)]
        for i, table in enumerate(tables):
            self.assertEqual([int(row["id"]) for row in table], list(range(i * ROWS, (i + 1) * ROWS)))
        return tables

    def check_calls_of_a_dead_server(self, hanging):
        """The calls that opened the breaker, then one probe per cool-down. Returns the probes."""
        opened = next((i for i in range(1, len(hanging)) if hanging[i]["ms"] - hanging[i - 1]["ms"] > COOLDOWN_MS * 0.8
                       and i >= RUN_THRESHOLD), len(hanging))
        self.assertGreaterEqual(opened, RUN_THRESHOLD)
        self.assertLessEqual(opened, PROCESSES * (RUN_THRESHOLD + MOST_AT_ONCE), hanging)
        probes = [seen["ms"] for seen in hanging[opened:]]
        for earlier, later in zip(probes, probes[1:]):
            # A probe fails by its time-out, then the doubled cool-down passes.
            self.assertGreaterEqual(later - earlier, TIMEOUT_MS + LONGEST_COOLDOWN_MS - 100, probes)
        return probes

    def check_recovery(self, first_request):
        """After the outage one request alone goes to the server, and the rest only when it was answered."""
        after = self.server.log()[first_request:]
        after = [seen["ms"] for seen in after if seen["mode"] == "ok"]
        self.assertGreaterEqual(after[1] - after[0], LATENCY_MS - 2, after[:10])

    def test_next_provider(self):
        self.start("next")
        self.assertEqual({seen["answer"] for seen in self.server.log()}, {"200"})
        self.server.mode("hang")
        self.wait_until_open()
        wait_until(lambda: len(self.check_calls_of_a_dead_server(self.hanging())) >= 2, "two probes")
        before = self.server.requests()
        self.server.mode("ok")
        tables = self.outcome([1] * PROCESSES)
        hanging = self.hanging()
        self.check_calls_of_a_dead_server(hanging)
        self.check_recovery(before)

        rows = [row for table in tables for row in table]
        words = tally(rows, "geo_tried")
        self.assertEqual(set(words), {"nominatim:ok", "nominatim:breaker-open|gazetteer:ok",
                                      "nominatim:timeout|gazetteer:ok"})
        self.assertEqual(words["nominatim:timeout|gazetteer:ok"], len(hanging))
        self.assertGreater(words["nominatim:breaker-open|gazetteer:ok"], PROCESSES * 20)
        for row in rows:
            by_nominatim = row["geo_tried"] == "nominatim:ok"
            self.assertEqual(row["geo_source"], "nominatim" if by_nominatim else "gazetteer")
            self.assertEqual(row["geo_status"], "ok" if by_nominatim else "below-threshold")
        for table in tables:  # before, in the outage, and after it
            self.assertEqual({row["geo_source"] for row in table[:20]}, {"nominatim"})
            self.assertEqual({row["geo_source"] for row in table[-20:]}, {"nominatim"})
        answered = [seen["q"] for seen in self.server.log() if seen["answer"] == "200"]
        self.assertEqual(len(answered), len(set(answered)), "a row was asked twice")
        self.assertEqual(len(answered), words["nominatim:ok"])

    def test_wait(self):
        self.start("wait")
        self.server.mode("refuse")
        self.wait_until_open()
        before = self.server.requests()
        self.server.mode("ok")
        self.server.wait_for(before + PROCESSES * 60)
        self.check_recovery(before)
        self.server.mode("hang")
        wait_until(lambda: len(self.hanging()) >= RUN_THRESHOLD, "a run of failures")
        wait_until(lambda: len(self.check_calls_of_a_dead_server(self.hanging())) >= 1, "a probe")
        before = self.server.requests()
        self.server.mode("ok")
        tables = self.outcome([0] * PROCESSES)
        self.check_recovery(before)

        rows = [row for table in tables for row in table]
        self.assertEqual(tally(rows, "geo_tried"), {"nominatim:ok": PROCESSES * ROWS})
        self.assertEqual(tally(rows, "geo_status"), {"ok": PROCESSES * ROWS})
        self.assertEqual(tally(rows, "geo_source"), {"nominatim": PROCESSES * ROWS})
        answered = [seen["q"] for seen in self.server.log() if seen["answer"] == "200"]
        self.assertEqual(len(set(answered)), PROCESSES * ROWS)
        cut_off = PROCESSES * MOST_AT_ONCE  # when the port was closed, with the answer on its way
        self.assertLessEqual(len(answered), PROCESSES * ROWS + cut_off, "no other row was asked twice")
        for run in self.runs:  # the closed port cannot count: what the command itself counted
            refused = calls_of(run.messages, "nominatim").get("network", 0)
            self.assertLessEqual(refused, RUN_THRESHOLD + MOST_AT_ONCE + 3)


if __name__ == "__main__":
    unittest.main()
