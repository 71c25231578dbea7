package dev.weir.bench.series;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.commons.io.FileUtils;

/**
 * Stores the runs of a series: {@code series.json} with the common parameters, {@code
 * sessions/N.json}, and a directory per group with {@code SETUP-N.json} for each run, {@code
 * local-N.json} for the time of its commands without Hadoop and {@code failed/N.json} for each
 * failed run. Files are written atomically, so that killing the process costs only the current run.
 * Locked against other processes; not thread-safe.
 */
public final class SeriesDirectory implements AutoCloseable {
  private static final String PARAMETERS = "series.json";
  private static final String LOCK = "series.lock";
  private static final String SESSIONS = "sessions";
  private static final String SCRATCH = "scratch-";
  private static final String LOCAL = "local";
  private static final String ABOUT = "about.txt";
  private static final String FAILED = "failed";
  private static final String UNFINISHED = ".part";
  private static final String ENDING = ".json";

  /** Other files of a group's directory have other endings. */
  private static final String RUN = ".+-[1-9][0-9]{0,5}\\.json";

  private final Path directory;
  private final FileChannel lock;

  private SeriesDirectory(Path directory, FileChannel lock) {
    this.directory = directory;
    this.lock = lock;
  }

  /**
   * Starts or resumes a series.
   *
   * @param directory created if missing
   * @param parameters the parameters that all runs of the series share
   * @param resume whether an existing series is resumed
   * @throws SeriesException if an existing series must not be resumed, has other parameters, is
   *     locked by another process, or if the path is a file; nothing is changed then
   * @throws IOException if files cannot be read or written
   */
  public static SeriesDirectory open(Path directory, SeriesParameters parameters, boolean resume)
      throws IOException {
    if (Files.exists(directory) && !Files.isDirectory(directory)) {
      throw new SeriesException(directory + " is a file: name a directory with --out");
    }
    Files.createDirectories(directory);
    SeriesDirectory series = new SeriesDirectory(directory, lock(directory));
    boolean good = false;
    try {
      series.begin(parameters, resume);
      good = true;
      return series;
    } finally {
      if (!good) {
        series.close();
      }
    }
  }

  public static boolean isOne(Path directory) {
    return Files.exists(directory.resolve(PARAMETERS));
  }

  private static FileChannel lock(Path directory) throws IOException {
    FileChannel channel =
        FileChannel.open(
            directory.resolve(LOCK), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    if (!isLocked(channel)) {
      channel.close();
      throw new SeriesException(
          "Another process is making runs in "
              + directory
              + ": wait until it ends, or name another directory with --out");
    }
    return channel;
  }

  /** The lock is released with the channel, or with the process. */
  private static boolean isLocked(FileChannel channel) throws IOException {
    try {
      FileLock got = channel.tryLock();
      return got != null;
    } catch (OverlappingFileLockException e) {
      return false;
    }
  }

  private void begin(SeriesParameters parameters, boolean resume) throws IOException {
    Path file = directory.resolve(PARAMETERS);
    if (!Files.exists(file)) {
      write(file, SeriesCodec.toJson(parameters));
      return;
    }
    if (sessions().isEmpty()) {
      removeLeftovers();
      for (String group : groups()) {
        Files.delete(directory.resolve(group).resolve(ABOUT));
      }
      write(file, SeriesCodec.toJson(parameters));
      return;
    }
    if (!resume) {
      throw new SeriesException(
          directory
              + " has a series: continue it with --resume, or name another directory with"
              + " --out");
    }
    List<String> differences =
        SeriesCodec.read(file, SeriesParameters.class).differences(parameters);
    if (!differences.isEmpty()) {
      throw new SeriesException(
          directory
              + " has a different series: "
              + String.join("; ", differences)
              + ". Use the same parameters, or name another directory with --out");
    }
    removeLeftovers();
  }

  /** Removes temporary files of a process that was killed. Files of others are left alone. */
  private void removeLeftovers() throws IOException {
    for (Path one : list(directory)) {
      if (one.getFileName().toString().startsWith(SCRATCH)) {
        FileUtils.deleteDirectory(one.toFile());
        continue;
      }
      for (Path file : list(one)) {
        if (file.getFileName().toString().matches(RUN + UNFINISHED)) {
          Files.delete(file);
        }
      }
    }
  }

  /** Creates a directory that exists until the process ends. */
  public Path scratch() throws IOException {
    return Files.createTempDirectory(directory, SCRATCH);
  }

  /** Returns the directory of a group, and creates it if missing. */
  public Path of(String group) throws IOException {
    return Files.createDirectories(directory.resolve(group));
  }

  /** Returns the groups with a description, in alphabetical order. */
  public List<String> groups() throws IOException {
    return list(directory).stream()
        .filter(one -> Files.isRegularFile(one.resolve(ABOUT)))
        .map(one -> one.getFileName().toString())
        .toList();
  }

  public String about(String group) throws IOException {
    return Files.readString(directory.resolve(group).resolve(ABOUT)).strip();
  }

  /** Stores the description of a group. */
  public void keepAbout(String group, String text) throws IOException {
    write(of(group).resolve(ABOUT), text);
  }

  /** Returns the sessions, in order. */
  public List<Session> sessions() throws IOException {
    List<Session> sessions = new ArrayList<>();
    for (Path file : list(directory.resolve(SESSIONS))) {
      if (file.toString().endsWith(ENDING)) {
        sessions.add(SeriesCodec.read(file, Session.class));
      }
    }
    sessions.sort(Comparator.comparingInt(Session::number));
    return sessions;
  }

  public void keep(Session session) throws IOException {
    Files.createDirectories(directory.resolve(SESSIONS));
    write(
        directory.resolve(SESSIONS).resolve(session.number() + ENDING),
        SeriesCodec.toJson(session));
  }

  public void keep(SeriesRun run) throws IOException {
    PlannedRun id = run.id();
    write(of(id.group()).resolve(id.setup() + "-" + id.repeat() + ENDING), SeriesCodec.toJson(run));
  }

  /** Stores the time of a group's commands without Hadoop. */
  public void keep(String group, LocalRunTime local) throws IOException {
    write(of(group).resolve(LOCAL + "-" + local.repeat() + ENDING), SeriesCodec.toJson(local));
  }

  /**
   * Returns the runs of a group, unordered.
   *
   * @throws IOException if a file is not such a run; the message names it
   */
  public <R extends SeriesRun> List<R> runs(String group, Class<R> type) throws IOException {
    List<R> runs = new ArrayList<>();
    for (Path file : files(group)) {
      if (!isLocal(file)) {
        runs.add(SeriesCodec.read(file, type));
      }
    }
    return runs;
  }

  /** Returns the times of a group's commands without Hadoop, unordered. */
  public List<LocalRunTime> locals(String group) throws IOException {
    List<LocalRunTime> locals = new ArrayList<>();
    for (Path file : files(group)) {
      if (isLocal(file)) {
        locals.add(SeriesCodec.read(file, LocalRunTime.class));
      }
    }
    return locals;
  }

  /** Stores a failed run beside the existing ones, of which some may have been deleted. */
  public void keep(FailedRun failed) throws IOException {
    Path failures = Files.createDirectories(of(failed.id().group()).resolve(FAILED));
    int number = 1;
    while (Files.exists(failures.resolve(number + ENDING))) {
      number++;
    }
    write(failures.resolve(number + ENDING), SeriesCodec.toJson(failed));
  }

  /** Returns the failed runs of a group, including those that succeeded later, unordered. */
  public List<FailedRun> failed(String group) throws IOException {
    List<FailedRun> failed = new ArrayList<>();
    for (Path file : list(directory.resolve(group).resolve(FAILED))) {
      if (file.toString().endsWith(ENDING)) {
        failed.add(SeriesCodec.read(file, FailedRun.class));
      }
    }
    return failed;
  }

  private List<Path> files(String group) throws IOException {
    return list(directory.resolve(group)).stream()
        .filter(file -> file.getFileName().toString().matches(RUN))
        .toList();
  }

  private static boolean isLocal(Path file) {
    return file.getFileName().toString().startsWith(LOCAL + "-");
  }

  private static List<Path> list(Path directory) throws IOException {
    if (!Files.isDirectory(directory)) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static void write(Path file, String text) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + UNFINISHED);
    Files.writeString(part, text + "\n");
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Releases the lock. */
  @Override
  public void close() throws IOException {
    lock.close();
  }
}
