"""Checks a pipeline's rows over the 5,000,000 bids of seed 1: check.py WORKLOAD ROWS REPORT.

ROWS is the file that the pipeline wrote, REPORT what `--report json` printed on stderr. The expected figures follow
from the bids alone; DuckDB with a watermark computed for each row gives the same.
"""

import json
import subprocess
import sys
from pathlib import Path

ROWS = 5_000_000

# Rows written, late records, and the sums of the named columns over all rows.
EXPECTED = {
    "w0": {"rows": 2_500_771},
    "w1": {"rows": 508_598, "late": 4_949, "n": 4_995_051, "total": 24_980_194_462_646},
    "w1-csv": {"rows": 508_598, "late": 4_949, "n": 4_995_051, "total": 24_980_194_462_646},
    "w2": {"rows": 1_104_016, "late": 184, "n": 29_982_553},
    "w3": {"rows": 685_082, "late": 4_911, "n": ROWS - 4_911},
    "w4": {"rows": 508_598, "late": 4_949, "n": 4_995_051, "total": 24_980_194_462_646},
    "w6": {"rows": 72, "late": 2_978, "n": ROWS - 2_978, "bidders": 718_607},
}


def report(text: str) -> dict:
    """Finds the report among whatever else went to stderr."""
    for start, byte in enumerate(text):
        if byte == "{" and (start == 0 or text[start - 1] == "\n"):
            value, _ = json.JSONDecoder().raw_decode(text, start)
            if "nodes" in value:
                return value
    raise ValueError("no report")


def sums(rows: Path, columns: list[str], python: str) -> dict:
    """Counts the rows of a Parquet file and sums columns, in an interpreter that has duckdb."""
    query = ", ".join(["count(*)"] + [f"sum({c})::BIGINT" for c in columns])
    code = f"import duckdb; print(*duckdb.sql(\"SELECT {query} FROM '{rows}'\").fetchall()[0])"
    numbers = subprocess.run([python, "-c", code], check=True, capture_output=True, text=True).stdout.split()
    return dict(zip(["rows"] + columns, map(int, numbers)))


def measured(rows: Path, log: Path, columns: list[str], python: str) -> dict:
    """Counts what EXPECTED speaks of."""
    found = {"rows": 0, "late": sum(node.get("late", 0) for node in report(log.read_text())["nodes"])}
    found |= dict.fromkeys(columns, 0)
    if rows.suffix == ".parquet":
        return found | sums(rows, columns, python)
    with open(rows, "rb") as lines:
        for text in lines:
            row = json.loads(text)
            found["rows"] += 1
            for column in columns:
                found[column] += row[column]
    return found


def problems(workload: str, rows: Path, log: Path, python: str = sys.executable) -> list[str]:
    """Gives a line for each figure that differs."""
    expected = EXPECTED[workload]
    found = measured(rows, log, [name for name in expected if name not in ("rows", "late")], python)
    return [
        f"{workload}: {name} is {found[name]}, wants {value}" for name, value in expected.items() if found[name] != value
    ]


if __name__ == "__main__":
    wrong = problems(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
    print("\n".join(wrong or ["as expected"]))
    sys.exit(1 if wrong else 0)
