package dev.weir.cli.jobs;

import dev.weir.cli.jobs.MakeflowCommand.Fetch;
import dev.weir.workflow.jobs.EndedJobs;
import dev.weir.workflow.jobs.Job;
import dev.weir.workflow.jobs.JobException;
import dev.weir.workflow.jobs.JobFile;
import dev.weir.workflow.jobs.JobOptions;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowGraph;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stands in for the commands of a batch system while makeflow runs. makeflow's batch type {@code
 * cluster} calls one command to submit a rule and one to remove it, and looks for files that say
 * that a rule has started and stopped. The two commands leave files in a spool directory; this
 * takes them, gives each rule to the session as a job, and writes the files that makeflow looks
 * for. Which files a rule reads and writes makeflow does not say: it says the rule's number, and
 * the workflow says the rest.
 */
final class MakeflowSession implements AutoCloseable {

  /** Puts the number of the rule before its unchanged command. */
  static final String WRAPPER = ": weir-rule %%; {}";

  private static final Logger LOG = LoggerFactory.getLogger(MakeflowSession.class);
  private static final Pattern RULE = Pattern.compile(": weir-rule (\\d+); (.*)", Pattern.DOTALL);
  private static final String NAME = "weir";
  private static final int THREADS = 8;
  private static final long POLL_MILLIS = 50;
  private static final Duration WAIT = Duration.ofSeconds(30);
  private static final long CANCEL_SECONDS = 10;
  private static final long FIRST_PAUSE_MILLIS = 500;
  private static final long LONGEST_PAUSE_MILLIS = 30_000;

  /** The HTTP status of a session that has ended. */
  private static final int GONE = 410;

  private static final String SUBMIT =
      """
      #!/bin/sh
      # Called by makeflow, one rule at a time: leaves the rule where weir takes it.
      cd "$(dirname "$0")" || exit 1
      n=$(($(cat count) + 1))
      echo "$n" > count
      printf '%s' "$BATCH_JOB_COMMAND" > "$n.tmp" && mv "$n.tmp" "$n.job" && echo "Your job $n"
      """;

  private static final String REMOVE =
      """
      #!/bin/sh
      # Called by makeflow with the number that the submission has printed.
      : > "$(dirname "$0")/$1.remove"
      """;

  private final Workflow workflow;
  private final WorkflowGraph graph;
  private final Outside outside;
  private final Path spool;
  private final Path directory;
  private final Fetch fetch;
  private final String prefix = "mf-" + UUID.randomUUID();
  private final Map<String, Integer> open = new ConcurrentHashMap<>();
  private final Map<Integer, Task> rules = new ConcurrentHashMap<>();

  /** Ids of the rules whose last job has failed and which makeflow has not retried. */
  private final Set<String> failed = ConcurrentHashMap.newKeySet();

  /** Jobs that have ended and whose files are being copied. */
  private final Set<Integer> ending = ConcurrentHashMap.newKeySet();

  private volatile long lastEventNanos = System.nanoTime();
  private final ExecutorService transfers = Executors.newFixedThreadPool(THREADS, this::daemon);
  private final ScheduledExecutorService spooler =
      Executors.newSingleThreadScheduledExecutor(this::daemon);
  private final Thread hook = new Thread(this::cancelAll);

  record Outside(RuleJobs jobs, MakeflowFiles files, PrintWriter err) {}

  /**
   * Creates a session.
   *
   * @param spool an empty directory, which is deleted with the session
   */
  MakeflowSession(Workflow workflow, Outside outside, Path spool, Fetch fetch) {
    this.workflow = workflow;
    this.graph = workflow.graph();
    this.outside = outside;
    this.spool = spool;
    this.directory = outside.files().directory();
    this.fetch = fetch;
  }

  private Thread daemon(Runnable work) {
    Thread thread = new Thread(work, "makeflow");
    thread.setDaemon(true);
    return thread;
  }

  void start() throws IOException {
    Files.writeString(spool.resolve("count"), "0");
    script("submit", SUBMIT);
    script("remove", REMOVE);
    Runtime.getRuntime().addShutdownHook(hook);
    Future<?> unused =
        spooler.scheduleWithFixedDelay(this::poll, 0, POLL_MILLIS, TimeUnit.MILLISECONDS);
    daemon(this::followEnds).start();
  }

  private void script(String name, String text) throws IOException {
    Path file = Files.writeString(spool.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwx------"));
  }

  Map<String, String> environment() {
    return Map.of(
        "BATCH_QUEUE_CLUSTER_NAME",
        NAME,
        "BATCH_QUEUE_CLUSTER_SUBMIT_COMMAND",
        spool.resolve("submit").toString(),
        "BATCH_QUEUE_CLUSTER_REMOVE_COMMAND",
        spool.resolve("remove").toString(),
        "BATCH_QUEUE_CLUSTER_SUBMIT_OPTIONS",
        "",
        "BATCH_QUEUE_CLUSTER_SUBMIT_JOBNAME_VAR",
        "-N");
  }

  private void poll() {
    try (DirectoryStream<Path> found = Files.newDirectoryStream(spool, "*.{job,remove}")) {
      for (Path file : found) {
        lastEventNanos = System.nanoTime();
        String name = file.getFileName().toString();
        int number = Integer.parseInt(name.substring(0, name.indexOf('.')));
        String text = Files.readString(file);
        Files.delete(file);
        boolean remove = name.endsWith(".remove");
        transfers.execute(() -> guarded(number, () -> take(number, text, remove)));
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot read {}; trying again", spool, e);
    }
  }

  private interface Step {
    void run() throws IOException, InterruptedException;
  }

  /** Runs a step of a rule. Reports any failure to makeflow, which would otherwise wait forever. */
  private void guarded(int number, Step step) {
    try {
      step.run();
    } catch (IOException | RuntimeException e) {
      LOG.debug("Rule {} has failed", number, e);
      tell("weir: job " + number + " of makeflow: " + e.getMessage());
      stopped(number, 1, System.currentTimeMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void take(int number, String text, boolean remove)
      throws IOException, InterruptedException {
    if (remove) {
      outside.jobs().cancel(id(number));
    } else {
      submit(number, text);
    }
  }

  private String id(int number) {
    return prefix + "-" + number;
  }

  private void submit(int number, String text) throws IOException, InterruptedException {
    Matcher parts = RULE.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(1)) >= workflow.tasks().size()) {
      throw new IOException(
          "makeflow has submitted '" + text + "', which is no rule of " + workflow.name());
    }
    Task task = workflow.tasks().get(Integer.parseInt(parts.group(1)));
    rules.put(number, task);
    open.put(id(number), number);
    failed.remove(task.id());
    for (String input : task.inputs()) {
      outside.files().provide(input);
    }
    outside.jobs().submit(job(number, task, parts.group(2)));
  }

  private Job job(int number, Task task, String command) {
    boolean known = task.command().stream().anyMatch(part -> part.contains(command.strip()));
    return new Job(
        id(number),
        task.type(),
        known ? task.command() : List.of("/bin/sh", "-c", command),
        Map.of(),
        task.inputs().stream().map(this::file).toList(),
        task.outputs().stream().map(this::file).toList(),
        new JobOptions(
            task.needs(),
            task.runtimeSeconds(),
            JobOptions.DEFAULT.priority(),
            JobOptions.DEFAULT.attempts()));
  }

  private JobFile file(String id) {
    var file = graph.file(id);
    boolean made = graph.producer(id).isPresent();
    return new JobFile(outside.files().path(id), id, file.sizeBytes(), made ? file.hint() : "");
  }

  /** Polls ended jobs until the session closes, because makeflow learns of them only from here. */
  private void followEnds() {
    long next = 0;
    long pause = 0;
    try {
      while (!transfers.isShutdown()) {
        try {
          EndedJobs ended = outside.jobs().awaitEnds(next, WAIT);
          if (pause > 0) {
            tell("weir: the session answers again");
            pause = 0;
          }
          next = ended.next();
          ended.jobs().forEach(this::hearOf);
        } catch (IOException e) {
          if (e instanceof JobException refusal && refusal.status() == GONE) {
            lost(refusal);
            return;
          }
          if (pause == 0) {
            tell(
                "weir: the session does not answer; it is asked until it does, or until you press"
                    + " Ctrl-C: "
                    + e.getMessage());
          }
          pause = Math.min(Math.max(FIRST_PAUSE_MILLIS, 2 * pause), LONGEST_PAUSE_MILLIS);
          // Closing the session also ends the pause.
          if (transfers.awaitTermination(pause, TimeUnit.MILLISECONDS)) {
            return;
          }
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RejectedExecutionException e) {
      LOG.debug("A job has ended after makeflow", e);
    }
  }

  private void hearOf(JobStatus job) {
    Integer number = open.get(job.id());
    if (number != null && ending.add(number)) {
      transfers.execute(() -> guarded(number, () -> ended(number, job)));
    }
  }

  /** Reports all submitted rules as failed, because the session has ended. */
  private void lost(JobException refusal) {
    tell("weir: the session is lost: " + refusal.getMessage());
    open.values().forEach(number -> stopped(number, 1, System.currentTimeMillis()));
  }

  private void ended(int number, JobStatus job) throws IOException {
    Task task = rules.get(number);
    if (job.state() == JobState.SUCCEEDED && task != null) {
      for (String output : task.outputs()) {
        boolean isResult = graph.consumers(output).isEmpty();
        outside.files().fetch(output, fetch == Fetch.ALL || (fetch == Fetch.RESULTS && isResult));
      }
    } else if (job.state() == JobState.FAILED) {
      tell(
          JobText.of(job)
              .replace(job.id(), "weir: job " + number + " of makeflow")
              .stripTrailing());
    }
    stopped(number, JobText.exitCode(job), job.times().started());
  }

  private synchronized void tell(String text) {
    outside.err().println(text);
    outside.err().flush();
  }

  /** Writes the status file that makeflow's wrapper would write. */
  private void stopped(int number, int code, long startedMillis) {
    Task task = rules.get(number);
    if (task != null && code != 0) {
      failed.add(task.id());
    }
    open.remove(id(number));
    lastEventNanos = System.nanoTime();
    Path file = directory.resolve(NAME + ".status." + number);
    long now = System.currentTimeMillis() / 1000;
    try {
      // makeflow may read the file early, so the line that it waits for comes last.
      Files.writeString(file, "start " + startedMillis / 1000 + "\n");
      Files.writeString(file, "stop " + code + " " + now + "\n", StandardOpenOption.APPEND);
    } catch (IOException e) {
      tell("weir: cannot write " + file + ", for which makeflow waits: " + e.getMessage());
    }
  }

  /** Returns the commands of rules that failed finally. makeflow 9.9 exits with 0 even then. */
  List<String> failedCommands() {
    return workflow.tasks().stream()
        .filter(task -> failed.contains(task.id()))
        .map(task -> String.join(" ", task.command()))
        .toList();
  }

  /**
   * Returns whether makeflow hangs: no job is open, a rule has failed, and makeflow has not retried
   * it for some time. makeflow 9.9 waits forever if other rules need the output of a failed rule.
   */
  boolean isAtAnEnd(Duration still) {
    return !failed.isEmpty()
        && open.isEmpty()
        && System.nanoTime() - lastEventNanos >= still.toNanos();
  }

  /** Cancels all open jobs. */
  private void cancelAll() {
    for (String job : List.copyOf(open.keySet())) {
      try {
        outside.jobs().cancel(job);
      } catch (IOException e) {
        LOG.debug("Cannot cancel {}", job, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() throws IOException {
    spooler.shutdownNow();
    transfers.shutdown();
    try {
      if (!transfers.awaitTermination(CANCEL_SECONDS, TimeUnit.SECONDS)) {
        LOG.info("Some files are still on their way; they are not waited for");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    cancelAll();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      LOG.debug("The process is ending", e);
    }
    Files.deleteIfExists(directory.resolve(NAME + ".wrapper"));
    try (DirectoryStream<Path> left = Files.newDirectoryStream(spool)) {
      for (Path file : left) {
        Files.deleteIfExists(file);
      }
    }
    Files.deleteIfExists(spool);
  }
}
