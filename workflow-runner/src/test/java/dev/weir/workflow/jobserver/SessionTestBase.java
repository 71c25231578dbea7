package dev.weir.workflow.jobserver;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A session for each test, whose journal is in a directory of its own. */
public abstract class SessionTestBase {

  @TempDir public Path temp;
  public TestSessions sessions;
  public TestSessions.Session session;

  @BeforeEach
  void start() throws IOException {
    sessions = new TestSessions(temp);
    session = sessions.start(1);
  }

  @AfterEach
  void stop() {
    session.close();
    sessions.close();
  }
}
