package dev.weir.hints;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The final names of files that writers of Hadoop's ecosystem have not finished. */
class UnfinishedNameTest {
  private static final String ATTEMPT = "attempt_1700000000000_0001_r_000000_0";

  @ParameterizedTest
  @CsvSource({
    // hdfs dfs -put, the runner, gathers
    "/d/x._COPYING_, /d/x",
    "/d/x.weir-t1-2, /d/x",
    "/d/.x.weir-gather-1f/part-00003, /d/x",
    // FileOutputCommitter, versions 1 and 2: an attempt, and a task that version 1 committed
    "/out/_temporary/0/_temporary/ATTEMPT/part-r-00000, /out/part-r-00000",
    "/out/_temporary/12/_temporary/ATTEMPT/part-r-00000, /out/part-r-00000",
    "/out/_temporary/0/task_1700000000000_0001_r_000000/part-r-00000, /out/part-r-00000",
    // directories below the output, as by partitions or MultipleOutputs, and names that are numbers
    "/out/_temporary/0/_temporary/ATTEMPT/a=1/b=2/part-0, /out/a=1/b=2/part-0",
    "/out/_temporary/0/_temporary/ATTEMPT/2024/12/0, /out/2024/12/0",
    "/out/_temporary/0/task_1_0001_m_000000/task_x/y, /out/task_x/y",
    // Hadoop 1, and an attempt that is itself the output of a job
    "/out/_temporary/_attempt_local1_0001_m_000000_0/part-0, /out/part-0",
    "/out/_temporary/0/_temporary/ATTEMPT/sub/_temporary/0/_temporary/ATTEMPT/p, /out/sub/p",
    // a copy into an attempt
    "/out/_temporary/0/_temporary/ATTEMPT/x._COPYING_, /out/x",
    // the root as output
    "/_temporary/0/_temporary/ATTEMPT/part-0, /part-0",
    // Spark with dynamic partitions
    "/t/.spark-staging-1-2/_temporary/0/_temporary/ATTEMPT/a=1/part-0, /t/a=1/part-0",
    "/t/.spark-staging-1-2/a=1/part-0, /t/a=1/part-0",
    // Hive before and after version 3, with dynamic partitions, and in a directory of its own
    "/t/.hive-staging_hive_2024_1-1/-ext-10000/000000_0, /t/000000_0",
    "/t/.hive-staging_hive_2024_1-1/_task_tmp.-ext-10000/_tmp.000000_0, /t/000000_0",
    "/t/.hive-staging_hive_2024_1-1/_tmp.-ext-10002/000000_0, /t/000000_0",
    "/t/.hive-staging_hive_2024_1-1/-tmp.-ext-10002/ds=1/-tmp.000000_0, /t/ds=1/000000_0",
    "/t/.hive-staging/-mr-10001/000000_0, /t/000000_0"
  })
  void isTheFinalName(String path, String target) {
    assertThat(UnfinishedName.target(path.replace("ATTEMPT", ATTEMPT))).isEqualTo(target);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/d/x",
        "/d/part-00000",
        "/d/_SUCCESS",
        "/d/_temporary",
        "/d/x_temporary/0/y",
        "/d/_temporary1/0/y",
        "/d/attempt_1/0/y",
        "/d/.hive-staging_1",
        "/d/-ext-10000/x",
        "/d/.hidden/x",
        // the target of a copy is not in its name
        "/d/.distcp.tmp.attempt_1_0001_m_000000_0.17"
      })
  void othersAreTheirOwn(String path) {
    assertThat(UnfinishedName.target(path)).isSameAs(path);
  }
}
