package dev.weir.workflow.am;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.run.Staging;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happened, one JSON record a line, in files that a second attempt of the ApplicationMaster
 * reads. A thread of its own writes, so no event waits for HDFS: what a crash keeps from the
 * journal is done once more, which costs time and harms nothing.
 */
final class Journal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectWriter LINES = JSON.writerFor(Line.class);
  private static final long CLOSE_MILLIS = 5_000;

  /**
   * A run with more records than this may be one of many short tasks: its flushes are far apart.
   */
  private static final int FEW_LINES = 200;

  private static final int BATCH = 100;
  private static final long PAUSE_MILLIS = 50;

  /** Tells the writer to stop. */
  private static final Entry END = new Entry(List.of(), null);

  private final FileSystem fs;
  private final Path directory;
  private final int attempt;
  private final long pauseMillis;
  private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
  private final Thread writer = new Thread(this::writeLoop, "journal");

  // The writer's own:
  private @Nullable FSDataOutputStream out;
  private int files;
  private long lines;

  /** Records to be written, or somebody who wants to know when those before are. */
  private record Entry(List<DispatchRecord> records, @Nullable CompletableFuture<Void> written) {

    boolean isEnd() {
      return records.isEmpty() && written == null;
    }
  }

  /**
   * A record with its place in the order of all that an ApplicationMaster wrote: a record that is
   * written again, because nobody knows whether the first write counted, is seen as the same.
   */
  record Line(int attempt, long number, DispatchRecord record) {}

  /**
   * A journal.
   *
   * @param directory must exist; it is not made again when somebody has removed it
   * @param attempt of the ApplicationMaster
   */
  Journal(FileSystem fs, Path directory, int attempt) {
    this(fs, directory, attempt, PAUSE_MILLIS);
  }

  /**
   * A journal whose flushes may be less far apart, for somebody waits for each.
   *
   * @param pauseMillis between two flushes when there are many
   */
  Journal(FileSystem fs, Path directory, int attempt, long pauseMillis) {
    this.fs = fs;
    this.directory = directory;
    this.attempt = attempt;
    this.pauseMillis = pauseMillis;
    writer.setDaemon(true);
  }

  /**
   * Reads what earlier attempts wrote, as far as it can be read.
   *
   * @throws IOException when the files cannot be listed
   */
  static List<DispatchRecord> read(FileSystem fs, Path directory) throws IOException {
    FileStatus[] files =
        fs.listStatus(directory, file -> file.getName().startsWith(Staging.JOURNAL));
    Arrays.sort(files, Comparator.comparing(file -> file.getPath().getName()));
    Map<Integer, Long> last = new HashMap<>();
    List<DispatchRecord> records = new ArrayList<>();
    for (FileStatus file : files) {
      for (Line line : readFile(fs, file.getPath())) {
        if (line.number() > last.getOrDefault(line.attempt(), 0L)) {
          last.put(line.attempt(), line.number());
          records.add(line.record());
        }
      }
    }
    return records;
  }

  private static List<Line> readFile(FileSystem fs, Path file) {
    List<Line> read = new ArrayList<>();
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(fs.open(file), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        read.add(JSON.readValue(line, Line.class));
      }
    } catch (JsonProcessingException e) {
      LOG.warn("{} ends within a record, after {} records", file, read.size());
    } catch (IOException e) {
      LOG.warn("{} cannot be read beyond its first {} records", file, read.size(), e);
    }
    return read;
  }

  void start() {
    writer.start();
  }

  /** Never blocks. */
  void append(List<DispatchRecord> records) {
    if (!records.isEmpty()) {
      queue.add(new Entry(List.copyOf(records), null));
    }
  }

  /**
   * Completes when what was appended so far is in HDFS, or exceptionally when it cannot be written.
   * Never blocks; after {@link #finish} it may never complete.
   */
  CompletableFuture<Void> written() {
    CompletableFuture<Void> written = new CompletableFuture<>();
    queue.add(new Entry(List.of(), written));
    return written;
  }

  private void writeLoop() {
    try {
      for (Entry next = queue.take(); !next.isEnd(); next = queue.take()) {
        write(batch(next));
        if (lines > FEW_LINES && queue.size() < BATCH) {
          // What comes in this time goes in one flush; a crash would cost that much more.
          TimeUnit.MILLISECONDS.sleep(pauseMillis);
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } finally {
      IOUtils.cleanupWithLogger(LOG, out);
    }
  }

  /** Lines for one flush, and who waits for it. */
  private record Batch(List<Line> lines, List<CompletableFuture<Void>> waiting) {}

  /** What waits in line, so that one flush does for all. */
  private Batch batch(Entry first) {
    Batch batch = new Batch(new ArrayList<>(), new ArrayList<>());
    Entry next = first;
    while (next != null && !next.isEnd()) {
      for (DispatchRecord record : next.records()) {
        lines++;
        batch.lines().add(new Line(attempt, lines, record));
      }
      if (next.written() != null) {
        batch.waiting().add(next.written());
      }
      Entry waiting = queue.peek();
      next = waiting == null || waiting.isEnd() ? null : queue.poll();
    }
    return batch;
  }

  private void write(Batch batch) {
    try {
      try {
        writeOnce(batch.lines());
      } catch (IOException e) {
        LOG.warn("Cannot write the journal; a new file is begun", e);
        closeFile();
        writeOnce(batch.lines());
      }
      batch.waiting().forEach(waiting -> waiting.complete(null));
    } catch (IOException e) {
      LOG.warn("{} records are not in the journal", batch.lines().size(), e);
      closeFile();
      batch.waiting().forEach(waiting -> waiting.completeExceptionally(e));
    }
  }

  private void closeFile() {
    IOUtils.cleanupWithLogger(LOG, out);
    out = null;
  }

  private void writeOnce(List<Line> lines) throws IOException {
    if (lines.isEmpty()) {
      return;
    }
    FSDataOutputStream stream = out == null ? open() : out;
    for (Line line : lines) {
      stream.write(LINES.writeValueAsBytes(line));
      stream.write('\n');
    }
    stream.hflush();
  }

  private FSDataOutputStream open() throws IOException {
    files++;
    Path file =
        new Path(directory, String.format("%s%04d-%06d.jsonl", Staging.JOURNAL, attempt, files));
    FSDataOutputStream stream = fs.createFile(file).overwrite(true).build();
    out = stream;
    return stream;
  }

  /** Writes what is in line, within a bounded time; what comes later is ignored. Idempotent. */
  void finish() {
    queue.add(END);
    try {
      writer.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    writer.interrupt();
  }

  @Override
  public void close() {
    finish();
  }
}
