package dev.weir.workflow.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.weir.workflow.scheduler.api.DispatchRecord;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.text.ErrorMessages;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.InvocationRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes records of what happened, one JSON object a line, to files that the next attempt of the
 * ApplicationMaster reads. A thread of its own writes, so no event waits for HDFS. Work whose
 * record a crash loses is done once more, which costs time and does no harm. Records that cannot be
 * written now are kept and written before all later ones, so no record lacks one that it builds on.
 */
public final class Journal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectWriter LINE_WRITER = JSON.writerFor(Line.class);
  private static final long CLOSE_MILLIS = 5_000;

  /** Pause before records that could not be written are written again without a request. */
  private static final long RETRY_MILLIS = 1_000;

  /**
   * Above this number of records a run may consist of many short tasks, and flushes are further
   * apart.
   */
  private static final int MANY_LINES = 200;

  private static final int BATCH = 100;

  /** Pause between two flushes for which no caller waits. */
  public static final long PAUSE_MILLIS = 50;

  /** Stops the writer. */
  private static final Entry END = new Entry(List.of(), null, null);

  private final FileSystem fs;
  private final Path directory;
  private final int attempt;
  private final long pauseMillis;
  private final InvocationRaisingIOE guard;
  private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
  private final CountDownLatch finishing = new CountDownLatch(1);
  private final Thread writer = new Thread(this::writeLoop, "journal");
  private final AtomicLong bytes = new AtomicLong();
  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();

  // Confined to the writer thread:
  private @Nullable FSDataOutputStream out;
  private final List<byte[]> unwritten = new ArrayList<>();
  private int files;
  private long lines;
  private long lastRecord;

  /**
   * An entry of the queue: records to write, a future that completes once the earlier records are
   * written, or one that requests a new file for the later records.
   */
  private record Entry(
      List<DispatchRecord> records,
      @Nullable CompletableFuture<Void> written,
      @Nullable CompletableFuture<Cut> cut) {

    boolean isEnd() {
      return records.isEmpty() && written == null && cut == null;
    }
  }

  /**
   * The position at which a journal continues in another file, so that the earlier files may be
   * compacted.
   *
   * @param attempt number of the ApplicationMaster
   * @param last number of the last record before the cut; the next record's number is greater by at
   *     least two
   * @param next name of the file after the cut; the names of earlier files sort before it
   */
  public record Cut(int attempt, long last, String next, long bytes) {}

  /**
   * A record with its position among all records of an ApplicationMaster. A record is written again
   * when the result of the first write is unknown; readers recognise the duplicate by its number.
   *
   * @param endsBefore lower bound of the number of jobs that ended before; 0 when it was not
   *     counted because all records of these jobs are present
   */
  public record Line(
      int attempt,
      long number,
      DispatchRecord record,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) long endsBefore) {

    public Line(int attempt, long number, DispatchRecord record) {
      this(attempt, number, record, 0);
    }

    /** Returns the line that follows the last line of an ApplicationMaster. */
    static Line end(int attempt, long number, long endedJobs) {
      return new Line(attempt, number, new DispatchRecord.FilesLost(List.of()), endedJobs);
    }
  }

  /**
   * Creates a journal.
   *
   * @param directory must exist; it is not created again after a removal
   * @param attempt number of the ApplicationMaster
   * @param pauseMillis pause between two flushes when there are many records
   * @param guard fails when no other file may be begun
   */
  public Journal(
      FileSystem fs, Path directory, int attempt, long pauseMillis, InvocationRaisingIOE guard) {
    this.fs = fs;
    this.directory = directory;
    this.attempt = attempt;
    this.pauseMillis = pauseMillis;
    this.guard = guard;
    writer.setDaemon(true);
  }

  /** Returns whether a retry of the read may succeed. */
  public static boolean mayBeReadable(IOException problem) {
    return ErrorMessages.chain(problem)
        .noneMatch(
            cause ->
                cause instanceof FileNotFoundException
                    || cause instanceof AccessControlException
                    || cause instanceof JsonProcessingException);
  }

  /** Registers a listener that receives the cause if the journal permanently stops writing. */
  public void onBroken(Consumer<Throwable> listener) {
    var unused = broken.thenAccept(listener);
  }

  public void start() {
    writer.start();
  }

  /** Appends records. Never blocks. */
  public void append(List<? extends DispatchRecord> records) {
    if (!records.isEmpty()) {
      queue.add(new Entry(List.copyOf(records), null, null));
    }
  }

  /**
   * Returns a future that completes when all records appended so far are in HDFS. It fails when
   * they cannot be written now; the journal then retries. Never blocks; after {@link #finish} the
   * future may never complete.
   */
  public CompletableFuture<Void> written() {
    CompletableFuture<Void> written = new CompletableFuture<>();
    queue.add(new Entry(List.of(), written, null));
    return written;
  }

  /**
   * Continues in another file. Never blocks.
   *
   * @return a future that completes when all records appended so far are in the earlier files, and
   *     fails when they cannot be written now
   */
  public CompletableFuture<Cut> cut() {
    CompletableFuture<Cut> cut = new CompletableFuture<>();
    queue.add(new Entry(List.of(), null, cut));
    return cut;
  }

  /** Returns the number of appended bytes; queued records are counted a little later. */
  public long bytes() {
    return bytes.get();
  }

  private void writeLoop() {
    try {
      for (Entry next = queue.take(); !next.isEnd(); next = next()) {
        if (next.cut() == null) {
          write(waiting(next));
        } else {
          cut(next.cut());
        }
        if (lines > MANY_LINES && queue.size() < BATCH) {
          // Records that arrive in this time share one flush; a crash loses that much more.
          boolean unused = finishing.await(pauseMillis, TimeUnit.MILLISECONDS);
        }
      }
      if (!unwritten.isEmpty()) {
        write(List.of());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // Completed before logging, which may fail for lack of memory.
      broken.complete(e);
      LOG.error("The journal permanently stopped writing", e);
    } finally {
      IOUtils.cleanupWithLogger(LOG, out);
    }
  }

  /** Returns the next entry, or an empty one when it is time to retry. */
  private Entry next() throws InterruptedException {
    if (unwritten.isEmpty()) {
      return queue.take();
    }
    Entry next = queue.poll(RETRY_MILLIS, TimeUnit.MILLISECONDS);
    return next == null ? new Entry(List.of(), new CompletableFuture<>(), null) : next;
  }

  /**
   * Takes the queued entries, so that one flush serves all, and returns the futures that wait for
   * it.
   */
  private List<CompletableFuture<Void>> waiting(Entry first) {
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    Entry next = first;
    while (next != null && !next.isEnd()) {
      next.records().forEach(this::enqueue);
      if (next.written() != null) {
        waiting.add(next.written());
      }
      Entry after = queue.peek();
      next = after == null || after.isEnd() || after.cut() != null ? null : queue.poll();
    }
    return waiting;
  }

  private void enqueue(DispatchRecord record) {
    lines++;
    try {
      byte[] line = LINE_WRITER.writeValueAsBytes(new Line(attempt, lines, record));
      unwritten.add(line);
      lastRecord = lines;
      bytes.addAndGet(line.length + 1L);
    } catch (JsonProcessingException e) {
      // A programming error, which a retry would not fix.
      LOG.error("Cannot serialise record {} for the journal: {}", lines, record, e);
    }
  }

  private void write(List<CompletableFuture<Void>> waiting) {
    try {
      try {
        writeOnce();
      } catch (IOException e) {
        LOG.warn("Cannot write the journal; beginning a new file: {}", e.toString());
        closeFile();
        writeOnce();
      }
      unwritten.clear();
      waiting.forEach(future -> future.complete(null));
    } catch (IOException | RuntimeException e) {
      LOG.warn(
          "Cannot write the journal; {} records are kept for a retry: {}",
          unwritten.size(),
          e.toString());
      closeFile();
      waiting.forEach(future -> future.completeExceptionally(e));
    }
  }

  private void cut(CompletableFuture<Cut> cut) {
    if (!unwritten.isEmpty()) {
      write(List.of());
    }
    if (!unwritten.isEmpty()) {
      cut.completeExceptionally(new IOException("cannot write the journal now"));
      return;
    }
    closeFile();
    // The skipped number is for the end mark of the compacted file.
    lines++;
    cut.complete(new Cut(attempt, lastRecord, fileName(files + 1), bytes.get()));
  }

  private void closeFile() {
    IOUtils.cleanupWithLogger(LOG, out);
    out = null;
  }

  private void writeOnce() throws IOException {
    if (unwritten.isEmpty()) {
      return;
    }
    FSDataOutputStream stream = out == null ? open() : out;
    for (byte[] line : unwritten) {
      stream.write(line);
      stream.write('\n');
    }
    stream.hflush();
  }

  private FSDataOutputStream open() throws IOException {
    if (files > 0) {
      // The next ApplicationMaster may have closed the last file to read it and continue by
      // itself.
      guard.apply();
    }
    files++;
    Path file = new Path(directory, fileName(files));
    FSDataOutputStream stream = fs.createFile(file).overwrite(true).build();
    out = stream;
    return stream;
  }

  private String fileName(int number) {
    return String.format(Locale.ROOT, "%s%06d.jsonl", prefix(attempt), number);
  }

  /** Returns the prefix of the names of an ApplicationMaster's files. */
  static String prefix(int attempt) {
    return String.format(Locale.ROOT, "%s%04d-", Staging.JOURNAL, attempt);
  }

  /** Writes the queued records, within a bounded time; later records are ignored. Idempotent. */
  public void finish() {
    finishing.countDown();
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
