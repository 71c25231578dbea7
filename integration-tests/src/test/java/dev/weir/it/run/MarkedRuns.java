package dev.weir.it.run;

import dev.weir.cluster.LocalCluster;
import dev.weir.it.ClusterExtension;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Runs on the shared cluster whose tasks leave marks of what they do, and wait for marks. */
@ExtendWith(ClusterExtension.class)
abstract class MarkedRuns {

  @TempDir Path folder;
  LocalCluster cluster;
  ClusterRuns runs;
  Marks marks;
  private final String name;

  /**
   * Runs of a test class.
   *
   * @param name of the directory in HDFS for its files
   */
  MarkedRuns(String name) {
    this.name = name;
  }

  @BeforeEach
  void open(LocalCluster shared) throws Exception {
    cluster = shared;
    runs = new ClusterRuns(shared, name);
    marks = new Marks(folder.resolve("marks"));
  }

  @AfterEach
  void close() throws Exception {
    runs.close();
  }
}
