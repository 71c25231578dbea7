package dev.weir.workflow.delivery;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonMappingException;
import dev.weir.hints.client.http.HintsServiceException;
import dev.weir.workflow.provenance.ProvenanceJson;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import dev.weir.workflow.provenance.RunPhase;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The spool of run records that an unavailable service has not received: one HDFS file per run in
 * the user's home directory. Several processes may deliver records at the same time, because
 * delivery is idempotent.
 */
public final class RunRecordSpool {
  private static final Logger LOG = LoggerFactory.getLogger(RunRecordSpool.class);
  private static final String SUFFIX = ".jsonl";
  private static final String REFUSED = ".refused";
  private static final short PRIVATE = 0700;

  /** How long a record waits for a service that supports all of its fields. */
  private static final Duration MAX_WAIT = Duration.ofDays(30);

  private static final int BAD_REQUEST = 400;
  private static final int SERVER_ERROR = 500;

  private final FileSystem fs;
  private final Path directory;
  private final Clock clock;

  RunRecordSpool(FileSystem fs, Path directory, Clock clock) {
    this.fs = fs;
    this.directory = directory;
    this.clock = clock;
  }

  /**
   * Returns the spool of the current user.
   *
   * @return {@code .weir/spool} in the home directory
   */
  public static RunRecordSpool ofHome(FileSystem fs) {
    return new RunRecordSpool(
        fs, new Path(fs.getHomeDirectory(), ".weir/spool"), Clock.systemUTC());
  }

  /** A line of a spool file: a part, or the head, which is the first and the last line. */
  record Line(String run, @Nullable RunHead head, @Nullable RunPart part) {}

  /**
   * The result of a delivery.
   *
   * @param problems a message for each run that was not
   */
  public record Delivered(int runs, List<String> problems) {
    public Delivered {
      problems = List.copyOf(problems);
    }
  }

  /**
   * The size of a spool.
   *
   * @param waiting number of runs that wait for delivery
   * @param refused number of runs that the service refused
   */
  public record Content(int waiting, int refused) {}

  /**
   * Returns the directory of the spool.
   *
   * @return the path, which need not exist
   */
  public Path directory() {
    return directory;
  }

  /** Counts the records. */
  public Content content() throws IOException {
    return new Content(found(SUFFIX).size(), found(SUFFIX + REFUSED).size());
  }

  /** Writes the record of a run atomically. */
  void write(String run, RunHead head, Iterator<RunPart> parts) throws IOException {
    fs.mkdirs(directory, new FsPermission(PRIVATE));
    Path temporary = new Path(directory, "." + run + ".tmp");
    try (OutputStream out = fs.create(temporary, true)) {
      writeLine(out, new Line(run, running(head), null));
      while (parts.hasNext()) {
        writeLine(out, new Line(run, null, parts.next()));
      }
      writeLine(out, new Line(run, head, null));
    }
    Path file = new Path(directory, run + SUFFIX);
    fs.delete(file, false);
    if (!fs.rename(temporary, file)) {
      throw new IOException("Cannot rename " + temporary + " to " + file);
    }
  }

  /**
   * Returns the head of the run while running. It precedes the parts; the final head follows them.
   */
  private static RunHead running(RunHead head) {
    return new RunHead(
        head.workflow(),
        head.mode(),
        RunPhase.RUNNING,
        head.dataDir(),
        head.standIn(),
        head.started(),
        null,
        null,
        head.owner());
  }

  private static void writeLine(OutputStream out, Line line) throws IOException {
    out.write(ProvenanceJson.write(line));
    out.write('\n');
  }

  /**
   * Delivers the waiting records. A record that the service does not understand, or fails at, waits
   * for an upgrade for at most 30 days. A record that the service refuses for another reason is set
   * aside.
   *
   * @param sink receives the records
   * @param proceed asked before each part; false stops the delivery
   * @throws HintsServiceException if the service is unavailable; the remaining records keep waiting
   */
  public Delivered deliver(RunRecordSink sink, BooleanSupplier proceed) throws IOException {
    return deliver(found(SUFFIX), sink, proceed);
  }

  /**
   * Delivers the records that were set aside. A record that is refused again stays set aside.
   *
   * @throws HintsServiceException if the service is unavailable
   */
  public Delivered deliverRefused(RunRecordSink sink) throws IOException {
    return deliver(found(SUFFIX + REFUSED), sink, () -> true);
  }

  private Delivered deliver(List<FileStatus> files, RunRecordSink sink, BooleanSupplier proceed)
      throws IOException {
    int runs = 0;
    List<String> problems = new ArrayList<>();
    for (FileStatus file : files) {
      if (!proceed.getAsBoolean()) {
        break;
      }
      try {
        runs += deliver(file.getPath(), sink, proceed) ? 1 : 0;
      } catch (HintsServiceException e) {
        if (e.isAway()) {
          throw e;
        }
        boolean retry = e.status() == BAD_REQUEST || e.status() >= SERVER_ERROR;
        problems.add(keep(file, String.valueOf(e.getMessage()), retry));
      } catch (JsonProcessingException e) {
        // Valid JSON with unknown fields was written by a later version.
        problems.add(keep(file, e.getOriginalMessage(), e instanceof JsonMappingException));
      } catch (FileNotFoundException e) {
        LOG.debug("Another process delivered {}", file.getPath(), e);
      }
    }
    return new Delivered(runs, problems);
  }

  private List<FileStatus> found(String suffix) throws IOException {
    try {
      FileStatus[] found =
          fs.listStatus(
              directory,
              file -> file.getName().endsWith(suffix) && !file.getName().startsWith("."));
      return Arrays.stream(found)
          .sorted(Comparator.comparingLong(FileStatus::getModificationTime))
          .toList();
    } catch (FileNotFoundException e) {
      return List.of();
    }
  }

  private boolean deliver(Path file, RunRecordSink sink, BooleanSupplier proceed)
      throws IOException {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(fs.open(file), UTF_8))) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        if (!proceed.getAsBoolean()) {
          return false;
        }
        Line line = ProvenanceJson.read(text.getBytes(UTF_8), Line.class);
        if (line.head() != null) {
          sink.put(line.run(), line.head());
        }
        if (line.part() != null) {
          sink.add(line.run(), line.part());
        }
      }
    }
    fs.delete(file, false);
    LOG.info("Delivered {}", file);
    return true;
  }

  /** Keeps a record waiting or sets it aside. Returns a message for the user. */
  private String keep(FileStatus record, String why, boolean retry) throws IOException {
    Path file = record.getPath();
    Instant deadline = Instant.ofEpochMilli(record.getModificationTime()).plus(MAX_WAIT);
    if (file.getName().endsWith(REFUSED)) {
      return file.getName() + ": " + why + "; it is kept as " + file;
    }
    if (retry && clock.instant().isBefore(deadline)) {
      return file.getName()
          + ": "
          + why
          + "; a later version may have written it: upgrade the service and this installation."
          + " It is retried until "
          + deadline
          + " and waits in "
          + file;
    }
    Path refused = file.suffix(REFUSED);
    LOG.warn("The service refuses the record {}; renaming it to {}: {}", file, refused, why);
    fs.delete(refused, false);
    boolean unused = fs.rename(file, refused);
    return file.getName() + ": " + why + "; it is kept as " + refused;
  }
}
