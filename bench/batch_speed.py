#!/usr/bin/env python3
"""How fast a large file is geocoded, beside Python's csv module copying the same file.

Usage: batch_speed.py GEOBREAKER [ROWS]

Makes a file of ROWS distinct addresses in nine columns (the cities of examples/addresses.csv, streets and numbers of its own,
always the same ones), then runs both three times in turn and compares CPU time, user and system, of the whole child
process. geobreaker runs with its defaults: gazetteer, journal, no memo. Peak memory at a tenth of the rows and at all
of them shows whether it grows with the file. The starting time is that of a table without rows, beside /bin/true.
"""
import csv
import os
import pathlib
import random
import statistics
import subprocess
import sys
import tempfile
import time

EXAMPLES = pathlib.Path(__file__).resolve().parent.parent / "examples" / "addresses.csv"
HEADER = ["id", "street", "unit", "city", "district", "state", "postcode", "country", "note"]
STREETS = ["Oak Street", "Maple Avenue", "High Street", "Station Road", "Church Lane", "Mill Road", "Park Avenue",
           "Elm Drive", "River Walk", "Hill Crescent", "Victoria Terrace", "Queen's Gate", "Harbour View", "Long Acre"]
COPY = """
import csv, sys
with open(sys.argv[1], newline="", encoding="utf-8") as source, open(sys.argv[2], "w", newline="", encoding="utf-8") as sink:
    csv.writer(sink).writerows(csv.reader(source))
"""
RUNS = 3
STARTS = 20


def cities():
    """(city, postcode, country) of the example's rows that have the parts in columns."""
    with open(EXAMPLES, newline="", encoding="utf-8") as file:
        rows = [(r["city"], r["postcode"], r["country"]) for r in csv.DictReader(file)]
    return [row for row in rows if row[0]]


def make_table(path, rows):
    chance = random.Random(20240607)
    places = cities()
    with open(path, "w", newline="", encoding="utf-8") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(HEADER)
        for i in range(rows):
            city, postcode, country = places[chance.randrange(len(places))]
            # The running number makes the address distinct, the rest makes it look like one.
            street = f"{i + 1} {chance.choice(STREETS)}"
            unit = f"Apt {chance.randrange(1, 400)}" if chance.random() < 0.2 else ""
            note = "ring twice, please" if chance.random() < 0.1 else ""
            out.writerow([i, street, unit, city, "", "", postcode, country, note])


class Used:
    """What a child process used."""

    def __init__(self, command):
        silent = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
        self.said = silent.stderr.read().decode()
        _, status, usage = os.wait4(silent.pid, 0)
        silent.returncode = os.waitstatus_to_exitcode(status)
        if silent.returncode not in (0, 1):
            sys.exit(f"{' '.join(command)} ended with {silent.returncode}: {self.said}")
        self.cpu_s = usage.ru_utime + usage.ru_stime
        self.peak_mib = usage.ru_maxrss / 1024


def geocode(program, table, folder):
    """A fresh run: nothing of an earlier one is left to continue."""
    result = folder / "out.csv"
    for old in folder.glob("out.csv*"):
        old.unlink()
    used = Used([program, "geocode", str(table), "-o", str(result), "--quiet"])
    with open(table, "rb") as source, open(result, "rb") as made:
        if sum(1 for _ in source) != sum(1 for _ in made):
            sys.exit("the result has not as many lines as the input")
    return used


def start(command, cleanup=lambda: None):
    """The median of a process's whole time, and of its CPU time, in words."""
    whole, cpu = [], []
    for _ in range(STARTS):
        cleanup()
        before = time.perf_counter()
        cpu.append(1000 * Used(command).cpu_s)
        whole.append(1000 * (time.perf_counter() - before))
    return f"{statistics.median(whole):.1f} ms, {statistics.median(cpu):.1f} ms of CPU"


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    program = str(pathlib.Path(sys.argv[1]).resolve())
    rows = int(sys.argv[2]) if len(sys.argv) > 2 else 1_000_000
    with tempfile.TemporaryDirectory(prefix="geobreaker-bench-") as name:
        folder = pathlib.Path(name)
        table, small, empty = folder / "all.csv", folder / "tenth.csv", folder / "none.csv"
        make_table(table, rows)
        make_table(small, rows // 10)
        make_table(empty, 0)
        print(f"{rows:,} rows, {table.stat().st_size / 1e6:.0f} MB, nine columns")

        copies, runs = [], []
        for turn in range(RUNS):
            copies.append(Used([sys.executable, "-c", COPY, str(table), str(folder / "copy.csv")]))
            runs.append(geocode(program, table, folder))
            print(f"run {turn + 1}: csv copy {copies[-1].cpu_s:.2f} s CPU, geobreaker {runs[-1].cpu_s:.2f} s CPU", flush=True)
        copy_s = statistics.median(used.cpu_s for used in copies)
        geocode_s = statistics.median(used.cpu_s for used in runs)
        print(f"median: csv copy {copy_s:.2f} s CPU, geobreaker {geocode_s:.2f} s CPU, {rows / geocode_s:,.0f} rows per CPU second")
        print(f"ratio of the CPU rates: {copy_s / geocode_s:.2f} (needed 0.15, aim 0.25)")

        tenth = geocode(program, small, folder)
        print(f"peak memory: {tenth.peak_mib:.0f} MiB at {rows // 10:,} rows, "
              f"{max(used.peak_mib for used in runs):.0f} MiB at {rows:,} rows")

        def forget():
            for old in folder.glob("out.csv*"):
                old.unlink()

        print("a table without rows, from start to end:")
        print(f"  {start([program, 'geocode', str(empty), '-o', str(folder / 'out.csv'), '--quiet'], forget)}, with a journal")
        print(f"  {start([program, 'geocode', str(empty), '-o', '-', '--quiet'])}, to standard output")
        print(f"  {start(['/bin/true'])}, /bin/true")


if __name__ == "__main__":
    main()
