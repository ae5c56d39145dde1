"""Compares what DuckDB, pyarrow, pandas and Polars read from a Parquet file, or a folder of Hive partitions, with the
rows that it should have.

usage: readers.py PATH EXPECTED

EXPECTED is JSON lines: first {"column": kind, …}, where kind is int, float, bool, string, timestamp (milliseconds since
1970 in the rows), json (its text in the rows) or folder (a partition's value, as text); then a list of values a row.
The rows of a file have to come in their order, those of a folder in any.
"""

import json
import os
import sys

import duckdb
import pandas
import polars
import pyarrow.dataset
import pyarrow.parquet


def with_duckdb(path, kinds):
    files = os.path.join(path, "**", "*.parquet") if os.path.isdir(path) else path
    columns = ", ".join(
        f'epoch_ms("{name}")' if kind == "timestamp" else f'"{name}"' for name, kind in kinds.items()
    )
    hive = ", hive_partitioning = true, hive_types_autocast = false" if os.path.isdir(path) else ""
    return duckdb.sql(f"SELECT {columns} FROM read_parquet('{files}'{hive})").fetchall()


def with_pyarrow(path, kinds):
    if os.path.isdir(path):
        return rows_of(pyarrow.dataset.dataset(path, partitioning=folders(kinds)).to_table(), kinds)
    return rows_of(pyarrow.parquet.read_table(path), kinds)


def folders(kinds):
    """Says that values of folders are text. Without that pyarrow makes dictionaries of them, which can't have nulls."""
    schema = pyarrow.schema([(name, pyarrow.string()) for name, kind in kinds.items() if kind == "folder"])
    return pyarrow.dataset.partitioning(schema, flavor="hive")


def rows_of(table, kinds):
    columns = []
    for name, kind in kinds.items():
        column = table.column(name)
        if kind == "timestamp":
            assert str(column.type) == "timestamp[ms, tz=UTC]", column.type
            column = column.cast(pyarrow.int64())
        columns.append(column.to_pylist())
    return list(zip(*columns))


def with_pandas(path, kinds):
    how = {"partitioning": folders(kinds)} if os.path.isdir(path) else {}
    frame = pandas.read_parquet(path, dtype_backend="numpy_nullable", **how)
    columns = []
    for name, kind in kinds.items():
        column = frame[name]
        if kind == "timestamp":
            assert str(column.dtype) == "datetime64[ms, UTC]", column.dtype
            missing = column.isna()
            column = column.astype("int64").astype("Int64").mask(missing)
        columns.append([None if v is pandas.NA or v is None else v for v in column])
    return list(zip(*columns))


def with_polars(path, kinds):
    if os.path.isdir(path):
        schema = {name: polars.String for name, kind in kinds.items() if kind == "folder"}
        frame = polars.read_parquet(path, hive_partitioning=True, hive_schema=schema)
    else:
        frame = polars.read_parquet(path)
    columns = []
    for name, kind in kinds.items():
        column = frame[name]
        if kind == "timestamp":
            assert column.dtype == polars.Datetime("ms", "UTC"), column.dtype
            column = column.cast(polars.Int64)
        columns.append(column.to_list())
    return list(zip(*columns))


def plain(value, kind):
    """Gives a value as JSON has it, NaN as a word because it equals nothing."""
    if value is None or kind == "float" and value != value:
        return "NaN" if value is not None else None
    if kind in ("json", "string", "folder") and isinstance(value, bytes):
        value = value.decode()
    if kind == "folder":
        return str(value)
    if kind == "bool":
        return bool(value)
    return {"int": int, "timestamp": int, "float": float}.get(kind, str)(value)


def order(row):
    return [(v is not None, str(v)) for v in row]


def main():
    path, expected = sys.argv[1:]
    with open(expected, encoding="utf-8") as lines:
        kinds, *want = [json.loads(line) for line in lines]
    readers = {"DuckDB": with_duckdb, "pyarrow": with_pyarrow, "pandas": with_pandas, "Polars": with_polars}
    want = [[plain(v, k) for v, k in zip(row, kinds.values())] for row in want]
    wrong = 0
    for name, reader in readers.items():
        got = [[plain(v, k) for v, k in zip(row, kinds.values())] for row in reader(path, kinds)]
        expect = want
        if name == "pandas":  # has one word for NaN and for null
            got, expect = ([[None if v == "NaN" else v for v in row] for row in rows] for rows in (got, want))
        if os.path.isdir(path):
            got, expect = sorted(got, key=order), sorted(expect, key=order)
        if len(got) != len(expect):
            print(f"{name}: {len(got)} rows, want {len(expect)}")
            wrong += 1
            continue
        for i, (a, b) in enumerate(zip(got, expect)):
            if a != b:
                print(f"{name}: row {i}: {a}, want {b}")
                wrong += 1
                break
    sys.exit(1 if wrong else 0)


main()
