#!/bin/sh
# Measures tidemark beside DuckDB on this machine; see README.md.
# Usage: bench/run.sh [--workloads w0,w1,w1-csv,w2,w3,w4,w6] [--runs 5] [--rows 5000000] [--tuned] [--out DIR] [--duckdb-only]
#        bench/run.sh --kafka [--runs 5] [--windows 60] [--out DIR]    with a broker at $TIDEMARK_KAFKA, host:port
set -eu
export PYTHONDONTWRITEBYTECODE=1
bench=$(cd "$(dirname "$0")" && pwd)
cache=${XDG_CACHE_HOME:-$HOME/.cache}/tidemark-bench
rows=5000000
only=
kafka=
previous=
for word in "$@"; do
	case $previous in --rows) rows=$word ;; esac
	case $word in --rows=*) rows=${word#--rows=} ;; --duckdb-only) only=1 ;; --kafka) kafka=1 rows=2000000 ;; esac
	previous=$word
done

mkdir -p "$bench/data" "$bench/out" "$cache"
bids=$bench/data/bids-$rows.jsonl
if [ ! -s "$bids" ]; then
	echo "making $rows bids in $bids" >&2
	(cd "$bench/.." && go run ./bench/gen -n "$rows" -seed 1) >"$bids.part"
	mv "$bids.part" "$bids"
fi
if [ -n "$kafka" ]; then
	(cd "$bench/.." && go build -o bench/out/tidemark ./cmd/run && go build -o bench/out/kafkabench ./io/kafkaio/internal/kafkabench)
	exec python3 "$bench/kafka.py" --bids "$bids" --brokers "${TIDEMARK_KAFKA:?says where a broker is, host:port}" "$@"
fi
if [ ! -s "${bids%.jsonl}.csv" ]; then
	echo "making ${bids%.jsonl}.csv" >&2
	(cd "$bench/.." && go run ./bench/gen -n "$rows" -seed 1 -format csv) >"$bids.part"
	mv "$bids.part" "${bids%.jsonl}.csv"
fi
if [ ! -x "$cache/venv/bin/python" ]; then
	echo "installing DuckDB in $cache/venv" >&2
	python3 -m venv "$cache/venv"
	"$cache/venv/bin/pip" install --quiet --upgrade 'duckdb>=2'
fi
if [ ! -s "${bids%.jsonl}.parquet" ]; then
	echo "making ${bids%.jsonl}.parquet" >&2
	"$cache/venv/bin/python" "$bench/duck.py" parquet "$bids" "${bids%.jsonl}.parquet.part"
	mv "${bids%.jsonl}.parquet.part" "${bids%.jsonl}.parquet"
fi
if [ -z "$only" ]; then
	(cd "$bench/.." && go build -o bench/out/tidemark ./cmd/run)
fi
exec python3 "$bench/measure.py" --bids "$bids" --python "$cache/venv/bin/python" "$@"
