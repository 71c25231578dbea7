package dev.weir.bench.griddb;

import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.service.HintsServer;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.yarn.MasterMemory;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.List;
import java.util.Locale;
import org.apache.hadoop.conf.Configuration;
import org.jspecify.annotations.Nullable;

/**
 * A run of a workflow: an ApplicationMaster in a process of its own, and its workers, the hints
 * service and PostgreSQL beside it.
 */
final class GridDbRun {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JAVA =
      Path.of(System.getProperty("java.home"), "bin", "java").toString();

  private GridDbRun() {}

  /**
   * What PostgreSQL did for the record of a run.
   *
   * @param tasks tasks that it knows
   * @param attempts attempts that it knows
   * @param rows rows that were inserted
   * @param millis the time in which it planned and executed statements, commits included
   */
  record DatabaseUse(long tasks, long attempts, long rows, double millis) {}

  /** The result. */
  record Outcome(
      GridDbWorkflow.Shape shape,
      int tasks,
      double linksPerTask,
      Utilisation utilisation,
      MasterProcess.Use master,
      DatabaseUse database) {}

  /**
   * Runs a workflow.
   *
   * @param directory receives the journal and the logs; an empty directory, created if missing
   */
  static Outcome of(GridDbWorkflow workflow, int nodes, Path directory)
      throws IOException, InterruptedException, SQLException {
    Files.createDirectories(directory);
    try (EmbeddedPostgres postgres =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            // The statistics of the database leave out most of the time of batches.
            .setServerConfig("shared_preload_libraries", "pg_stat_statements")
            .setServerConfig("pg_stat_statements.track_planning", "on")
            .start()) {
      execute(postgres, "CREATE EXTENSION pg_stat_statements");
      String url = "jdbc:postgresql://localhost:" + postgres.getPort() + "/postgres";
      Utilisation utilisation;
      MasterProcess.Use use;
      try (HintsServer service = service(url, directory)) {
        Process master = master(workflow, nodes, directory, service.uris().get(0).toString());
        try (BufferedReader printed = master.inputReader(StandardCharsets.UTF_8);
            WaitingWorkers workers = workers(printed.readLine(), nodes, directory)) {
          use = use(printed.readLine(), directory);
          utilisation = new Utilisation(workers.commands(), nodes);
        } finally {
          master.destroy();
          master.waitFor();
        }
      }
      List<Task> tasks = workflow.build().tasks();
      return new Outcome(
          workflow.shape(),
          tasks.size(),
          tasks.stream().mapToInt(task -> task.inputs().size()).average().orElseThrow(),
          utilisation,
          use,
          database(postgres));
    }
  }

  private static HintsServer service(String database, Path directory) throws IOException {
    Configuration conf = new Configuration();
    conf.set("weir.server.http-address", "127.0.0.1:0");
    conf.set("weir.server.role", "requests");
    conf.set("weir.server.database.url", database);
    conf.set("weir.server.database.user", "postgres");
    conf.setBoolean("weir.zookeeper.open", true);
    try (ServerSocket free = new ServerSocket(0)) {
      conf.set("weir.zookeeper.quorum", "127.0.0.1:" + free.getLocalPort());
    }
    return HintsServer.start(conf, directory.resolve("zookeeper"));
  }

  private static Process master(GridDbWorkflow workflow, int nodes, Path directory, String service)
      throws IOException {
    return new ProcessBuilder(
            JAVA,
            "-Xmx" + MasterMemory.DEFAULT.heapMegabytes() + "m",
            // The spool of undelivered records is in the user's home.
            "-Duser.home=" + directory,
            "-cp",
            System.getProperty("java.class.path"),
            MasterProcess.class.getName(),
            workflow.shape().name(),
            Integer.toString(workflow.images()),
            Double.toString(workflow.speedUp()),
            Integer.toString(nodes),
            directory.toUri().toString(),
            service)
        .redirectError(log(directory).toFile())
        .start();
  }

  private static Path log(Path directory) {
    return directory.resolve("master.log");
  }

  private static WaitingWorkers workers(@Nullable String line, int nodes, Path directory)
      throws IOException {
    String[] words = required(line, directory).split(" ", -1);
    return WaitingWorkers.connect(Integer.parseInt(words[0]), Secret.fromHex(words[1]), nodes);
  }

  private static MasterProcess.Use use(@Nullable String line, Path directory) throws IOException {
    return JSON.readValue(required(line, directory), MasterProcess.Use.class);
  }

  private static String required(@Nullable String line, Path directory) throws IOException {
    if (line == null) {
      throw new IOException("The ApplicationMaster has ended; see " + log(directory));
    }
    return line;
  }

  private static void execute(EmbeddedPostgres postgres, String sql) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  private static DatabaseUse database(EmbeddedPostgres postgres) throws SQLException {
    try (Connection connection = postgres.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                """
                SELECT (SELECT count(*) FROM tasks), (SELECT count(*) FROM attempts),
                  tup_inserted,
                  (SELECT sum(total_plan_time + total_exec_time) FROM pg_stat_statements)
                FROM pg_stat_database WHERE datname = 'postgres'
                """)) {
      row.next();
      return new DatabaseUse(row.getLong(1), row.getLong(2), row.getLong(3), row.getDouble(4));
    }
  }

  /** Formats the results of a run as cells of a table. */
  static List<String> cells(Outcome run) {
    Utilisation utilisation = run.utilisation();
    return List.of(
        run.shape().label(),
        text("%,d", run.tasks()),
        text("%.0f", run.linksPerTask()),
        text("%.0f", (utilisation.end() - utilisation.begin()) / 1e9),
        text("%.1f %%", 100 * utilisation.afterRamp()),
        text("%.1f %%", 100 * utilisation.whole()),
        text("%.1f (%.1f)", utilisation.pauseMillis(0.5), utilisation.pauseMillis(0.99)),
        text(
            "%.2f (%.2f, %.2f, %.2f)",
            (double) run.master().cpuMillis() / run.tasks(),
            (double) run.master().loopMillis() / run.tasks(),
            (double) run.master().rpcMillis() / run.tasks(),
            (double) run.master().reportMillis() / run.tasks()),
        text("%,d", run.master().journalBytes() / run.tasks()),
        text("%d", run.master().heapMegabytes()),
        text("%,d", run.database().rows() / Math.max(1, run.database().tasks())),
        text("%.1f", run.database().millis() / Math.max(1, run.database().tasks())));
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }
}
