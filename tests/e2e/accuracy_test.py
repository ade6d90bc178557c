"""How well the gazetteer places real addresses, by the command's own report and by a count of the test's."""

import csv
import math
import re
import unittest
from pathlib import Path

from support import EndToEnd, read_table

ROOT = Path(__file__).resolve().parents[2]
US_ADDRESSES = ROOT.parent / "shared" / "data" / "addresses-us.csv"


def distance_km(row):
    lat, lon, true_lat, true_lon = (math.radians(float(row[name])) for name in
                                    ("geo_lat", "geo_lon", "true_lat", "true_lon"))
    half = math.sin((lat - true_lat) / 2) ** 2 + math.cos(lat) * math.cos(true_lat) * math.sin((lon - true_lon) / 2) ** 2
    return 2 * 6371.0088 * math.asin(math.sqrt(half))


class Accuracy(EndToEnd):
    def report(self, table):
        """Percentages: answered (of the rows), within 25 km and within 40 km (of the answers)."""
        code, messages = self.finish(table, "-o", "out.csv")
        self.assertIn(code, (0, 1), messages)
        said = re.search(r"truth\s+([\d.]+) % of [\d,]+ rows answered; of the answers .*?([\d.]+) % within 25 km, "
                         r"([\d.]+) % within 40 km", messages, re.S)
        self.assertIsNotNone(said, messages)
        rows = read_table(self.folder / "out.csv")
        far = [distance_km(row) for row in rows if row["geo_lat"]]
        counted = [100 * len(far) / len(rows), *(100 * sum(km <= limit for km in far) / len(far) for limit in (25, 40))]
        reported = [float(said[1]), float(said[2]), float(said[3])]
        for ours, theirs in zip(counted, reported):
            self.assertAlmostEqual(ours, theirs, delta=0.051)
        self.assertEqual({row["geo_prec"] for row in rows} - {"locality", "region", "country", ""}, set(), "never a street")
        return reported, messages

    def test_example(self):
        (answered, within_25_km, _), messages = self.report(ROOT / "examples" / "addresses.csv")
        self.assertGreaterEqual(answered * within_25_km / 100, 90, "of all rows")
        self.assertRegex(messages, r"ATTENTION +[\d,]+ street address")

    @unittest.skipUnless(US_ADDRESSES.exists(), "the addresses are not part of the project")
    def test_us_addresses_in_columns(self):
        self.check_us(self.report(US_ADDRESSES)[0])

    @unittest.skipUnless(US_ADDRESSES.exists(), "the addresses are not part of the project")
    def test_us_addresses_in_one_cell(self):
        with open(US_ADDRESSES, newline="", encoding="utf-8") as source, \
                open(self.folder / "joined.csv", "w", newline="", encoding="utf-8") as joined:
            writer = csv.writer(joined)
            writer.writerow(["id", "address", "true_lat", "true_lon"])
            for row in csv.DictReader(source):
                parts = [row[name] for name in ("street", "unit", "city", "state", "postcode", "country")]
                writer.writerow([row["id"], ", ".join(part for part in parts if part), row["true_lat"], row["true_lon"]])
        report, messages = self.report(self.folder / "joined.csv")
        self.check_us(report)
        said = re.search(r"ATTENTION +([\d,]+) street addresses", messages)
        # 2,482 of the 2,710 answers: a house number of five digits cannot be told from a postcode.
        self.assertGreater(int(said[1].replace(",", "")), 2400, "a street is a street in one cell, too")

    def check_us(self, report):
        """No worse than a plain look-up of city and state."""
        answered, _, within_40_km = report
        self.assertGreaterEqual(answered, 95.7)
        self.assertGreaterEqual(within_40_km, 99.8)


if __name__ == "__main__":
    unittest.main()
