#!/usr/bin/env python3
"""An unmodified PySpark program: writes a table as text and as Parquet below a directory.

It sets neither replication nor block size, so its files have those of the hints. Run by
benchmarks/pyspark/run.
"""

import sys

from pyspark.sql import SparkSession


def main(directory: str) -> None:
    spark = SparkSession.builder.appName("hinted-output").getOrCreate()
    rows = spark.range(0, 200_000, 1, 4)
    rows.selectExpr("cast(id as string) as value").write.text(directory + "/text")
    rows.write.parquet(directory + "/parquet")
    assert spark.read.parquet(directory + "/parquet").count() == 200_000
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1])
