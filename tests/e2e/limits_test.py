"""What a provider's operator asks for is kept: calls at once, calls a second, and pauses of the whole fleet."""

import unittest

from support import EndToEnd, read_table, tally, wait_until


class Limits(EndToEnd):
    def settings(self, server, provider, store="memory:"):
        return self.config(f"""
            [store]
            url = "{store}"
            timeout = "500ms"
            [batch]
            concurrency = 32
            [[provider]]
            name = "nominatim"
            kind = "nominatim"
            url = "{server.url}"
            {provider}
            """)

    def check_all_ok(self, path, rows):
        table = read_table(path)
        self.assertEqual(tally(table, "geo_tried"), {"nominatim:ok": rows})
        self.assertEqual(tally(table, "geo_status"), {"ok": rows})

    def test_calls_at_once(self):
        server = self.fake("--latency", 20)
        config = self.settings(server, "max_concurrency = 3")
        code, messages = self.finish(self.towns("in.csv", 150), "--config", config, "-o", "out.csv")
        self.assertEqual(code, 0, messages)
        self.assertEqual(server.stats()["max_in_flight"], 3)
        self.assertEqual(server.requests(), 150)
        self.check_all_ok(self.folder / "out.csv", 150)

    def test_calls_a_second(self):
        server = self.fake()
        config = self.settings(server, 'rate = "20/s"')
        code, messages = self.finish(self.towns("in.csv", 70), "--config", config, "-o", "out.csv")
        self.assertEqual(code, 0, messages)
        at = [seen["ms"] for seen in server.log()]
        self.assertEqual(len(at), 70)
        self.assertGreaterEqual(at[-1] - at[0], 69 * 50 - 200)
        late = 4  # calls that a busy machine sent late, together with those after them
        for first in at:
            self.assertLessEqual(sum(first <= ms < first + 1000 for ms in at), 20 + late)
        self.check_all_ok(self.folder / "out.csv", 70)

    def test_pause_holds_for_the_fleet(self):
        processes, at_once, rows = 4, 4, 150
        server = self.fake("--latency", 20)
        config = self.settings(server, f"max_concurrency = {at_once}", store=self.redis().url)
        runs = [self.run_command(self.towns(f"in{i}.csv", rows, first=i * rows), "--config", config, "-o", f"out{i}.csv",
                                 tag=str(i)) for i in range(processes)]
        server.wait_for(processes * 20)
        server.mode("429:2")
        wait_until(lambda: any(seen["answer"] == "429" for seen in server.log()), "a throttled call")
        server.mode("ok")
        for run in runs:
            self.assertEqual(run.wait(), 0, run.messages)
        log = server.log()
        throttled = [seen["ms"] for seen in log if seen["answer"] == "429"]
        begun = throttled[0]
        in_pause = [seen["ms"] for seen in log if begun < seen["ms"] < begun + 1950]
        self.assertLessEqual(len(in_pause), processes * at_once, "only those that were in flight")
        self.assertLessEqual(max(in_pause, default=begun), begun + 500, "only those that were in flight")
        self.assertEqual(len([seen for seen in log if seen["answer"] == "200"]), processes * rows)
        for i in range(processes):
            self.check_all_ok(self.folder / f"out{i}.csv", rows)


if __name__ == "__main__":
    unittest.main()
