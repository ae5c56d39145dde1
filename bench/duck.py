"""Runs one workload in DuckDB as a batch: duck.py WORKLOAD BIDS OUT; the workload parquet makes W4's input.

The query is the pipeline's without its watermark: DuckDB sees the whole file at once, so nothing is late.
Settings are the fastest that keep the answer: two threads, free row order, only the columns a query reads,
each with its type. The tuned forms are rewrites by hand that a planner could make but does not.
"""

import sys

INT = "BIGINT"

COLUMNS = "{auction: 'BIGINT', bidder: 'BIGINT', price: 'BIGINT', channel: 'VARCHAR', url: 'VARCHAR',"
COLUMNS += " dateTime: 'BIGINT', extra: 'VARCHAR'}"

WINDOW = "dateTime // {0} * {0} AS window_start, window_start + {0} AS window_end"

PLAIN = {
    "w0": ("auction bidder price", "SELECT auction, bidder, price FROM {bids} WHERE price > 5000000"),
    "w1": (
        "bidder price dateTime",
        "SELECT bidder, " + WINDOW.format(10_000) + ", count(*) AS n, sum(price) AS total, max(price) AS top,"
        " avg(price) AS mean FROM {bids} GROUP BY ALL",
    ),
    "w2": (
        "auction dateTime",
        "SELECT auction, slice AS window_start, slice + 60000 AS window_end, count(*) AS n FROM"
        " (SELECT auction, unnest(range(dateTime // 10000 * 10000 - 50000, dateTime + 1, 10000)) AS slice"
        " FROM {bids}) GROUP BY ALL",
    ),
    "w3": (
        "bidder price dateTime",
        "SELECT bidder, min(dateTime) AS window_start, max(dateTime) + 2000 AS window_end, count(*) AS n,"
        " max(price) AS top FROM"
        " (SELECT *, sum(opens) OVER (PARTITION BY bidder ORDER BY dateTime ROWS UNBOUNDED PRECEDING) AS session"
        " FROM (SELECT *, CASE WHEN dateTime - lag(dateTime) OVER (PARTITION BY bidder ORDER BY dateTime) <= 2000"
        " THEN 0 ELSE 1 END AS opens FROM {bids})) GROUP BY bidder, session",
    ),
    "w6": (
        "channel bidder dateTime",
        "SELECT channel, " + WINDOW.format(60_000) + ", count(*) AS n, count(DISTINCT bidder) AS bidders"
        " FROM {bids} GROUP BY ALL",
    ),
}

PARQUET = {"w4"}  # reads and writes Parquet
PLAIN["w4"] = PLAIN["w1-csv"] = PLAIN["w1"]

TUNED = {
    "w2": (
        "auction dateTime",
        "SELECT auction, slice AS window_start, slice + 60000 AS window_end, sum(c)::BIGINT AS n FROM"
        " (SELECT auction, c, unnest(range(w - 50000, w + 1, 10000)) AS slice FROM"
        " (SELECT auction, dateTime // 10000 * 10000 AS w, count(*) AS c FROM {bids} GROUP BY ALL)) GROUP BY ALL",
    ),
    "w6": (
        "channel bidder dateTime",
        "SELECT channel, w AS window_start, w + 60000 AS window_end, sum(c)::BIGINT AS n, count(*) AS bidders FROM"
        " (SELECT channel, bidder, dateTime // 60000 * 60000 AS w, count(*) AS c FROM {bids} GROUP BY ALL)"
        " GROUP BY ALL",
    ),
}


def statement(workload: str, bids: str, out: str) -> str:
    """Gives the COPY that reads bids and writes the workload's rows to out; a "+" suffix asks for the tuned form."""
    name = workload.rstrip("+")
    columns, query = TUNED.get(name, PLAIN[name]) if workload.endswith("+") else PLAIN[name]
    if name in PARQUET:
        return f"COPY ({query.replace('{bids}', repr(bids))}) TO '{out}' (FORMAT parquet)"
    if name == "w1-csv":
        reader = f"read_csv('{bids}', header = true, columns = {COLUMNS})"
        return f"COPY ({query.replace('{bids}', reader)}) TO '{out}' (FORMAT json)"
    types = ", ".join(f"{c}: '{'VARCHAR' if c == 'channel' else INT}'" for c in columns.split())
    reader = f"read_json('{bids}', format = 'newline_delimited', columns = {{{types}}})"
    return f"COPY ({query.replace('{bids}', reader)}) TO '{out}' (FORMAT json)"


def conversion(bids: str, out: str) -> str:
    """Gives the COPY that makes a Parquet file of the bids, as W4 reads it."""
    reader = f"read_json('{bids}', format = 'newline_delimited', columns = {COLUMNS})"
    return f"COPY (FROM {reader}) TO '{out}' (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE 131072)"


def main() -> None:
    import duckdb

    workload, bids, out = sys.argv[1:]
    if workload == "parquet":
        duckdb.sql(conversion(bids, out))
        return
    connection = duckdb.connect()
    connection.execute("SET threads = 2")
    connection.execute("SET preserve_insertion_order = false")
    connection.execute(statement(workload, bids, out))


if __name__ == "__main__":
    main()
