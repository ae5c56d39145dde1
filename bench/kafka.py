"""Measures the Kafka path beside a loop that only counts records, its memory and its latency; run.sh --kafka calls it."""

import argparse
import filecmp
import statistics
import sys
from pathlib import Path

from measure import BENCH, Failed, line, ratio, rss, timed, wall

ROWS = 2_000_000
PARTITIONS = 4
MANY = 64  # partitions, for what memory they need
TARGET = 0.60  # of the records a second of the loop that only counts
TARGET_P99 = 20  # ms


def split(bids: Path) -> list[Path]:
    """Makes a file of what each partition of the topic holds."""
    parts = [bids.with_suffix(f".{i}.jsonl") for i in range(PARTITIONS)]
    if not all(part.exists() for part in parts):
        files = [open(part, "wb") for part in parts]
        with open(bids, "rb") as lines:
            for i, text in enumerate(lines):
                files[i % PARTITIONS].write(text)
        for file in files:
            file.close()
    return parts


class Bench:
    """One invocation: the broker, the programs and how often each is run."""

    def __init__(self, options: argparse.Namespace) -> None:
        self.options = options
        self.out = BENCH / "out"

    def helper(self, command: str, *words: str) -> list[str]:
        return [str(self.out / "kafkabench"), command, "-brokers", self.options.brokers, *words]

    def load(self, topic: str, partitions: int) -> None:
        """Fills a topic with the bids in turn."""
        log = self.out / "load.log"
        timed(self.helper("load", "-topic", topic, "-partitions", str(partitions), self.options.bids), log)

    def run(self, pipeline: str, rows: Path, *settings: str) -> tuple[float, float]:
        """Runs a pipeline into a fresh file."""
        rows.unlink(missing_ok=True)
        command = [str(self.out / "tidemark"), "run", str(BENCH / pipeline), "--report", "json"]
        for setting in (f"OUT={rows}", *settings):
            command += ["--set", setting]
        return timed(command, self.out / "w5.report")

    def w5(self, topic: str) -> tuple[float, float]:
        return self.run("w5-kafka.yaml", self.rows(), f"BROKERS={self.options.brokers}", f"TOPIC={topic}")

    def rows(self) -> Path:
        return self.options.out / "w5.jsonl"

    def count(self, topic: str, command: str = "count") -> tuple[float, float]:
        return timed(self.helper(command, "-topic", topic), self.out / f"{command}.log")

    def speed(self, topic: str, partitions: int) -> float:
        """Alternates W5, the loop that only counts and one of another client, prints a line and gives the ratio of records a second."""
        self.load(topic, partitions)
        self.w5(topic), self.count(topic), self.count(topic, "other")
        turns = [(self.w5(topic), self.count(topic), self.count(topic, "other")) for _ in range(self.options.runs)]
        ours, theirs, others = zip(*turns)
        rate = f"{ROWS / statistics.median(w for w, _ in ours) / 1e6:.2f}"
        reached = ratio(theirs, ours)
        line(f"w5/{partitions}", wall(ours), wall(theirs), reached, f"{TARGET:.2f}", rate, rss(ours), rss(theirs), wall(others), ratio(others, ours))
        return float(reached)

    def wrong(self) -> list[str]:
        """Compares the rows of W5 with those of W1 from files that hold what the partitions do: they are the same bytes."""
        split(Path(self.options.bids))
        other = self.options.out / "w5.files.jsonl"
        self.run("w1-tumbling.yaml", other, f"BIDS={Path(self.options.bids).with_suffix('')}.?.jsonl")
        if filecmp.cmp(self.rows(), other, shallow=False):
            return []
        return [f"w5: {self.rows()} differs from {other}, w1's rows"]

    def latency(self) -> None:
        words = ["-topic", "latency", "-windows", str(self.options.windows), str(BENCH / "latency.yaml")]
        log = self.out / "latency.log"
        timed(self.helper("latency", *words, str(self.out / "tidemark")), log)
        text = log.read_text().splitlines()
        begin = next(i for i, found in enumerate(text) if " events/s, " in found)
        print("\nlatency, p99 wants less than", TARGET_P99, "ms on a machine that is quiet otherwise")
        print("\n".join(text[begin : begin + 4]))


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--kafka", action="store_true")
    parser.add_argument("--out", type=Path, default=BENCH / "out", help="folder for the rows")
    parser.add_argument("--bids", required=True)
    parser.add_argument("--brokers", required=True, help="host:port")
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--windows", type=int, default=60, help="how many windows the latency is measured over")
    options = parser.parse_args()
    bench, wrong = Bench(options), []
    line("", "tidemark s", "counting s", "speed ratio", "target", "M records/s", "RSS MB", "counting MB", "franz-go s", "speed ratio")
    try:
        bench.speed("bids", PARTITIONS)
        wrong = bench.wrong()
        bench.speed("bids-many", MANY)
        print("\n".join(wrong or ["answers: the same bytes as w1's"]))
        bench.latency()
    except Failed as failure:
        print(f"failed: {failure}", file=sys.stderr)
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
