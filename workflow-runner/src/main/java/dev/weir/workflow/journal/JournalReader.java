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
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What earlier ApplicationMasters have put into their journals, read line by line: those of a pool
 * may hold more than fits into memory. Not thread-safe.
 */
public final class JournalReader {

  private static final Logger LOG = LoggerFactory.getLogger(JournalReader.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectWriter LINES = JSON.writerFor(Line.class);

  /** What the names of files begin with that were put together of others. */
  private static final String PUT_TOGETHER = Staging.JOURNAL + "0000-";

  /** The last that was put together says what those before it still count for. */
  private static final Comparator<Path> IN_ORDER =
      Comparator.comparing((Path file) -> !file.getName().startsWith(PUT_TOGETHER))
          .thenComparing(
              (one, other) ->
                  one.getName().startsWith(PUT_TOGETHER)
                      ? other.getName().compareTo(one.getName())
                      : one.getName().compareTo(other.getName()));

  private final FileSystem fs;
  private final Path directory;
  private final ReadBudget allowance;

  /** Of each ApplicationMaster the number of the last line that was read. */
  private final NavigableMap<Integer, Long> last = new TreeMap<>();

  public JournalReader(FileSystem fs, Path directory) {
    this(fs, directory, ReadBudget.unbounded());
  }

  /** The same, of which not everything may be read. */
  public JournalReader(FileSystem fs, Path directory, ReadBudget allowance) {
    this.fs = fs;
    this.directory = directory;
    this.allowance = allowance;
  }

  /**
   * Reads all lines. What an ApplicationMaster was writing when it ended may be a record without
   * its end, which is left out. After a failure it may be called again and goes on where it was.
   *
   * @throws IOException when files cannot be listed or read, or have a record that cannot be parsed
   *     before their end; HDFS is then asked to close them, for what nobody has closed cannot be
   *     read after its DataNodes have been started again
   */
  public void read(Consumer<Line> each) throws IOException {
    read(files(), each);
  }

  private void read(List<Path> files, Consumer<Line> each) throws IOException {
    for (Path file : files) {
      try {
        readFile(file, line -> once(line, each));
      } catch (FileNotFoundException e) {
        throw gone(file, e);
      } catch (ReadBudget.SpentException e) {
        throw e;
      } catch (IOException e) {
        IOException problem =
            new IOException(
                "cannot read the journal "
                    + file
                    + ", without which what is done would be done again: "
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

  /** An ApplicationMaster that is about to end may still be putting files together: try again. */
  private static IOException gone(Path file, FileNotFoundException e) {
    IOException problem = new IOException(file + " is gone, and was there a moment ago");
    problem.addSuppressed(e);
    return problem;
  }

  /**
   * Reads what somebody else has written, or is writing, as far as it can be read.
   *
   * @return whether each file could be read to its end; a record without its end is no matter
   * @throws IOException when the files cannot be listed, or more is there than may be read
   */
  public boolean readWhatCanBe(Consumer<Line> each) throws IOException {
    boolean all = true;
    for (Path file : files()) {
      try {
        readFile(file, line -> once(line, each));
      } catch (ReadBudget.SpentException e) {
        throw e;
      } catch (IOException e) {
        all = false;
        LOG.warn("{} cannot be read to its end", file, e);
      }
    }
    return all;
  }

  /**
   * Puts what is worth keeping into one file and removes the others. The new file is there as a
   * whole or not at all. It is read before the others, also before one that was made so earlier,
   * and goes beyond the last number of each ApplicationMaster, so that those of them that a crash
   * leaves behind say nothing more.
   *
   * @param attempt of the ApplicationMaster that does it and has written nothing so far
   * @param keep for each line that was read what is kept of it
   * @param ends the number of the last job that has ended
   * @throws IOException when that cannot be done; then the others are still there
   */
  public void replace(int attempt, Function<Line, Optional<Line>> keep, long ends)
      throws IOException {
    removeUnfinished();
    List<Path> old = files();
    if (!old.isEmpty()) {
      long unused = replace(old, putTogether(attempt, 0), keep, ends);
    }
  }

  /**
   * Does the same with what an ApplicationMaster has written up to a cut, while it goes on after
   * that; not when another one goes on already.
   *
   * @param cut of its journal; what earlier ones wrote was read before
   * @param number another one each time, greater than those before
   * @param keep what is kept, as things were at the cut
   * @param ends the number of the last job that had ended then
   * @return how long the new file is, in bytes
   * @throws IOException when that cannot be done; then nothing is lost
   */
  public long replace(Journal.Cut cut, int number, Function<Line, Optional<Line>> keep, long ends)
      throws IOException {
    String fresh = putTogether(cut.attempt(), number);
    List<Path> old = new ArrayList<>();
    for (Path file : files()) {
      String name = file.getName();
      if (name.compareTo(name.startsWith(PUT_TOGETHER) ? fresh : cut.next()) < 0) {
        old.add(file);
      } else if (!name.startsWith(Journal.prefix(cut.attempt()))) {
        throw new IOException("another ApplicationMaster has gone on: " + file);
      }
    }
    last.put(cut.attempt(), cut.last());
    return replace(old, fresh, keep, ends);
  }

  /** What an ApplicationMaster that has died was putting together. */
  private void removeUnfinished() throws IOException {
    for (FileStatus file :
        fs.listStatus(directory, path -> path.getName().startsWith("." + PUT_TOGETHER))) {
      LOG.info("{} was not finished by an earlier ApplicationMaster", file.getPath());
      fs.delete(file.getPath(), false);
    }
  }

  /** How long all files are together, in bytes. */
  public long bytes() throws IOException {
    long sum = 0;
    for (Path file : files()) {
      sum += fs.getFileStatus(file).getLen();
    }
    return sum;
  }

  private static String putTogether(int attempt, int number) {
    return String.format(Locale.ROOT, "%s%06d-%06d.jsonl", PUT_TOGETHER, attempt, number);
  }

  private long replace(List<Path> old, String name, Function<Line, Optional<Line>> keep, long ends)
      throws IOException {
    Path temporary = new Path(directory, "." + name + ".tmp");
    try {
      write(temporary, old, keep, ends);
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
      } catch (IOException again) {
        e.addSuppressed(again);
      }
      throw e;
    }
  }

  private void write(Path temporary, List<Path> old, Function<Line, Optional<Line>> keep, long ends)
      throws IOException {
    try (OutputStream out = fs.createFile(temporary).overwrite(true).build()) {
      JournalReader again = new JournalReader(fs, directory);
      again.read(
          old,
          line -> {
            if (line.number() <= last.getOrDefault(line.attempt(), 0L)) {
              keep.apply(line).ifPresent(kept -> write(out, kept));
            }
          });
      requireAllOf(again);
      last.forEach(
          (master, number) ->
              write(out, Line.end(master, number + 1, master.equals(last.lastKey()) ? ends : 0)));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  /** What is not read to its last record is not to be replaced. */
  private void requireAllOf(JournalReader again) throws IOException {
    for (Map.Entry<Integer, Long> end : last.entrySet()) {
      if (again.last.getOrDefault(end.getKey(), 0L) < end.getValue()) {
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
      out.write(LINES.writeValueAsBytes(line));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private List<Path> files() throws IOException {
    FileStatus[] files =
        fs.listStatus(directory, file -> file.getName().startsWith(Staging.JOURNAL));
    return Arrays.stream(files).map(FileStatus::getPath).sorted(IN_ORDER).toList();
  }

  /** Passes on what was not read before: a record may have been written once more. */
  private void once(Line line, Consumer<Line> each) {
    if (line.number() > last.getOrDefault(line.attempt(), 0L)) {
      last.put(line.attempt(), line.number());
      each.accept(line);
    }
  }

  private void readFile(Path file, Consumer<Line> each) throws IOException {
    int read = 0;
    try (LastByte in = new LastByte(allowance.metered(fs.open(file)));
        BufferedReader lines = new BufferedReader(new InputStreamReader(in, UTF_8))) {
      for (String text = lines.readLine(); text != null; text = lines.readLine()) {
        Line line;
        try {
          line = JSON.readValue(text, Line.class);
        } catch (JsonProcessingException e) {
          if (lines.readLine() != null || (in.last == '\n' && !(e instanceof JsonEOFException))) {
            throw new IOException(
                "record " + (read + 1) + " of " + file + " is none: " + e.getOriginalMessage(), e);
          }
          LOG.warn("{} ends within a record, after {} records", file, read);
          return;
        }
        each.accept(line);
        read++;
      }
    }
  }

  /** Knows what was read last: a line whose end was written is no torn one. */
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
        LOG.info("{} is closed: {}", file, open.recoverLease(file));
      } catch (IOException e) {
        problem.addSuppressed(e);
      }
    }
  }
}
