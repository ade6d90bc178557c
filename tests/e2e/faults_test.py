"""Each way in which a provider can fail has its word in the output, and the next provider its turn."""

import unittest

from support import EndToEnd, read_table, tally

WORDS = {"refuse": "network", "reset": "network", "truncate": "network", "http500": "provider-error",
         "html200": "provider-error", "garbage": "provider-error", "hang": "timeout", "429:60": "rate-limited",
         "empty": "no-match"}


class Faults(EndToEnd):
    def provider(self, name, server):
        return (f'[[provider]]\nname = "{name}"\nkind = "nominatim"\nurl = "{server.url}"\ntimeout = "700ms"\n'
                "retry = { attempts = 1 }\n")

    def test_words(self):
        table = self.towns("in.csv", 1)
        for mode, word in WORDS.items():
            with self.subTest(mode=mode):
                config = self.config(self.provider("first", self.fake("--mode", mode)) + '[[provider]]\nkind = "gazetteer"\n')
                output = self.folder / f"{word}-{mode.replace(':', '-')}.csv"
                code, messages = self.finish(table, "--config", config, "-o", output, "--on-skip", "next")
                self.assertEqual(code, 1, messages)
                row = read_table(output)[0]
                self.assertEqual(row["geo_tried"], f"first:{word}|gazetteer:ok")
                self.assertEqual((row["geo_status"], row["geo_source"]), ("below-threshold", "gazetteer"))

    def test_failed_rows_have_no_coordinates(self):
        config = self.config(self.provider("first", self.fake("--mode", "http500")))
        code, messages = self.finish(self.towns("in.csv", 3), "--config", config, "-o", "out.csv", "--max-wait", "1s")
        self.assertEqual(code, 1, messages)
        for row in read_table(self.folder / "out.csv"):
            self.assertEqual(row["geo_status"], "failed")
            self.assertEqual([row["geo_" + name] for name in ("lat", "lon", "label", "prec", "conf", "source")], [""] * 6)

    def test_second_provider_of_streets_is_asked_at_once(self):
        """No row waits for the first when the second can give what is wanted."""
        config = self.config(self.provider("first", self.fake("--mode", "refuse")) + self.provider("second", self.fake()) +
                             '[[provider]]\nkind = "gazetteer"\n')
        code, messages = self.finish(self.towns("in.csv", 60), "--config", config, "-o", "out.csv")
        self.assertEqual(code, 0, messages)
        tried = tally(read_table(self.folder / "out.csv"), "geo_tried")
        self.assertEqual(set(tried), {"first:network|second:ok", "first:breaker-open|second:ok"})

    def test_coarse_answer_of_the_street_provider_is_kept_and_said(self):
        server = self.fake()
        table = self.file("in.csv", 'address\n"cityonly, Paris"\n"nowhere"\n')
        code, messages = self.finish(table, "--provider", f"nominatim={server.url}", "-o", "out.csv")
        self.assertEqual(code, 1, messages)
        rows = read_table(self.folder / "out.csv")
        self.assertEqual([row["geo_status"] for row in rows], ["below-threshold", "no-match"])
        self.assertEqual([row["geo_tried"] for row in rows], ["nominatim:ok", "nominatim:no-match"])


if __name__ == "__main__":
    unittest.main()
