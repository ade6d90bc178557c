"""What cannot be geocoded is refused with the thing, its value and what is allowed; what can be is, whatever it holds."""

import os
import stat
import subprocess
import unittest

from support import EndToEnd, limit_file_size, read_table, tally

SECRET = "open-sesame"


class Refused(EndToEnd):
    def check(self, code, arguments, *words, **options):
        got, messages = self.finish(*arguments, **options)
        self.assertEqual(got, code, messages)
        for word in words:
            self.assertIn(word, messages)
        self.assertNotIn(SECRET, messages)
        self.assertEqual(list(self.folder.glob("*.gbpart")), [], "nothing half written stays")
        return messages

    def input(self, content):
        return self.file("in.csv", content)

    def good(self):
        return self.input('id,address\n1,"Paris, France"\n2,"Berlin, Germany"\n')

    def test_files_that_cannot_be_read(self):
        self.check(3, ["missing.csv"], "missing.csv", "No such file")
        self.check(3, [self.folder], str(self.folder), "directory")
        self.check(3, [self.input("")], "in.csv", "header")
        self.check(3, [self.input("\n\n")], "in.csv", "header")

    def test_headers(self):
        self.check(2, [self.input("foo,bar\n1,2\n")], "foo", "bar", "--address")
        self.check(2, [self.input("address,geo_lat\nParis,1\n")], "geo_lat", "--prefix")
        self.check(2, [self.good(), "--address", "adress"], "adress", "id", "address")
        code, messages = self.finish(self.input("address,geo_lat\nParis France,1\n"), "--prefix", "g_", "-o", "out.csv")
        self.assertEqual(code, 0, messages)
        self.assertEqual(read_table(self.folder / "out.csv")[0]["g_status"], "ok")

    def test_quote_that_never_closes(self):
        self.check(3, [self.input('address\nRome Italy\n"Paris\nLyon\n')], "in.csv", "line 3", "never closed")

    def test_other_encodings(self):
        text = 'id,address\n1,"Paris, France"\n'
        for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32"):
            with self.subTest(encoding=encoding):
                self.check(3, [self.input(text.encode(encoding))], "in.csv", "UTF-8")

    def test_binary(self):
        self.check(3, [self.input(b"\x7fELF\x02\x01\x01" + bytes(range(256)) * 40)], "in.csv", "NUL", "UTF-8")

    def test_outputs(self):
        good = self.good()
        self.check(2, [good, "-o", good], "in.csv", "input")
        link = self.folder / "link.csv"
        link.symlink_to(good)
        self.check(2, [good, "-o", link], "link.csv", "input")
        self.check(3, [good, "-o", self.folder], str(self.folder), "directory")
        self.check(3, [good, "-o", "nowhere/out.csv"], "nowhere/out.csv")
        with open(good, "rb") as rows:
            self.check(3, ["-", "-o", "nowhere/out.csv"], "nowhere/out.csv", stdin=rows)
        self.check(3, [good, "-o", "/dev/full/x.csv"], "/dev/full/x.csv")
        self.assertEqual(good.read_text().count("\n"), 3)
        self.assertEqual({path.name for path in self.folder.glob("*.csv*")}, {"in.csv", "link.csv"}, "no journal either")

    def test_full_disk(self):
        table = self.towns("in.csv", 20_000)
        self.check(3, [table, "-o", "out.csv"], "out.csv", before=limit_file_size(300_000))
        self.assertFalse((self.folder / "out.csv").exists())
        # With room again the same command continues.
        code, messages = self.finish(table, "-o", "out.csv")
        self.assertEqual(code, 0, messages)
        self.assertEqual(len(read_table(self.folder / "out.csv")), 20_000)
        with open("/dev/full", "wb") as full:
            self.check(3, [table, "-o", "-"], "standard output", "No space left", stdout=full)

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_that_may_not_be_written(self):
        good = self.good()
        closed = self.folder / "closed"
        closed.mkdir()
        closed.chmod(stat.S_IRUSR | stat.S_IXUSR)
        self.check(3, [good, "-o", closed / "out.csv"], "closed/out.csv")

    def test_flags(self):
        good = self.good()
        self.check(2, [], "IN")
        self.check(2, [good, "--bogus"], "--bogus")
        self.check(2, [good, "--concurrency", "0"], "0", "1 to 10000")
        self.check(2, [good, "--concurrency", "many"], "--concurrency", "many")
        self.check(2, [good, "--max-wait", "5"], "--max-wait", "5", "unit")
        self.check(2, [good, "--delimiter", "ab"], "--delimiter", "ab", "tab")
        messages = self.check(2, [good, "--on-skip", "nxt", "--accept", "stret"], "nxt", "wait", "next", "stret", "street")
        self.assertEqual(len(messages.splitlines()), 2, "every fault, in one go")

    def test_providers(self):
        good = self.good()
        messages = self.check(2, [good, "--provider", "nomnatim=http://x"], "nomnatim", "nominatim", "gazetteer")
        self.assertNotIn("there is no provider", messages)
        self.assertEqual(messages.count("--provider"), 1, messages)
        self.check(2, [good, "--provider", "nominatim"], "nominatim=http://")
        self.check(2, [good, "--provider", "nominatim=ftp://x"], "ftp://x", "http")
        self.check(2, [good, "--provider", "nominatim=https://nominatim.openstreetmap.org"], "contact",
                   "nominatim.openstreetmap.org")

    def test_configuration(self):
        good = self.good()
        self.check(2, [good, "--config", "missing.toml"], "missing.toml", "No such file")
        self.check(2, [good, "--config", self.folder], str(self.folder))
        cases = {
            "[stor]\nurl='memory:'": ("stor", "store"),
            "[breaker]\nthreshhold = 5": ("threshhold", "threshold"),
            "[breaker]\nwindow = '-1s'": ("window", "-1s"),
            "[breaker]\nwindow = 60": ("window", "60", '"'),
            "[breaker]\nbase_cooldown = '10m'\nmax_cooldown = '1m'": ("max_cooldown", "base_cooldown"),
            "[batch]\non_skip = 'nxt'": ("on_skip", "nxt", "wait", "next"),
            "[[provider]]\nkind = 'nominatm'\nurl='http://localhost'": ("nominatm", "nominatim"),
            "[[provider]]\nkind = 'nominatim'\nurl='http://localhost'\nrate='5'": ("rate", "5"),
            "[[provider]]\nkind = 'gazetteer'\n[[provider]]\nkind = 'gazetteer'": ("gazetteer", "name"),
            "[breaker\nwindow = '1s'": ("geobreaker.toml:1:", "TOML"),
            "[breaker]\nwindow = '0s'\nthreshold = 0\n": ("window", "threshold"),
        }
        for text, words in cases.items():
            with self.subTest(text=text):
                self.check(2, [good, "--config", self.config(text)], *words)

    def test_passwords_are_never_shown(self):
        good = self.good()
        redis = self.redis("--requirepass", "right-one")
        for number, user in enumerate(("user", "")):
            url = f"redis://{user}:{SECRET}@127.0.0.1:{redis.port}/0"
            code, messages = self.finish(good, "-o", f"out{number}.csv", "--store", url)
            self.assertEqual(code, 0, messages)
            self.assertIn("store: lost", messages)
            self.assertNotIn(SECRET, messages)
        self.check(2, [good, "--store", f"redis://user:{SECRET}@host:1/x"], "redis://")
        self.check(2, [good, "--store", f"http://user:{SECRET}@host"], "http://")
        self.check(2, [good, "--store", f"redis:user:{SECRET}@host"])
        self.check(2, [good, "--provider", f"nominatim=http://user:{SECRET}@host:port/"])
        self.check(2, [good, "--config", self.config(f"[store]\nurl = 'rdis://user:{SECRET}@host'\n")], "rdis")
        redis.kill()
        messages = self.finish(good, "-o", "out2.csv", "--store", f"redis://u:{SECRET}@127.0.0.1:{redis.port}/0")[1]
        self.assertIn("store: lost", messages)
        self.assertNotIn(SECRET, messages)
        for journal in self.folder.glob("*.gbj*"):
            self.assertNotIn(SECRET.encode(), journal.read_bytes())

    def test_reader_of_the_output_goes_away(self):
        table = self.towns("in.csv", 100_000)
        process = subprocess.Popen(["head", "-1"], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        run = self.run_command(table, "-o", "-", stdout=process.stdin)
        process.stdin.close()
        self.assertEqual(run.wait(), 3, run.messages)
        self.assertIn("Broken pipe", run.messages)
        self.assertTrue(process.stdout.read().startswith(b"id,address,geo_status"))
        process.stdout.close()
        process.wait()


class Odd(EndToEnd):
    """Input that is strange and nevertheless has an answer."""

    def geocode(self, content, code, *arguments):
        (self.folder / "out.csv.gbj").unlink(missing_ok=True)
        got, messages = self.finish(self.file("in.csv", content), "-o", "out.csv", *arguments)
        self.assertEqual(got, code, messages)
        return read_table(self.folder / "out.csv"), messages

    def statuses(self, content, code, *arguments):
        return [row["geo_status"] for row in self.geocode(content, code, *arguments)[0]]

    def test_exit_codes_of_rows(self):
        self.assertEqual(self.statuses('address\n"Paris, France"\nqqxyzzyqq\n', 0), ["ok", "no-match"])
        self.assertEqual(self.statuses('id,address\n1,"Paris, France"\n2,\n', 1), ["ok", "bad-request"])
        self.assertEqual(self.statuses('address,city\n', 0), [])

    def test_cells(self):
        long_cell = "x " * (1 << 20)
        rows, _ = self.geocode(f'id,address\n1,"{long_cell}"\n2,"Paris, France"\n', 0)
        self.assertEqual([row["geo_status"] for row in rows], ["no-match", "ok"])
        self.assertEqual(rows[0]["address"], long_cell)
        self.assertEqual(self.statuses(b'id,address\n1,Par\0is\n2,"Paris, France"\n', 0)[1], "ok")
        self.assertEqual(self.statuses(b'id,address\n1,"\xff\xfe Stra\xdfe"\n2,"Paris, France"\n', 0)[1], "ok")

    def test_ragged_rows(self):
        rows, messages = self.geocode("id,address\n1\n2,Paris France,more\n3,Berlin Germany\n", 1)
        self.assertEqual([row["id"] for row in rows], ["1", "2", "3"])
        self.assertIn("2 rows have more or fewer cells than the header, the first in line 2", messages)

    def test_blank_lines(self):
        content = "id,address\n\n1,Paris France\n\n2,Berlin Germany\n\n\n"
        code, messages = self.finish(self.file("in.csv", content), "-o", "out.csv")
        self.assertEqual(code, 1, messages)
        lines = (self.folder / "out.csv").read_text().split("\n")
        self.assertEqual([line[:2] for line in lines], ["id", ",,", "1,", ",,", "2,", ",,", ",,", ""])
        self.assertEqual(lines[1], ",,bad-request,,,,,,,")

    def test_what_is_no_file_stays_what_it_is(self):
        # A pipe of the test's own stands for /dev/null, which a faulty version run by root would replace by a file.
        table = self.towns("in.csv", 10)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        run = self.run_command(table, "-o", pipe)
        with open(pipe) as rows:
            self.assertEqual(len(rows.readlines()), 11)
        self.assertEqual(run.wait(), 0, run.messages)
        self.assertTrue(pipe.is_fifo())
        self.assertEqual(list(self.folder.glob("*.gbj")), [], "nothing that could be continued")

    def test_link_to_the_output_stays_a_link(self):
        (self.folder / "elsewhere").mkdir()
        target = self.folder / "elsewhere" / "out.csv"
        target.write_text("old")
        link = self.folder / "out.csv"
        link.symlink_to(target)
        self.assertEqual(self.finish(self.towns("in.csv", 10), "-o", link)[0], 0)
        self.assertTrue(link.is_symlink())
        self.assertEqual(len(read_table(target)), 10)

    def test_streams(self):
        table = self.towns("in.csv", 10)
        with open(table, "rb") as rows, open(self.folder / "out.csv", "wb") as out:
            code, messages = self.finish("-", "-o", "-", stdin=rows, stdout=out)
        self.assertEqual(code, 0, messages)
        self.assertEqual(len(read_table(self.folder / "out.csv")), 10)
        self.assertEqual(self.finish(table, "-o", "file.csv")[0], 0)
        self.assertEqual((self.folder / "out.csv").read_bytes(), (self.folder / "file.csv").read_bytes())
        self.assertEqual({path.name for path in self.folder.glob("*.gbj")}, {"file.csv.gbj"})


if __name__ == "__main__":
    unittest.main()
