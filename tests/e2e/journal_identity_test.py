"""A journal serves the run that it was made for, and one process at a time."""

import signal
import unittest

from support import EndToEnd, read_table, tally, wait_until


class JournalIdentity(EndToEnd):
    def setUp(self):
        super().setUp()
        self.server = self.fake()
        self.table = self.towns("in.csv", 20)
        self.provider = f"nominatim={self.server.url}"
        self.arguments = (self.table, "-o", "out.csv", "--provider", self.provider)
        self.assertEqual(self.finish(*self.arguments)[0], 0)
        self.output = (self.folder / "out.csv").read_bytes()

    def check_refused(self, arguments, *words):
        code, messages = self.finish(*arguments)
        self.assertEqual(code, 3, messages)
        for word in ("out.csv.gbj", "Delete it", *words):
            self.assertIn(word, messages)
        self.assertEqual((self.folder / "out.csv").read_bytes(), self.output, "what was there is untouched")
        self.assertEqual(list(self.folder.glob("*.gbpart")), [])

    def test_same_run_again_asks_nobody(self):
        asked = self.server.requests()
        code, messages = self.finish(*self.arguments)
        self.assertEqual(code, 0, messages)
        self.assertEqual(self.server.requests(), asked)
        self.assertEqual((self.folder / "out.csv").read_bytes(), self.output)

    def test_input_changed(self):
        self.table.write_text(self.table.read_text().replace("Paris", "Lyon", 1))
        self.check_refused(self.arguments, "the input file")

    def test_input_grown(self):
        with open(self.table, "a") as table:
            table.write('20,"1 New Street, Paris, France"\n')
        self.check_refused(self.arguments, "the input file")

    def test_providers_changed(self):
        self.check_refused((*self.arguments, "--provider", "gazetteer"), "provider")

    def test_accept_changed(self):
        self.check_refused((*self.arguments, "--accept", "locality"), "accept")

    def test_prefix_changed(self):
        self.check_refused((*self.arguments, "--prefix", "g2_"), "--prefix", '"geo_"', '"g2_"')

    def test_address_columns_changed(self):
        self.check_refused((*self.arguments, "--address", "id"), "the address columns")

    def test_what_does_not_decide_the_answers_may_change(self):
        code, messages = self.finish(*self.arguments, "--concurrency", "3", "--store", "memory:", "--contact", "me@example.org")
        self.assertEqual(code, 0, messages)

    def test_other_file_in_the_journals_place(self):
        (self.folder / "out.csv.gbj").write_text("a note of mine\n" * 500)
        code, messages = self.finish(*self.arguments)
        self.assertEqual(code, 3, messages)
        self.assertIn("out.csv.gbj", messages)
        self.assertTrue((self.folder / "out.csv.gbj").read_text().startswith("a note of mine"))

    def test_second_process_on_a_live_journal(self):
        self.server.mode("hang")
        arguments = (self.table, "-o", "live.csv", "--provider", self.provider)
        first = self.run_command(*arguments)
        asked = self.server.requests()
        wait_until(lambda: self.server.requests() > asked, "the first is at work")
        code, messages = self.finish(*arguments)
        self.assertEqual(code, 3, messages)
        self.assertIn("live.csv.gbj", messages)
        self.assertIn("another process", messages)
        self.assertTrue(first.running())
        first.send(signal.SIGINT)
        first.wait_for_message("finishing")
        first.send(signal.SIGINT)
        self.assertEqual(first.wait(), 130)
        self.server.mode("ok")
        self.assertEqual(self.finish(*arguments)[0], 0)
        self.assertEqual(tally(read_table(self.folder / "live.csv"), "geo_status"), {"ok": 20})


if __name__ == "__main__":
    unittest.main()
