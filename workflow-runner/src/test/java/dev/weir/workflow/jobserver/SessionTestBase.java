package dev.weir.workflow.jobserver;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A pool for each test, whose journal is in a directory of its own. */
public abstract class SessionTestBase {

  @TempDir public Path temp;
  public TestSessions pools;
  public TestSessions.Pool pool;

  @BeforeEach
  void start() throws IOException {
    pools = new TestSessions(temp);
    pool = pools.start(1);
  }

  @AfterEach
  void stop() {
    pool.close();
    pools.close();
  }
}
