package dev.weir.workflow.session;

import dev.weir.workflow.controller.TestRun;
import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A run for each test, whose journal is in a directory of its own. */
public abstract class RunTestBase {

  @TempDir Path temp;
  public TestRun run;

  @BeforeEach
  void start() throws IOException {
    run = new TestRun(temp);
  }

  @AfterEach
  void stop() throws Exception {
    run.close();
  }
}
