package dev.weir.workflow.reporter;

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
 * Records of runs that wait in HDFS for a service that was away: a file a run, in the user's home
 * directory. Any number of processes may deliver them at a time, for what is delivered twice counts
 * once.
 */
public final class RunRecordSpool {
  private static final Logger LOG = LoggerFactory.getLogger(RunRecordSpool.class);
  private static final String SUFFIX = ".jsonl";
  private static final String REFUSED = ".refused";
  private static final short PRIVATE = 0700;

  /** So long a record waits for a service that knows all that is in it. */
  private static final Duration LONGEST_WAIT = Duration.ofDays(30);

  private static final int NOT_UNDERSTOOD = 400;
  private static final int FIRST_FAULT = 500;

  private final FileSystem fs;
  private final Path directory;
  private final Clock clock;

  /**
   * A spool.
   *
   * @param fs what it is in
   * @param directory its place; need not be there
   * @param clock says how long something has waited
   */
  RunRecordSpool(FileSystem fs, Path directory, Clock clock) {
    this.fs = fs;
    this.directory = directory;
    this.clock = clock;
  }

  /**
   * The spool of the user of a file system.
   *
   * @param fs the file system
   * @return {@code .weir/spool} in the home directory
   */
  public static RunRecordSpool ofHome(FileSystem fs) {
    return new RunRecordSpool(
        fs, new Path(fs.getHomeDirectory(), ".weir/spool"), Clock.systemUTC());
  }

  /** A line of a spool file: the head, first and last, or a part. */
  record Line(String run, @Nullable RunHead head, @Nullable RunPart part) {}

  /**
   * What was delivered.
   *
   * @param runs how many runs
   * @param problems those that were not, with the reason
   */
  public record Delivered(int runs, List<String> problems) {
    /** Copies. */
    public Delivered {
      problems = List.copyOf(problems);
    }
  }

  /**
   * What is in a spool.
   *
   * @param waiting how many runs wait to be delivered
   * @param refused how many were put aside
   */
  public record Content(int waiting, int refused) {}

  /**
   * Where it is.
   *
   * @return path of the directory, which need not be there
   */
  public Path directory() {
    return directory;
  }

  /**
   * Looks at what waits.
   *
   * @return how much it is
   * @throws IOException when the directory cannot be read
   */
  public Content content() throws IOException {
    return new Content(found(SUFFIX).size(), found(SUFFIX + REFUSED).size());
  }

  /** Writes what is to be delivered of a run, in one step. */
  void write(String run, RunHead head, Iterator<RunPart> parts) throws IOException {
    fs.mkdirs(directory, new FsPermission(PRIVATE));
    Path temporary = new Path(directory, "." + run + ".tmp");
    try (OutputStream out = fs.create(temporary, true)) {
      line(out, new Line(run, begun(head), null));
      while (parts.hasNext()) {
        line(out, new Line(run, null, parts.next()));
      }
      line(out, new Line(run, head, null));
    }
    Path file = new Path(directory, run + SUFFIX);
    fs.delete(file, false);
    if (!fs.rename(temporary, file)) {
      throw new IOException("Cannot rename " + temporary + " to " + file);
    }
  }

  /** Parts are of a run that is known; that it has ended is said when all else was. */
  private static RunHead begun(RunHead head) {
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

  private static void line(OutputStream out, Line line) throws IOException {
    out.write(ProvenanceJson.write(line));
    out.write('\n');
  }

  /**
   * Delivers what waits. What the service does not understand, or fails at, may be taken by one
   * that is upgraded: it waits on, 30 days at most. What is refused for another reason is put
   * aside.
   *
   * @param desk takes it
   * @param goOn asked between two parts
   * @return what was delivered
   * @throws HintsServiceException when the service is away; the rest waits on
   * @throws IOException when HDFS is
   */
  public Delivered deliver(RunRecordSink desk, BooleanSupplier goOn) throws IOException {
    return deliver(found(SUFFIX), desk, goOn);
  }

  /**
   * Delivers what was put aside; what is refused again stays there.
   *
   * @param desk takes it
   * @return what was delivered
   * @throws HintsServiceException when the service is away
   * @throws IOException when HDFS is
   */
  public Delivered deliverRefused(RunRecordSink desk) throws IOException {
    return deliver(found(SUFFIX + REFUSED), desk, () -> true);
  }

  private Delivered deliver(List<FileStatus> files, RunRecordSink desk, BooleanSupplier goOn)
      throws IOException {
    int runs = 0;
    List<String> problems = new ArrayList<>();
    for (FileStatus file : files) {
      if (!goOn.getAsBoolean()) {
        break;
      }
      try {
        runs += deliver(file.getPath(), desk, goOn) ? 1 : 0;
      } catch (HintsServiceException e) {
        if (e.isAway()) {
          throw e;
        }
        boolean mayPass = e.status() == NOT_UNDERSTOOD || e.status() >= FIRST_FAULT;
        problems.add(keep(file, String.valueOf(e.getMessage()), mayPass));
      } catch (JsonProcessingException e) {
        // Written by a later version, if it is JSON at all.
        problems.add(keep(file, e.getOriginalMessage(), e instanceof JsonMappingException));
      } catch (FileNotFoundException e) {
        LOG.debug("{} was delivered by another", file.getPath(), e);
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

  private boolean deliver(Path file, RunRecordSink desk, BooleanSupplier goOn) throws IOException {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(fs.open(file), UTF_8))) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        if (!goOn.getAsBoolean()) {
          return false;
        }
        Line line = ProvenanceJson.read(text.getBytes(UTF_8), Line.class);
        if (line.head() != null) {
          desk.put(line.run(), line.head());
        }
        if (line.part() != null) {
          desk.add(line.run(), line.part());
        }
      }
    }
    fs.delete(file, false);
    LOG.info("Delivered {}", file);
    return true;
  }

  /** Leaves a record where it is, or puts it aside; says which. */
  private String keep(FileStatus record, String why, boolean mayPass) throws IOException {
    Path file = record.getPath();
    Instant last = Instant.ofEpochMilli(record.getModificationTime()).plus(LONGEST_WAIT);
    if (file.getName().endsWith(REFUSED)) {
      return file.getName() + ": " + why + "; it is kept as " + file;
    }
    if (mayPass && clock.instant().isBefore(last)) {
      return file.getName()
          + ": "
          + why
          + "; a later version may have written it: upgrade the service and what runs here. It is"
          + " tried again until "
          + last
          + " and waits in "
          + file;
    }
    Path aside = file.suffix(REFUSED);
    LOG.warn("The record in {} is not taken; it is {} now: {}", file, aside, why);
    fs.delete(aside, false);
    boolean unused = fs.rename(file, aside);
    return file.getName() + ": " + why + "; it is kept as " + aside;
  }
}
