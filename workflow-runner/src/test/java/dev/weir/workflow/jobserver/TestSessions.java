package dev.weir.workflow.jobserver;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.controller.RunFiles;
import dev.weir.workflow.controller.SessionController;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobClients;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.SessionEndpoint;
import dev.weir.workflow.jobs.SessionStatus;
import dev.weir.workflow.journal.Journal;
import dev.weir.workflow.journal.JournalReader;
import dev.weir.workflow.protocol.PortRange;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import dev.weir.workflow.protocol.TaskReport.Usage;
import dev.weir.workflow.record.StoredFile;
import dev.weir.workflow.run.ManagedRuns;
import dev.weir.workflow.scheduler.Dispatcher;
import dev.weir.workflow.scheduler.Dispatchers;
import dev.weir.workflow.scheduler.api.AssignmentPolicy;
import dev.weir.workflow.scheduler.api.Limits;
import dev.weir.workflow.scheduler.api.WorkerInfo;
import dev.weir.workflow.scheduler.api.WorkerSize;
import dev.weir.workflow.session.JournalCompactor;
import dev.weir.workflow.session.SessionReplay;
import dev.weir.workflow.staging.TaskSecrets;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.RawLocalFileSystem;

/**
 * Sessions without a cluster: client, protocol, server, job service, dispatcher and journal are
 * real.
 */
public final class TestSessions implements AutoCloseable {

  private static final WorkerInfo WORKER = new WorkerInfo("w1", "n1", "/r");

  /** Files in HDFS, with their bytes on each host. */
  final Map<String, Map<String, Long>> hdfs = new ConcurrentHashMap<>();

  /** Runs before a session gets an answer from HDFS. */
  volatile Runnable beforeFind = () -> {};

  /** Tells whether sessions know that another ApplicationMaster exists. */
  volatile boolean replaced;

  /** Runs between two checks of this. */
  volatile Runnable afterFencingCheck = () -> {};

  final AtomicReference<SessionEndpoint> endpoint = new AtomicReference<>();
  public final ExecutorService threads = Executors.newCachedThreadPool();
  public final JobClient client = JobClients.of(endpoint::get, Duration.ofSeconds(20));
  private final Clock clock = Clock.systemUTC();
  private final org.apache.hadoop.fs.Path directory;

  /** How many ended jobs a session remembers. */
  public int kept = 100;

  /** How long an immediate stop may wait for HDFS. */
  Duration endTimeout = Duration.ofMinutes(1);

  /** The file system of the journal. */
  private final FileSystem fs;

  /** Creates sessions whose journals are in a directory. */
  public TestSessions(Path directory) throws IOException {
    this(directory, new RawLocalFileSystem());
  }

  public TestSessions(Path directory, FileSystem fs) throws IOException {
    this.directory = new org.apache.hadoop.fs.Path(directory.toUri());
    this.fs = fs;
    fs.initialize(URI.create("file:///"), new Configuration(false));
  }

  /** Starts the session with this attempt number of its ApplicationMaster. */
  public Session start(int attempt) throws IOException {
    return new Session(attempt);
  }

  /** Returns the URL of the running session for a path such as {@code /v1/jobs}. */
  URI url(String path) {
    return URI.create(requireNonNull(endpoint.get()).url() + path);
  }

  /** Returns what another thread gets while a request is handled. */
  <V> CompletableFuture<V> fromAnotherThread(Callable<V> asks) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return asks.call();
          } catch (Exception e) {
            throw new CompletionException(e);
          }
        },
        threads);
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }

  /** The parts of an ApplicationMaster, without YARN and workers. */
  public final class Session implements AutoCloseable {
    public final JobRegistry jobs = new JobRegistry(kept, (job, ended) -> {});
    final Dispatcher dispatcher =
        Dispatchers.of(AssignmentPolicy.DATA_AWARE, Limits.DEFAULT, WorkerSize.ONE_TASK);
    final ManagedRuns runs;
    final ExecutorService loop = Executors.newSingleThreadExecutor();
    public final Journal journal;
    public final SessionController controller;
    final JobOrders orders;
    public final JournalCompactor compactor;
    public final SessionReplay replay;
    final JobServer server;
    final JobService jobService;

    Session(int attempt) throws IOException {
      orders = new JobOrders(jobs, "test.1-" + attempt, new JobFileUses(2), clock);
      runs = new ManagedRuns(orders, jobs, new NoFiles());
      replay = new SessionReplay(dispatcher, jobs, runs, run -> Optional.empty(), (run, why) -> {});
      JournalReader journals = new JournalReader(fs, directory);
      journals.read(replay::replay);
      replay.finish(attempt);
      journals.replace(attempt, replay.compactionFilter()::kept, replay.endedJobs());
      journal = new Journal(fs, directory, attempt, 1, () -> {});
      journal.start();
      controller =
          new SessionController(
              dispatcher,
              new SessionController.Collaborators(runs, journal, runs, runs),
              clock,
              new SessionController.Threads(loop, threads));
      controller.start();
      compactor =
          new JournalCompactor(
              new JournalCompactor.Parts(journal, journals, replay, jobs, controller),
              threads,
              4_000);
      jobService =
          new JobService(
              new JobService.Identity(
                  "application_1_1",
                  "test",
                  new SessionStatus.Offer("weir", 2, 1, 1024),
                  new TaskSecrets(Map.of("KNOWN", "value"))),
              new JobService.Parts(dispatcher, jobs, controller),
              new JobService.Dependencies(
                  this::find,
                  paths -> false,
                  job -> CompletableFuture.completedFuture(null),
                  new SessionStop(
                      new SessionStop.Place(fs, directory, attempt),
                      this::isReplaced,
                      threads,
                      endTimeout),
                  () -> 0,
                  threads),
              clock);
      jobService.resumeStop();
      RequestAuthenticator authenticator = new RequestAuthenticator(new SecureRandom(), clock);
      server = new JobServer(jobService, new NoRuns(), authenticator, PortRange.ANY);
      server.start();
      endpoint.set(new SessionEndpoint("http://127.0.0.1:" + server.port(), authenticator.key()));
    }

    private boolean isReplaced() {
      boolean now = replaced;
      afterFencingCheck.run();
      return now;
    }

    private Map<String, Map<String, Long>> find(Set<String> paths) {
      beforeFind.run();
      Map<String, Map<String, Long>> found = new HashMap<>(hdfs);
      found.keySet().retainAll(paths);
      return found;
    }

    void join() {
      jobs.workerJoined(WORKER, clock.millis());
      controller.submit(() -> dispatcher.workerJoined(WORKER, clock.millis())).join();
    }

    /** Reports like a worker, with names of the sandbox. */
    void report(String job, Result result, int exitCode, String... outputs) {
      List<StoredFile> stored =
          List.of(outputs).stream().map(name -> new StoredFile(name, 3, Map.of("n1", 3L))).toList();
      controller.reported(
          "w1",
          new TaskReport(
              job,
              1,
              result,
              exitCode,
              exitCode == 0 ? "" : "the command exited with " + exitCode,
              exitCode == 0 ? "" : "oh no",
              List.of(),
              stored,
              new Usage(1, 2, 3, 4, 5, 6, 3, 0)));
    }

    @Override
    public void close() {
      server.close();
      loop.shutdownNow();
      journal.close();
    }
  }

  /** A session that accepts no runs. */
  static final class NoRuns implements JobServer.RunHandler {

    @Override
    public CompletableFuture<HttpReply> submit(String json) {
      return list();
    }

    @Override
    public CompletableFuture<HttpReply> list() {
      return CompletableFuture.completedFuture(new HttpReply(HttpReply.OK, "{\"runs\":[]}"));
    }

    @Override
    public CompletableFuture<HttpReply> status(String id, long waitSeconds) {
      return list();
    }

    @Override
    public CompletableFuture<HttpReply> cancel(String id) {
      return list();
    }
  }

  private static final class NoFiles implements RunFiles {
    @Override
    public List<String> lost(List<String> results) {
      return List.of();
    }

    @Override
    public void remove(List<String> paths) {}
  }

  /** Reads the lines of a compacted journal. */
  public static List<String> compactedLines(Path file) throws IOException {
    try (InputStream in = new GZIPInputStream(Files.newInputStream(file))) {
      return new String(in.readAllBytes(), UTF_8).lines().toList();
    }
  }

  public static Job job(String id, List<JobFile> inputs, List<JobFile> outputs) {
    return new Job(id, "", List.of("true", id), Map.of(), inputs, outputs, JobOptions.DEFAULT);
  }

  public static Job job(String id) {
    return job(id, List.of(), List.of());
  }

  static void assertRefused(int status, String message, Attempt attempt) {
    assertThatThrownBy(attempt::make)
        .isInstanceOfSatisfying(
            JobException.class, refused -> assertThat(refused.status()).isEqualTo(status))
        .hasMessageContaining(message);
  }

  interface Attempt {
    void make() throws Exception;
  }
}
