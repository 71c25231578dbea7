package dev.weir.hdfs.gather;

import static dev.weir.hdfs.gather.GatherCluster.region;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.hdfs.gather.GatherException.Problem;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.assertj.core.api.AbstractThrowableAssert;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;

/** A cluster for the tests of a class, with a directory for each test. */
abstract class GatherFixture {
  static GatherCluster cluster;
  static DistributedFileSystem fs;
  Path directory;
  Path target;

  @BeforeAll
  static void start() throws Exception {
    cluster = new GatherCluster();
    fs = cluster.fs();
  }

  @AfterAll
  static void stop() throws Exception {
    cluster.close();
  }

  @BeforeEach
  void makeDirectory(TestInfo test) throws Exception {
    directory = new Path("/" + test.getTestMethod().orElseThrow().getName());
    fs.mkdirs(directory);
    target = new Path(directory, "file");
  }

  static void writeAll(Gather gather, byte[] file, int regions) throws IOException {
    for (int region = 0; region < regions; region++) {
      write(gather, file, region);
    }
  }

  static boolean write(Gather gather, byte[] file, int region) throws IOException {
    return gather.write(region, new ByteArrayInputStream(region(file, region)));
  }

  static AbstractThrowableAssert<?, ? extends Throwable> assertRefused(
      ThrowingCallable call, Problem problem) {
    return assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GatherException.class,
            e -> assertThat(e.problem()).as(e.getMessage()).isEqualTo(problem));
  }
}
