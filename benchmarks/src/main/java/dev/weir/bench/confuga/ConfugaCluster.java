package dev.weir.bench.confuga;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.NodeInfo;
import dev.weir.cluster.process.LogTail;
import java.io.Closeable;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.apache.commons.io.FileUtils;

/**
 * A new Confuga on the nodes of a cluster: the catalog and the head node on the master, a storage
 * node on each other one. All of it runs as an ordinary user, because jobs must not be root's.
 */
final class ConfugaCluster implements Closeable {
  /**
   * The shell command that installs the programs on Debian and its derivatives. Debian's Makeflow
   * does not start without the launcher of Open MPI.
   */
  static final String INSTALL = "apt-get install coop-computing-tools openmpi-bin sqlite3 openssl";

  static final List<String> PROGRAMS =
      List.of(
          "catalog_server",
          "chirp_server",
          "confuga_adm",
          "chirp",
          "makeflow",
          "orted",
          "sqlite3",
          "openssl",
          "setpriv");

  /** The id of the unprivileged user that every Linux has. */
  private static final String USER = "65534";

  /** Standard port of Chirp servers. */
  private static final int PORT = 9094;

  /** The directory of the workflow in Confuga. */
  private static final String REMOTE = "/run";

  private static final long START_MILLIS = 60_000;
  private static final long POLL_MILLIS = 200;
  private static final String UPDATE = "--catalog-update=3s";

  private final LocalCluster cluster;
  private final Path directory;
  private final List<Process> processes = new CopyOnWriteArrayList<>();

  private ConfugaCluster(LocalCluster cluster, Path directory) {
    this.cluster = cluster;
    this.directory = directory;
  }

  /**
   * Starts the servers and waits until all storage nodes have joined.
   *
   * @param pullThreshold bytes from which files are pushed
   * @throws IOException if they do not; the message has the end of the servers' log
   */
  static ConfugaCluster start(LocalCluster cluster, long pullThreshold)
      throws IOException, InterruptedException {
    Path directory =
        Files.createTempDirectory(
            "weir-confuga",
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    Files.setAttribute(directory, "unix:uid", Integer.parseInt(USER));
    ConfugaCluster confuga = new ConfugaCluster(cluster, directory);
    boolean started = false;
    try {
      confuga.startServers(pullThreshold);
      started = true;
      return confuga;
    } finally {
      if (!started) {
        confuga.close();
      }
    }
  }

  private void startServers(long pullThreshold) throws IOException, InterruptedException {
    run("mkdir", "catalog", "head", "head-log", "work");
    start(
        master(),
        List.of("catalog_server", "--single", "--history=catalog", "--update-log=catalog/log"));
    for (NodeInfo node : cluster.nodes()) {
      String root = node.name();
      run("mkdir", "-p", root + "/transient");
      List<String> server = new ArrayList<>(chirp(node.name(), root + "/root"));
      server.addAll(List.of("--job-concurrency=2", "--transient=" + root + "/transient"));
      start(node.name(), server);
      run("confuga_adm", head(), "sn-add", "address", node.name() + ":" + PORT);
    }
    List<String> head =
        new ArrayList<>(chirp(master(), head() + "?pull-threshold=" + pullThreshold));
    head.add("--transient=head-log");
    start(master(), head);
    awaitNodes();
    run("chirp", server(), "mkdir", REMOTE);
  }

  private List<String> chirp(String node, String root) {
    return List.of(
        "chirp_server",
        "--jobs",
        "--parent-death",
        UPDATE,
        "--advertise=" + master(),
        "--catalog-name=" + node,
        "--port=" + PORT,
        "--root=" + root);
  }

  private String head() {
    return "confuga://" + directory.resolve("head") + "/";
  }

  private String master() {
    return cluster.master().name();
  }

  private String server() {
    return master() + ":" + PORT;
  }

  private void awaitNodes() throws IOException, InterruptedException {
    String online = "SELECT count(*) FROM c.StorageNode WHERE authenticated AND state = 'ONLINE'";
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(START_MILLIS);
    while (!query(online).equals(List.of(String.valueOf(cluster.nodes().size())))) {
      if (System.nanoTime() > end) {
        throw new IOException(
            "Not all storage nodes of Confuga have joined; the end of the log:\n"
                + LogTail.of(directory.resolve("log")));
      }
      TimeUnit.MILLISECONDS.sleep(POLL_MILLIS);
    }
  }

  /** Uploads a file. */
  void put(Path file) throws IOException, InterruptedException {
    Path copy = directory.resolve("work").resolve(file.getFileName());
    Files.copy(file, copy);
    run("chirp", server(), "put", copy.toString(), REMOTE + "/" + file.getFileName());
    Files.delete(copy);
  }

  /** Downloads a file. */
  void get(String name, Path target) throws IOException, InterruptedException {
    Path copy = directory.resolve("work").resolve(name);
    run("chirp", server(), "get", REMOTE + "/" + name, copy.toString());
    Files.createDirectories(target.getParent());
    Files.move(copy, target);
  }

  /**
   * Runs a workflow to its end.
   *
   * @param file the Makeflow file
   * @return the lines of Makeflow's log
   * @throws IOException if it fails
   */
  List<String> makeflow(Path file) throws IOException, InterruptedException {
    Files.copy(file, directory.resolve("work/workflow.makeflow"));
    run(
        "makeflow",
        "--batch-type=chirp",
        "--working-dir=chirp://" + server() + REMOTE,
        "--max-remote=10000",
        "--do-not-save-failed-output",
        "--makeflow-log=work/log",
        "--batch-log=work/batch-log",
        "work/workflow.makeflow");
    return Files.readAllLines(directory.resolve("work/log"));
  }

  /**
   * Queries the databases of the head node.
   *
   * @param sql statements, in which Confuga's own database is {@code c}
   * @return the rows, with tabs between columns; none if the databases do not exist yet
   */
  List<String> query(String sql) throws IOException, InterruptedException {
    Path jobs = directory.resolve("head-log/.__job.db");
    Path files = directory.resolve("head/confuga.db");
    if (!Files.exists(jobs) || !Files.exists(files)) {
      return List.of();
    }
    return run(
            "sqlite3",
            "-separator",
            "\t",
            "-cmd",
            ".timeout 5000",
            jobs.toString(),
            "ATTACH '" + files + "' AS c; " + sql)
        .lines()
        .toList();
  }

  /** Kills all processes, so that a waiting call fails. Thread-safe. */
  void kill() {
    for (Process process : processes) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
  }

  private void start(String node, List<String> argv) throws IOException {
    processes.add(
        process(node, argv)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(directory.resolve("log").toFile()))
            .start());
  }

  /** Runs a program on the master's node and returns its output. */
  private String run(String... argv) throws IOException, InterruptedException {
    Path errors = directory.resolve("errors");
    Process process = process(master(), List.of(argv)).redirectError(errors.toFile()).start();
    processes.add(process);
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    int code = process.waitFor();
    processes.remove(process);
    if (code != 0) {
      throw new IOException(
          argv[0]
              + " ended with exit code "
              + code
              + ": "
              + output.strip()
              + "\n"
              + LogTail.of(errors));
    }
    return output;
  }

  private ProcessBuilder process(String node, List<String> argv) throws IOException {
    List<String> all =
        new ArrayList<>(List.of("setpriv", "--reuid=" + USER, "--regid=" + USER, "--clear-groups"));
    all.addAll(argv);
    ProcessBuilder process = cluster.command(node, all).directory(directory.toFile());
    process.environment().put("CATALOG_HOST", master());
    process.environment().put("HOME", directory.toString());
    return process;
  }

  @Override
  public void close() throws IOException {
    kill();
    FileUtils.deleteDirectory(directory.toFile());
  }
}
