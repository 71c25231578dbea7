package dev.weir.service.runs;

import static dev.weir.service.runs.RunClient.START;
import static dev.weir.service.runs.RunClient.task;

import dev.weir.hints.store.InMemoryHintStore;
import dev.weir.service.TestServer;
import dev.weir.service.access.HintLimits;
import dev.weir.workflow.provenance.TaskEntry;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/**
 * A service whose runs a database under test stores, and a directory for the files of each test.
 */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class RunsFixture {

  static final String ALICE = "alice";
  static final String BOB = "bob";
  static final int ROWS = 5_000;

  Path root;
  TestServer server;
  RunClient calls;
  String directory;
  String run;

  /** Returns the settings of a service over the database under test. */
  abstract Map<String, String> database() throws Exception;

  @BeforeAll
  void start(@TempDir Path folder) throws Exception {
    root = folder;
    Files.setPosixFilePermissions(root, PosixFilePermissions.fromString("rwxrwxrwx"));
    Map<String, String> settings = new HashMap<>(database());
    settings.put(HintLimits.RUN_ROWS_PER_USER.key(), Integer.toString(ROWS));
    server = TestServer.over(new InMemoryHintStore(Clock.systemUTC()), settings);
    calls = new RunClient(server);
    server.awaitDatabase();
  }

  @AfterAll
  void stop() {
    if (server != null) {
      server.close();
    }
  }

  @BeforeEach
  void name(TestInfo test) throws Exception {
    run = test.getTestMethod().orElseThrow().getName();
    Path data = Files.createDirectories(root.resolve(run));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
    directory = data.toString();
  }

  final TestServer server() {
    return server;
  }

  /** Returns instances of the service over the one database. */
  List<TestServer> servers() throws Exception {
    return List.of(server);
  }

  static List<TaskEntry> tasks(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> task(String.format("t%05d", i), List.of("in"), List.of("o" + i)))
        .toList();
  }

  /** Writes a file of four bytes with a modification time a number of seconds after the start. */
  void write(String name, int second) throws Exception {
    Files.writeString(Path.of(directory, name), "text");
    setTime(name, second);
  }

  void setTime(String name, int second) throws Exception {
    Files.setLastModifiedTime(Path.of(directory, name), FileTime.from(START.plusSeconds(second)));
  }
}
