package dev.weir.workflow.journal;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.io.JsonEOFException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.weir.workflow.journal.Journal.Line;
import dev.weir.workflow.staging.Staging;
import java.io.BufferedReader;
import java.io.FileNotFoundException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads the journals of earlier ApplicationMasters line by line: those of a session may exceed the
 * memory. Not thread-safe.
 */
public final class JournalReader {

  private static final Logger LOG = LoggerFactory.getLogger(JournalReader.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectWriter LINE_WRITER = JSON.writerFor(Line.class);

  /**
   * Prefix of the names of compacted files. They are compressed: the record of a run needs a line
   * of each attempt, and these lines are alike.
   */
  private static final String COMPACTED = Staging.JOURNAL + "0000-";

  private static final int BUFFER_BYTES = 1 << 16;

  /**
   * Compacted files first, the newest of them first: it determines what the earlier ones still
   * contribute.
   */
  private static final Comparator<Path> READ_ORDER =
      Comparator.comparing((Path file) -> !file.getName().startsWith(COMPACTED))
          .thenComparing(
              (one, other) ->
                  one.getName().startsWith(COMPACTED)
                      ? other.getName().compareTo(one.getName())
                      : one.getName().compareTo(other.getName()));

  private final FileSystem fs;
  private final Path directory;
  private final ReadBudget budget;

  /** The number of the last line that was read, by ApplicationMaster. */
  private final NavigableMap<Integer, Long> last = new TreeMap<>();

  public JournalReader(FileSystem fs, Path directory) {
    this(fs, directory, ReadBudget.unbounded());
  }

  /** Creates a reader that stops with an exception once its budget is spent. */
  public JournalReader(FileSystem fs, Path directory, ReadBudget budget) {
    this.fs = fs;
    this.directory = directory;
    this.budget = budget;
  }

  /**
   * Reads all lines. An incomplete last record, which an ApplicationMaster was writing when it
   * ended, is left out. After a failure, a second call continues where the first one stopped.
   *
   * @throws IOException when files cannot be listed or read, or a record before the end of a file
   *     cannot be parsed. Then HDFS is asked to close the files, for a file that is still open
   *     becomes unreadable when its DataNodes restart
   */
  public void read(Consumer<Line> each) throws IOException {
    read(files(), each);
  }

  private void read(List<Path> files, Consumer<Line> each) throws IOException {
    for (Path file : files) {
      try {
        readFile(file, line -> once(line, each));
      } catch (FileNotFoundException e) {
        throw vanished(file, e);
      } catch (ReadBudget.SpentException e) {
        throw e;
      } catch (IOException e) {
        IOException problem =
            new IOException(
                "cannot read the journal "
                    + file
                    + ", without which completed work would be repeated: "
                    + e.getMessage()
                    + ": see 'hdfs fsck "
                    + file.toUri().getPath()
                    + " -openforwrite -files -blocks -locations'",
                e);
        close(file, problem);
        throw problem;
      }
    }
  }

  /** An ApplicationMaster that is about to end may still be compacting; a retry succeeds. */
  private static IOException vanished(Path file, FileNotFoundException e) {
    IOException problem = new IOException(file + " disappeared while the journal was read");
    problem.addSuppressed(e);
    return problem;
  }

  /**
   * Reads the files of another writer, which may be writing still, as far as they are readable.
   *
   * @return whether each file was read to its end; an incomplete last record does not count
   * @throws IOException when the files cannot be listed, or the budget is spent
   */
  public boolean readLeniently(Consumer<Line> each) throws IOException {
    boolean all = true;
    for (Path file : files()) {
      try {
        readFile(file, line -> once(line, each));
      } catch (ReadBudget.SpentException e) {
        throw e;
      } catch (IOException e) {
        all = false;
        LOG.warn("Cannot read {} to its end", file, e);
      }
    }
    return all;
  }

  /**
   * Compacts all files into one and removes them. The new file appears atomically. It is read
   * before the others, also before an earlier compacted one. It ends after the last number of each
   * ApplicationMaster, so files that a crash leaves behind contribute nothing.
   *
   * @param attempt of the calling ApplicationMaster, which has written nothing so far
   * @param keep returns what to keep of a line
   * @param endedJobs number of the last job that has ended
   * @throws IOException when the files cannot be compacted; then they still exist
   */
  public void replace(int attempt, Function<Line, Optional<Line>> keep, long endedJobs)
      throws IOException {
    removeUnfinished();
    List<Path> old = files();
    if (!old.isEmpty()) {
      long unused = replace(old, compactedName(attempt, 0), keep, endedJobs);
    }
  }

  /**
   * Compacts what an ApplicationMaster has written up to a cut, while it continues after the cut.
   * Fails when another ApplicationMaster has taken over.
   *
   * @param cut of its journal; the records of earlier ApplicationMasters were read before
   * @param number a different one each time, greater than the earlier ones
   * @param keep returns what to keep of a line, as of the cut
   * @param endedJobs number of the last job that had ended at the cut
   * @return length of the new file in bytes
   * @throws IOException when the files cannot be compacted; then nothing is lost
   */
  public long replace(
      Journal.Cut cut, int number, Function<Line, Optional<Line>> keep, long endedJobs)
      throws IOException {
    String fresh = compactedName(cut.attempt(), number);
    List<Path> old = new ArrayList<>();
    for (Path file : files()) {
      String name = file.getName();
      if (name.compareTo(name.startsWith(COMPACTED) ? fresh : cut.next()) < 0) {
        old.add(file);
      } else if (!name.startsWith(Journal.prefix(cut.attempt()))) {
        throw new IOException("another ApplicationMaster has continued the journal: " + file);
      }
    }
    last.put(cut.attempt(), cut.last());
    return replace(old, fresh, keep, endedJobs);
  }

  /** Removes the compaction that an ApplicationMaster left unfinished when it died. */
  private void removeUnfinished() throws IOException {
    for (FileStatus file :
        fs.listStatus(directory, path -> path.getName().startsWith("." + COMPACTED))) {
      LOG.info("Removing {}, which an earlier ApplicationMaster did not finish", file.getPath());
      fs.delete(file.getPath(), false);
    }
  }

  /** Returns the total length of all files in bytes. */
  public long bytes() throws IOException {
    long sum = 0;
    for (Path file : files()) {
      sum += fs.getFileStatus(file).getLen();
    }
    return sum;
  }

  private static String compactedName(int attempt, int number) {
    return String.format(Locale.ROOT, "%s%06d-%06d.jsonl.gz", COMPACTED, attempt, number);
  }

  private long replace(
      List<Path> old, String name, Function<Line, Optional<Line>> keep, long endedJobs)
      throws IOException {
    Path temporary = new Path(directory, "." + name + ".tmp");
    try {
      write(temporary, old, keep, endedJobs);
      Path fresh = new Path(directory, name);
      if (!fs.rename(temporary, fresh)) {
        throw new IOException("cannot rename " + temporary + " to " + fresh);
      }
      for (Path file : old) {
        fs.delete(file, false);
      }
      return fs.getFileStatus(fresh).getLen();
    } catch (IOException e) {
      try {
        fs.delete(temporary, false);
      } catch (IOException suppressed) {
        e.addSuppressed(suppressed);
      }
      throw e;
    }
  }

  private void write(
      Path temporary, List<Path> old, Function<Line, Optional<Line>> keep, long endedJobs)
      throws IOException {
    try (OutputStream out =
        new GZIPOutputStream(fs.createFile(temporary).overwrite(true).build(), BUFFER_BYTES)) {
      JournalReader copy = new JournalReader(fs, directory);
      copy.read(
          old,
          line -> {
            if (line.number() <= last.getOrDefault(line.attempt(), 0L)) {
              keep.apply(line).ifPresent(kept -> write(out, kept));
            }
          });
      requireComplete(copy);
      last.forEach(
          (master, number) ->
              write(
                  out,
                  Line.end(master, number + 1, master.equals(last.lastKey()) ? endedJobs : 0)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** Records that were not read to the last one must not be replaced. */
  private void requireComplete(JournalReader copy) throws IOException {
    for (Map.Entry<Integer, Long> end : last.entrySet()) {
      if (copy.last.getOrDefault(end.getKey(), 0L) < end.getValue()) {
        throw new IOException(
            directory
                + " does not hold all records of the ApplicationMaster "
                + end.getKey()
                + " up to "
                + end.getValue());
      }
    }
  }

  private static void write(OutputStream out, Line line) {
    try {
      out.write(LINE_WRITER.writeValueAsBytes(line));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> files() throws IOException {
    FileStatus[] files =
        fs.listStatus(directory, file -> file.getName().startsWith(Staging.JOURNAL));
    return Arrays.stream(files).map(FileStatus::getPath).sorted(READ_ORDER).toList();
  }

  /** Passes on a line unless it was read before: a record may have been written twice. */
  private void once(Line line, Consumer<Line> each) {
    if (line.number() > last.getOrDefault(line.attempt(), 0L)) {
      last.put(line.attempt(), line.number());
      each.accept(line);
    }
  }

  private void readFile(Path file, Consumer<Line> each) throws IOException {
    int read = 0;
    try (LastByte in = new LastByte(budget.metered(open(file)));
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        Line line;
        try {
          line = JSON.readValue(text, Line.class);
        } catch (JsonProcessingException e) {
          if (lines.readLine() != null || (in.last == '\n' && !(e instanceof JsonEOFException))) {
            throw new IOException(
                "record "
                    + (read + 1)
                    + " of "
                    + file
                    + " cannot be parsed: "
                    + e.getOriginalMessage(),
                e);
          }
          LOG.warn("{} ends within a record, after {} records", file, read);
          return;
        }
        each.accept(line);
        read++;
      }
    }
  }

  private InputStream open(Path file) throws IOException {
    InputStream in = fs.open(file);
    if (!file.getName().startsWith(COMPACTED)) {
      return in;
    }
    try {
      return new GZIPInputStream(in, BUFFER_BYTES);
    } catch (IOException e) {
      in.close();
      throw e;
    }
  }

  /** Remembers the last byte read: a line with its end is not a torn one. */
  private static final class LastByte extends FilterInputStream {

    private int last = -1;

    LastByte(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int next = in.read();
      last = next < 0 ? last : next;
      return next;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int read = in.read(bytes, offset, length);
      last = read > 0 ? bytes[offset + read - 1] : last;
      return read;
    }
  }

  private void close(Path file, IOException problem) {
    if (fs instanceof LeaseRecoverable open) {
      try {
        LOG.info("Closing {}: {}", file, open.recoverLease(file));
      } catch (IOException e) {
        problem.addSuppressed(e);
      }
    }
  }
}
