package dev.weir.nextflow;

import dev.weir.workflow.client.Sessions;
import dev.weir.workflow.jobs.JobClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import nextflow.Session;
import nextflow.exception.AbortOperationException;
import nextflow.executor.Executor;
import nextflow.executor.SupportedScriptTypes;
import nextflow.extension.FilesEx;
import nextflow.processor.TaskHandler;
import nextflow.processor.TaskMonitor;
import nextflow.processor.TaskPollingMonitor;
import nextflow.processor.TaskRun;
import nextflow.script.ScriptType;
import nextflow.util.Duration;
import nextflow.util.ServiceName;
import org.jspecify.annotations.Nullable;

/** Gives tasks to a Weir session. */
@ServiceName("weir")
@SupportedScriptTypes(ScriptType.SCRIPTLET)
public final class WeirExecutor extends Executor {

  private static final int QUEUE_SIZE = 1_000;

  /** Checks are cheap, and the end of a job causes one at once. */
  private static final String POLL_INTERVAL = "500 ms";

  private static final int SESSION_DIGITS = 12;

  private @Nullable Sessions sessions;
  private @Nullable SessionJobs jobs;
  private List<Path> programs = List.of();

  /** Called by Nextflow. */
  public WeirExecutor() {}

  @Override
  protected void register() {
    if (!(getWorkDir() instanceof HdfsPath)) {
      throw new AbortOperationException(
          "The executor weir has no shared directory but HDFS: add -work-dir"
              + " hdfs:///user/YOU/work");
    }
    try {
      programs = programs();
      jobs = Cluster.withLoader(() -> open(System.getenv()));
    } catch (IOException e) {
      throw new AbortOperationException("The executor weir has no session: " + e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AbortOperationException("interrupted", e);
    }
  }

  private SessionJobs open(Map<String, String> environment)
      throws IOException, InterruptedException {
    Sessions opened = Sessions.open(Cluster.configuration(environment));
    sessions = opened;
    String id = opened.find(sessionName(environment));
    SessionJobs fresh =
        new SessionJobs(opened.client(id, JobClient.PATIENCE), this::signal, Thread::sleep);
    fresh.start(prefix());
    return fresh;
  }

  private String sessionName(Map<String, String> environment) {
    Object scope = getSession().getConfig().get("weir");
    Object name = scope instanceof Map<?, ?> settings ? settings.get("session") : null;
    return name == null ? environment.getOrDefault("WEIR_SESSION", "") : name.toString();
  }

  /** Returns the prefix of the ids of jobs. A run and those that resume it have the same. */
  private String prefix() {
    String id = getSession().getUniqueId().toString().replace("-", "");
    return "nf-" + id.substring(0, SESSION_DIGITS) + "-";
  }

  /** Returns the id of a task's job; the name of a run is unique. */
  String jobId(TaskRun task) {
    return prefix() + getSession().getRunName() + "-" + task.getId();
  }

  SessionJobs jobs() {
    return Objects.requireNonNull(jobs);
  }

  /** Returns the programs of the pipeline's directory {@code bin}, in HDFS. */
  List<Path> remotePrograms() {
    return programs;
  }

  private List<Path> programs() throws IOException {
    Session session = getSession();
    Path local = session.getBinDir();
    if (local == null || session.getDisableRemoteBinDir() || !Files.isDirectory(local)) {
      return List.of();
    }
    Path remote = getTempDir("bin", false);
    FilesEx.copyTo(local, remote);
    try (Stream<Path> files = Files.walk(remote)) {
      return files.filter(Files::isRegularFile).toList();
    }
  }

  /** Sessions run containers, if the pipeline enables any engine. */
  @Override
  public boolean isContainerNative() {
    return getSession().getContainerConfig(null).isEnabled();
  }

  /** Returns Docker, for which Nextflow keeps the names of images; for others it pulls them. */
  @Override
  public String containerConfigEngine() {
    return "docker";
  }

  @Override
  protected TaskMonitor createTaskMonitor() {
    return TaskPollingMonitor.create(
        getSession(), getName(), QUEUE_SIZE, Duration.of(POLL_INTERVAL));
  }

  @Override
  public TaskHandler createTaskHandler(TaskRun task) {
    return new WeirTaskHandler(task, this);
  }

  @Override
  public void shutdown() {
    if (jobs != null) {
      jobs.close();
    }
    if (sessions != null) {
      sessions.close();
    }
  }
}
