package dev.weir.workflow.journal;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import dev.weir.workflow.scheduler.DispatchRecord;
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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What happened, one JSON record a line, in files that a second attempt of the ApplicationMaster
 * reads. A thread of its own writes, so no event waits for HDFS: what a crash keeps from the
 * journal is done once more, which costs time and harms nothing. Records that cannot be written now
 * are kept and written before any that come later, so no record lacks one that it builds on.
 */
public final class Journal implements AutoCloseable {

  private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final ObjectWriter LINES = JSON.writerFor(Line.class);
  private static final long CLOSE_MILLIS = 5_000;

  /** How soon what could not be written is tried again when nobody asks for it. */
  private static final long AGAIN_MILLIS = 1_000;

  /**
   * A run with more records than this may be one of many short tasks: its flushes are far apart.
   */
  private static final int FEW_LINES = 200;

  private static final int BATCH = 100;

  /** Between two flushes for which nobody waits. */
  public static final long PAUSE_MILLIS = 50;

  /** Tells the writer to stop. */
  private static final Entry END = new Entry(List.of(), null, null);

  private final FileSystem fs;
  private final Path directory;
  private final int attempt;
  private final long pauseMillis;
  private final Guard guard;
  private final BlockingQueue<Entry> queue = new LinkedBlockingQueue<>();
  private final CountDownLatch finishing = new CountDownLatch(1);
  private final Thread writer = new Thread(this::writeLoop, "journal");
  private final AtomicLong bytes = new AtomicLong();
  private final CompletableFuture<Throwable> broken = new CompletableFuture<>();

  // The writer's own:
  private @Nullable FSDataOutputStream out;
  private final List<byte[]> unwritten = new ArrayList<>();
  private int files;
  private long lines;
  private long lastRecord;

  /** Says whether the journal may be gone on with when a file of it is over. */
  public interface Guard {

    /** Throws an exception when it may not, or this cannot be found out now. */
    void check() throws IOException;
  }

  /**
   * Records to be written, or somebody who wants to know when those before are, or wants those
   * after in another file.
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
   * Where a journal goes on in another file, so that those before may be put together.
   *
   * @param attempt of the ApplicationMaster
   * @param last number of the last record before it; that of the next one is greater by two at
   *     least
   * @param next name of the file of what comes after; those before have lesser names
   * @param bytes how much was appended before it, as {@link Journal#bytes} says
   */
  public record Cut(int attempt, long last, String next, long bytes) {}

  /**
   * A record with its place in the order of all that an ApplicationMaster wrote: a record that is
   * written again, because nobody knows whether the first write counted, is seen as the same.
   *
   * @param endsBefore so many jobs at least had ended before; 0 when nobody has counted them, for
   *     all their records are there
   */
  public record Line(
      int attempt,
      long number,
      DispatchRecord record,
      @JsonInclude(JsonInclude.Include.NON_DEFAULT) long endsBefore) {

    public Line(int attempt, long number, DispatchRecord record) {
      this(attempt, number, record, 0);
    }

    /** What comes after the last line of an ApplicationMaster. */
    static Line end(int attempt, long number, long ends) {
      return new Line(attempt, number, new DispatchRecord.FilesLost(List.of()), ends);
    }
  }

  /**
   * A journal.
   *
   * @param directory must exist; it is not made again when somebody has removed it
   * @param attempt of the ApplicationMaster
   */
  public Journal(FileSystem fs, Path directory, int attempt) {
    this(fs, directory, attempt, PAUSE_MILLIS);
  }

  /** A journal that not everybody may go on with. */
  Journal(FileSystem fs, Path directory, int attempt, Guard guard) {
    this(fs, directory, attempt, PAUSE_MILLIS, guard);
  }

  /**
   * A journal whose flushes may be less far apart, for somebody waits for each.
   *
   * @param pauseMillis between two flushes when there are many
   */
  public Journal(FileSystem fs, Path directory, int attempt, long pauseMillis) {
    this(fs, directory, attempt, pauseMillis, () -> {});
  }

  /** The same, that not everybody may go on with. */
  public Journal(FileSystem fs, Path directory, int attempt, long pauseMillis, Guard guard) {
    this.fs = fs;
    this.directory = directory;
    this.attempt = attempt;
    this.pauseMillis = pauseMillis;
    this.guard = guard;
    writer.setDaemon(true);
  }

  /**
   * Reads what earlier attempts of this ApplicationMaster wrote: all of it, or nothing. What one of
   * them was writing when it ended may be a record without its end, which is left out.
   *
   * @throws IOException when files cannot be listed or read, as {@link JournalReader#read} says
   */
  public static List<DispatchRecord> read(FileSystem fs, Path directory) throws IOException {
    List<DispatchRecord> records = new ArrayList<>();
    new JournalReader(fs, directory).read(line -> records.add(line.record()));
    return records;
  }

  /** Whether another try may read what one could not. */
  public static boolean mayBeReadable(IOException problem) {
    return ErrorMessages.chain(problem)
        .noneMatch(
            cause ->
                cause instanceof FileNotFoundException
                    || cause instanceof AccessControlException
                    || cause instanceof JsonProcessingException);
  }

  /** Says who is to hear why nothing more is ever written, if that comes to be. */
  public void whenBroken(Consumer<Throwable> hears) {
    var unused = broken.thenAccept(hears);
  }

  public void start() {
    writer.start();
  }

  /** Never blocks. */
  public void append(List<? extends DispatchRecord> records) {
    if (!records.isEmpty()) {
      queue.add(new Entry(List.copyOf(records), null, null));
    }
  }

  /**
   * Completes when what was appended so far is in HDFS, or exceptionally when it cannot be written
   * now; then it is tried again. Never blocks; after {@link #finish} it may never complete.
   */
  public CompletableFuture<Void> written() {
    CompletableFuture<Void> written = new CompletableFuture<>();
    queue.add(new Entry(List.of(), written, null));
    return written;
  }

  /**
   * Goes on in another file. Never blocks.
   *
   * @return completes when what was appended so far is in the files before, and exceptionally when
   *     it cannot be written now
   */
  public CompletableFuture<Cut> cut() {
    CompletableFuture<Cut> cut = new CompletableFuture<>();
    queue.add(new Entry(List.of(), null, cut));
    return cut;
  }

  /** How much was appended, in bytes; what waits to be written counts a little later. */
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
        if (lines > FEW_LINES && queue.size() < BATCH) {
          // What comes in this time goes in one flush; a crash would cost that much more.
          boolean unused = finishing.await(pauseMillis, TimeUnit.MILLISECONDS);
        }
      }
      if (!unwritten.isEmpty()) {
        write(List.of());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (RuntimeException | Error e) {
      // First, for there may be no memory to write that down.
      broken.complete(e);
      LOG.error("The journal is written no more", e);
    } finally {
      IOUtils.cleanupWithLogger(LOG, out);
    }
  }

  /** The next in line; nothing at all when it is time to try again. */
  private Entry next() throws InterruptedException {
    if (unwritten.isEmpty()) {
      return queue.take();
    }
    Entry next = queue.poll(AGAIN_MILLIS, TimeUnit.MILLISECONDS);
    return next == null ? new Entry(List.of(), new CompletableFuture<>(), null) : next;
  }

  /** Takes what waits in line, so that one flush does for all; says who waits for that. */
  private List<CompletableFuture<Void>> waiting(Entry first) {
    List<CompletableFuture<Void>> waiting = new ArrayList<>();
    Entry next = first;
    while (next != null && !next.isEnd()) {
      next.records().forEach(this::keep);
      if (next.written() != null) {
        waiting.add(next.written());
      }
      Entry after = queue.peek();
      next = after == null || after.isEnd() || after.cut() != null ? null : queue.poll();
    }
    return waiting;
  }

  private void keep(DispatchRecord record) {
    lines++;
    try {
      byte[] line = LINES.writeValueAsBytes(new Line(attempt, lines, record));
      unwritten.add(line);
      lastRecord = lines;
      bytes.addAndGet(line.length + 1L);
    } catch (JsonProcessingException e) {
      // A mistake of ours, which no second try would mend.
      LOG.error("Record {} cannot be put into the journal: {}", lines, record, e);
    }
  }

  private void write(List<CompletableFuture<Void>> waiting) {
    try {
      try {
        writeOnce();
      } catch (IOException e) {
        LOG.warn("Cannot write the journal; a new file is begun: {}", e.toString());
        closeFile();
        writeOnce();
      }
      unwritten.clear();
      waiting.forEach(someone -> someone.complete(null));
    } catch (IOException | RuntimeException e) {
      LOG.warn("{} records wait to be written to the journal: {}", unwritten.size(), e.toString());
      closeFile();
      waiting.forEach(someone -> someone.completeExceptionally(e));
    }
  }

  private void cut(CompletableFuture<Cut> asked) {
    if (!unwritten.isEmpty()) {
      write(List.of());
    }
    if (!unwritten.isEmpty()) {
      asked.completeExceptionally(new IOException("the journal cannot be written now"));
      return;
    }
    closeFile();
    // The number in between is for the mark of the end of what is put together.
    lines++;
    asked.complete(new Cut(attempt, lastRecord, fileName(files + 1), bytes.get()));
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
      // Somebody may have closed the last file, to read it and go on by itself.
      guard.check();
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

  /** What the names of an ApplicationMaster's files begin with. */
  static String prefix(int attempt) {
    return String.format(Locale.ROOT, "%s%04d-", Staging.JOURNAL, attempt);
  }

  /** Writes what is in line, within a bounded time; what comes later is ignored. Idempotent. */
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
