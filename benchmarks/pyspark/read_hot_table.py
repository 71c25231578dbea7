#!/usr/bin/env python3
"""An unmodified PySpark program: writes a table as Parquet into a directory and reads all of it several times.

It fails if it does not read what it wrote. Run by AutoReplicationIT.
"""

import sys

from pyspark.sql import SparkSession

SUM = "sum(hash(id, value))"


def main(directory: str, times: int) -> None:
    spark = SparkSession.builder.appName("hot-table").getOrCreate()
    rows = spark.range(0, 4_000_000, 1, 2).selectExpr("id", "rand(7) as value")
    expected = rows.selectExpr(SUM).first()
    rows.write.parquet(directory)
    for _ in range(times):
        assert spark.read.parquet(directory).selectExpr(SUM).first() == expected
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
