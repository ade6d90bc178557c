"""SIGKILL at any instant: the same command continues, and the output is that of an undisturbed run."""

import random
import time
import unittest

from support import EndToEnd, read_table, wait_until

ROUNDS = 12
ROWS = 240
CONCURRENCY = 8


class Kill(EndToEnd):
    def setUp(self):
        super().setUp()
        self.seed = random.SystemRandom().randrange(1 << 32)
        self.random = random.Random(self.seed)

    def config_for(self, server, extra=""):
        return self.config(f"""
            [breaker]
            base_cooldown = "300ms"
            max_cooldown = "300ms"
            [batch]
            concurrency = {CONCURRENCY}
            [[provider]]
            name = "nominatim"
            kind = "nominatim"
            url = "{server.url}"
            max_concurrency = {CONCURRENCY}
            retry = {{ attempts = 1 }}
            {extra}
            """)

    def undisturbed(self, table, config):
        self.assertEqual(self.finish(table, "--config", config, "-o", "undisturbed.csv")[0], 0)
        return (self.folder / "undisturbed.csv").read_bytes()

    def check_calls(self, log, kills):
        """Calls again only for rows that were in flight when the process was killed."""
        asked = [seen["q"] for seen in log]
        self.assertEqual(len(set(asked)), ROWS)
        self.assertLessEqual(len(asked), ROWS + kills * CONCURRENCY, f"seed {self.seed}")
        self.assertLessEqual(max(asked.count(q) for q in set(asked)), 1 + kills, f"seed {self.seed}")

    def test_rows_in_flight(self):
        server = self.fake("--latency", 15)
        table, config = self.towns("in.csv", ROWS), self.config_for(server)
        expected = self.undisturbed(table, config)
        server.reset()
        kills = 0
        for round_ in range(ROUNDS):
            run = self.run_command(table, "--config", config, "-o", "out.csv")
            target = server.requests() + self.random.randrange(1, 2 * ROWS // ROUNDS)
            wait_until(lambda: server.requests() >= target or not run.running(), "progress")
            time.sleep(self.random.random() * 0.02)  # any instant, not the one after an answer
            kills += run.running()
            run.kill()
        self.assertGreaterEqual(kills, 5)
        code, messages = self.finish(table, "--config", config, "-o", "out.csv")
        self.assertEqual(code, 0, messages)
        self.assertEqual((self.folder / "out.csv").read_bytes(), expected, f"seed {self.seed}")
        self.check_calls(server.log(), kills)

    def test_rows_parked(self):
        server = self.fake("--latency", 15)
        table, config = self.towns("in.csv", ROWS), self.config_for(server)
        expected = self.undisturbed(table, config)
        server.reset()
        failed = 0
        for round_ in range(ROUNDS):
            run = self.run_command(table, "--config", config, "-o", "out.csv")
            target = server.requests() + self.random.randrange(1, ROWS // ROUNDS // 2)
            wait_until(lambda: server.requests() >= target or not run.running(), "progress")
            server.mode(self.random.choice(["http500", "hang", "429:3", "reset"]))
            target = server.requests() + 1
            wait_until(lambda: server.requests() >= target or not run.running(), "a call that fails")
            time.sleep(self.random.random() * 0.2)
            run.kill()
            server.mode("ok")
        code, messages = self.finish(table, "--config", config, "-o", "out.csv")
        self.assertEqual(code, 0, messages)
        self.assertEqual((self.folder / "out.csv").read_bytes(), expected, f"seed {self.seed}")
        self.check_calls([seen for seen in server.log() if seen["mode"] == "ok"], ROUNDS)

    def test_gazetteer_alone(self):
        table = self.towns("in.csv", 30_000)
        code, messages = self.finish(table, "-o", "undisturbed.csv")
        self.assertEqual(code, 0, messages)
        journal = self.folder / "out.csv.gbj-wal"
        for round_ in range(ROUNDS):
            run = self.run_command(table, "-o", "out.csv")
            size = journal.stat().st_size if journal.exists() else 0
            wait_until(lambda: not run.running() or journal.exists() and journal.stat().st_size > size, "progress")
            time.sleep(self.random.random() * 0.05)
            run.kill()
        code, messages = self.finish(table, "-o", "out.csv")
        self.assertEqual(code, 0, messages)
        self.assertIn("continuing: ", messages)
        self.assertEqual((self.folder / "out.csv").read_bytes(), (self.folder / "undisturbed.csv").read_bytes(),
                         f"seed {self.seed}")
        self.assertEqual(len(read_table(self.folder / "out.csv")), 30_000)


if __name__ == "__main__":
    unittest.main()
