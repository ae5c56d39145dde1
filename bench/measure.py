"""Alternates tidemark and DuckDB over the same bids and prints medians; run.sh calls it."""

import argparse
import os
import statistics
import sys
import time
from pathlib import Path

import check

BENCH = Path(__file__).resolve().parent
PIPELINES = {
    "w0": "w0-filter.yaml",
    "w1": "w1-tumbling.yaml",
    "w1-csv": "w1-csv.yaml",
    "w2": "w2-sliding.yaml",
    "w3": "w3-session.yaml",
    "w4": "w4-parquet.yaml",
    "w6": "w6-uv.yaml",
}
TARGETS = {"w0": 0.30, "w1": 0.40, "w2": 0.35, "w3": 0.40, "w4": 1.0, "w6": 0.40}
TARGET_CSV = 0.80  # of W1's events a second from JSON
TARGET_RSS = 64  # MB, tidemark's peak; W4 may take 256


class Failed(Exception):
    """A measured process did not end with 0."""


def timed(command: list[str], log: Path) -> tuple[float, float]:
    """Runs command from start to exit and gives its wall time in seconds and its peak resident set in MB."""
    with open(log, "wb") as errors:
        actions = [(os.POSIX_SPAWN_DUP2, errors.fileno(), 2), (os.POSIX_SPAWN_DUP2, errors.fileno(), 1)]
        begin = time.perf_counter()
        pid = os.posix_spawn(command[0], command, os.environ, file_actions=actions)
        _, status, usage = os.wait4(pid, 0)
        wall = time.perf_counter() - begin
    if os.waitstatus_to_exitcode(status) != 0:
        raise Failed(f"{' '.join(command)}\n{log.read_text(errors='replace')}")
    return wall, usage.ru_maxrss / 1024


class Bench:
    """One invocation: the bids, the programs and how often each is run."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.out = BENCH / "out"

    def bids(self, workload: str) -> str:
        """Gives the workload's input."""
        return str(Path(self.options.bids).with_suffix({"w4": ".parquet", "w1-csv": ".csv"}.get(workload, ".jsonl")))

    def rows(self, workload: str) -> Path:
        """Gives the file of our rows."""
        return self.options.out / (f"{workload}.parquet" if workload == "w4" else f"{workload}.jsonl")

    def tidemark(self, workload: str, parallelism: int = 0) -> tuple[float, float]:
        """Runs our pipeline of the workload into a fresh file."""
        out = self.rows(workload)
        out.unlink(missing_ok=True)
        command = [str(self.out / "tidemark"), "run", str(BENCH / PIPELINES[workload])]
        command += ["--set", f"BIDS={self.bids(workload)}", "--set", f"OUT={out}", "--report", "json"]
        if parallelism:
            command += ["--parallelism", str(parallelism)]
        return timed(command, self.out / f"{workload}.report")

    def duckdb(self, workload: str) -> tuple[float, float]:
        """Runs the workload's batch query in a fresh process."""
        out = self.options.out / f"{workload}.duckdb.jsonl"
        out.unlink(missing_ok=True)
        name = workload + ("+" if self.options.tuned else "")
        command = [self.options.python, str(BENCH / "duck.py"), name, self.bids(workload), str(out)]
        return timed(command, self.out / f"{workload}.duckdb.log")

    def alternate(self, first, second) -> tuple[list, list]:
        """Runs both once to warm up, then in turns, so that a slow spell of the machine hits both."""
        first(), second()
        pairs = [(first(), second()) for _ in range(self.options.runs)]
        return [a for a, _ in pairs], [b for _, b in pairs]

    def workload(self, name: str) -> list[str]:
        """Measures one workload, prints its line and gives what is wrong with tidemark's answer."""
        if self.options.duckdb_only:
            self.duckdb(name)
            theirs = [self.duckdb(name) for _ in range(self.options.runs)]
            line(name, "", wall(theirs), "", "", "", "", rss(theirs))
            return []
        ours, theirs = self.alternate(lambda: self.tidemark(name), lambda: self.duckdb(name))
        rate = f"{self.options.rows / statistics.median(w for w, _ in ours) / 1e6:.2f}"
        target = f"{TARGETS[name]:.2f}" if name in TARGETS else ""
        line(name, wall(ours), wall(theirs), ratio(ours, theirs), target, rate, rss(ours), rss(theirs))
        if self.options.rows != check.ROWS:
            return []
        return check.problems(name, self.rows(name), self.out / f"{name}.report", self.options.python)

    def csv(self) -> None:
        """Prints how many events a second W1 reads of CSV, as a share of those that it reads of JSON."""
        json, csv = self.alternate(lambda: self.tidemark("w1"), lambda: self.tidemark("w1-csv"))
        print(f"\nw1 from JSON: {wall(json)} s, from CSV: {wall(csv)} s; events/s CSV / JSON: {ratio(json, csv)} (>= {TARGET_CSV:.2f})")

    def scaling(self) -> None:
        """Prints W1 on one worker against two."""
        one, two = self.alternate(lambda: self.tidemark("w1", 1), lambda: self.tidemark("w1", 2))
        print(f"\nw1 --parallelism 1: {wall(one)} s, 2: {wall(two)} s; 2 / 1: {ratio(two, one)}")


def wall(runs: list) -> str:
    return f"{statistics.median(w for w, _ in runs):.3f}"


def rss(runs: list) -> str:
    return f"{max(r for _, r in runs):.0f}"


def ratio(ours: list, theirs: list) -> str:
    """The median of the pairs' ratios: a pair ran back to back."""
    return f"{statistics.median(a / b for (a, _), (b, _) in zip(ours, theirs)):.3f}"


def line(*cells: str) -> None:
    print("".join(f"{cell:>12}" for cell in cells), flush=True)


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--out", type=Path, default=BENCH / "out", help="folder for the rows")
    parser.add_argument("--bids", required=True)
    parser.add_argument("--python", required=True, help="an interpreter that has duckdb")
    parser.add_argument("--workloads", default=",".join(PIPELINES))
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--rows", type=int, default=check.ROWS)
    parser.add_argument("--tuned", action="store_true", help="DuckDB gets the queries rewritten by hand (w2, w6)")
    parser.add_argument("--duckdb-only", action="store_true")
    options = parser.parse_args()
    bench, wrong = Bench(options), []
    with open(options.bids, "rb") as bids:  # the page cache is warm for both
        while bids.read(1 << 20):
            pass
    line("", "tidemark s", "DuckDB s", "ratio", "target", "M events/s", f"RSS MB <{TARGET_RSS}", "DuckDB MB")
    try:
        for name in options.workloads.split(","):
            wrong += bench.workload(name)
        if "w1" in options.workloads.split(",") and not options.duckdb_only:
            bench.scaling()
        if "w1-csv" in options.workloads.split(",") and not options.duckdb_only:
            bench.csv()
    except Failed as failure:
        print(f"failed: {failure}", file=sys.stderr)
        return 1
    checked = options.rows == check.ROWS and not options.duckdb_only
    print("\n" + "\n".join(wrong or ["answers: as expected" if checked else "answers: not checked"]))
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
