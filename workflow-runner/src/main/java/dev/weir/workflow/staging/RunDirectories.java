package dev.weir.workflow.staging;

import dev.weir.workflow.scheduler.api.TaskProfiles;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directories of a user's runs, below {@code .weir/runs} in the home directory. Those of the
 * last runs are kept. Thread-safe.
 */
public final class RunDirectories {

  public static final int KEPT = 50;

  /** No session is assumed to live longer if YARN cannot be asked. */
  public static final Duration LONGEST_SESSION = Duration.ofDays(30);

  private static final Logger LOG = LoggerFactory.getLogger(RunDirectories.class);
  private static final String BELOW_HOME = ".weir/runs";
  private static final String DONE = "done";
  private static final String TASK_PROFILES = "habits.json";
  private static final String DONE_SUFFIX = ".jsonl";
  private static final short PRIVATE = 0700;

  private final DistributedFileSystem fs;
  private final Path root;

  private RunDirectories(DistributedFileSystem fs, Path root) {
    this.fs = fs;
    this.root = root;
  }

  /** Returns the directories of the current user's runs. */
  public static RunDirectories own(DistributedFileSystem fs) {
    return new RunDirectories(fs, new Path(fs.getHomeDirectory(), BELOW_HOME));
  }

  /** Returns the directories of a user's runs. Only that user and superusers may read them. */
  public static RunDirectories of(DistributedFileSystem fs, String user) {
    return new RunDirectories(
        fs, new Path(new Path(fs.getHomeDirectory().getParent(), user), BELOW_HOME));
  }

  public DistributedFileSystem fs() {
    return fs;
  }

  /** Returns the parent of the directories. */
  public Path root() {
    return root;
  }

  /** Returns the directory of a run, which need not exist. */
  public Staging directory(String id) {
    return new Staging(fs, new Path(root, id));
  }

  /**
   * Lists the runs that have a directory.
   *
   * @return their ids, the newest first
   */
  public List<ApplicationId> ids() throws IOException {
    return ids(root, "");
  }

  private List<ApplicationId> ids(Path directory, String suffix) throws IOException {
    List<ApplicationId> ids = new ArrayList<>();
    try {
      for (FileStatus file : fs.listStatus(directory)) {
        String name = file.getPath().getName();
        try {
          if (name.endsWith(suffix)) {
            ids.add(ApplicationId.fromString(name.substring(0, name.length() - suffix.length())));
          }
        } catch (IllegalArgumentException e) {
          LOG.debug("{} is not a run's", file.getPath());
        }
      }
    } catch (FileNotFoundException e) {
      return List.of();
    }
    ids.sort(Comparator.reverseOrder());
    return ids;
  }

  /** Returns the run directories of the user who owns a given one. */
  public static RunDirectories containing(Staging one) {
    return new RunDirectories(one.fs(), one.directory().getParent());
  }

  /**
   * Lists the live runs of a session that has not ended.
   *
   * @return the summaries, without that of the run with which the session began
   */
  public List<RunSummary> liveIn(String session) throws IOException {
    List<RunSummary> live = new ArrayList<>();
    for (ApplicationId id : ids()) {
      try {
        RunSummary summary = directory(id.toString()).readJson(Staging.SUMMARY, RunSummary.class);
        if (summary.end() == null && summary.session().equals(session)) {
          live.add(summary);
        }
      } catch (FileNotFoundException | Staging.UnreadableException e) {
        LOG.debug("{} is not the directory of a run", id, e);
      }
    }
    return live;
  }

  /** Returns the run directories of the user who owns a given session. */
  public static RunDirectories besideSessions(DistributedFileSystem fs, Staging session) {
    Path home = session.directory().getParent().getParent().getParent();
    return new RunDirectories(fs, new Path(home, BELOW_HOME));
  }

  /** Returns the directory of a session of the same user, which need not exist. */
  public Staging session(String id) {
    return new Staging(fs, new Path(new Path(root.getParent(), "sessions"), id));
  }

  /**
   * Returns the directory with the journals of a run: its session's, which is that of another run
   * if the session began with that run.
   */
  public Staging journals(RunSummary run) throws IOException {
    Staging session = session(run.application());
    return session.number(Staging.SESSION) == 0 ? directory(run.application()) : session;
  }

  /**
   * Lists the runs that may have recorded the tasks that they did.
   *
   * @return their ids, the newest first
   */
  public List<ApplicationId> remembered() throws IOException {
    Set<ApplicationId> all = new TreeSet<>(Comparator.reverseOrder());
    all.addAll(ids());
    all.addAll(ids(doneDirectory(), DONE_SUFFIX));
    return List.copyOf(all);
  }

  private Path doneDirectory() {
    return new Path(root.getParent(), DONE);
  }

  /**
   * Opens the list of the tasks that a run has done.
   *
   * @return its lines, to be closed; null if it has written none
   */
  public @Nullable BufferedReader done(String id) throws IOException {
    try {
      return new BufferedReader(
          new InputStreamReader(
              fs.open(new Path(doneDirectory(), id + DONE_SUFFIX)), StandardCharsets.UTF_8));
    } catch (FileNotFoundException e) {
      return null;
    }
  }

  /**
   * Writes the list of the tasks that a run has done, and deletes the lists of the oldest runs
   * beyond the limit.
   */
  public void writeDone(String id, ConsumerRaisingIOE<OutputStream> content) throws IOException {
    fs.mkdirs(doneDirectory(), new FsPermission(PRIVATE));
    new Staging(fs, doneDirectory()).write(id + DONE_SUFFIX, content);
    List<ApplicationId> ids = ids(doneDirectory(), DONE_SUFFIX);
    for (ApplicationId old : ids.subList(Math.min(KEPT, ids.size()), ids.size())) {
      fs.delete(new Path(doneDirectory(), old + DONE_SUFFIX), false);
    }
  }

  /** Reads the profiles of task types that earlier runs have measured. */
  public TaskProfiles taskProfiles() throws IOException {
    return new Staging(fs, root.getParent()).readJson(TASK_PROFILES, TaskProfiles.class);
  }

  /** Writes the profiles of task types. */
  public void writeTaskProfiles(TaskProfiles profiles) throws IOException {
    new Staging(fs, root.getParent()).writeJson(TASK_PROFILES, profiles);
  }

  /**
   * Deletes everything that the user's runs have left except the runner's jars: directories, lists
   * of done tasks, and profiles. The next run starts like the first one. Must not be called during
   * a run.
   */
  public void forgetRuns() throws IOException {
    for (Path left : List.of(root, doneDirectory(), new Path(root.getParent(), TASK_PROFILES))) {
      fs.delete(left, true);
    }
  }

  /** Deletes the directories of the oldest runs beyond the limit, if they have ended. */
  public void prune(Instant now) {
    try {
      List<ApplicationId> ids = ids();
      for (ApplicationId old : ids.subList(Math.min(KEPT, ids.size()), ids.size())) {
        Staging run = directory(old.toString());
        if (hasEnded(run, now.minus(LONGEST_SESSION))) {
          run.delete();
        }
      }
    } catch (IOException e) {
      LOG.warn("Cannot remove the oldest runs in {}", root, e);
    }
  }

  /**
   * A run has the address of its ApplicationMaster until its session has ended. A killed session
   * leaves the address.
   */
  private boolean hasEnded(Staging run, Instant sessionsBegan) throws IOException {
    try {
      if (run.readJson(Staging.SUMMARY, RunSummary.class).end() == null) {
        return false;
      }
      long written = fs.getFileStatus(run.file(Staging.MASTER)).getModificationTime();
      return written < sessionsBegan.toEpochMilli();
    } catch (FileNotFoundException e) {
      return true;
    }
  }
}
