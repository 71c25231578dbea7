package dev.weir.workflow.session;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A pool for each test, whose journal is in a directory of its own. */
abstract class PoolBench {

  @TempDir Path temp;
  TestPools pools;
  TestPools.Pool pool;

  @BeforeEach
  void start() throws IOException {
    pools = new TestPools(temp);
    pool = pools.start(1);
  }

  @AfterEach
  void stop() {
    pool.close();
    pools.close();
  }
}
