package dev.weir.workflow.worker;

import dev.weir.workflow.staging.KeptLog;
import dev.weir.workflow.staging.OutputFile;
import java.io.IOException;
import java.io.OutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.function.Consumer;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends what a worker's commands printed to the worker's file in the directory of one run. The
 * first of several write failures in a row is logged as a warning. Thread-safe.
 */
final class OutputAppender {

  private static final Logger LOG = LoggerFactory.getLogger(OutputAppender.class);

  /** A workflow in which every task fails must not fill the file system. */
  static final int MAX_FAILURES = 200;

  /** How much the worker keeps of successful attempts. */
  static final long MAX_BYTES = 16 << 20;

  private final Future<? extends FileSystem> opened;
  private final Path directory;
  private final String worker;

  /** Guards the file; held while it is written. */
  private final Object writing = new Object();

  private List<byte[]> pending = new ArrayList<>();
  private long bytes;
  private int failures;
  private boolean scheduled;
  private int number = 1;
  private boolean exists;
  private boolean failing;

  /**
   * Creates an appender whose file does not exist.
   *
   * @param opened completes when the file system is open
   * @param directory of the run; a removed one is not created again
   */
  OutputAppender(Future<? extends FileSystem> opened, Path directory, String worker) {
    this.opened = opened;
    this.directory = directory;
    this.worker = worker;
  }

  /** Counts a failed attempt, and returns whether its output is kept. */
  synchronized boolean admitsFailure() {
    failures++;
    return failures <= MAX_FAILURES;
  }

  /** Returns whether the output of another successful attempt is kept. */
  synchronized boolean admitsSuccess() {
    return bytes < MAX_BYTES;
  }

  /** Adds a log, to be written by the next flush. */
  synchronized void add(KeptLog log, byte[] text) {
    byte[] entry = OutputFile.entry(log, text);
    pending.add(entry);
    bytes += entry.length;
  }

  /** Schedules a flush, unless one is scheduled. */
  void flushLater(Consumer<Runnable> later) {
    synchronized (this) {
      if (scheduled) {
        return;
      }
      scheduled = true;
    }
    later.accept(this::flush);
  }

  /** Writes what was added. Blocks. */
  void flush() {
    synchronized (writing) {
      List<byte[]> entries;
      synchronized (this) {
        scheduled = false;
        entries = pending;
        pending = new ArrayList<>();
      }
      if (!entries.isEmpty()) {
        write(entries);
      }
    }
  }

  private void write(List<byte[]> entries) {
    Path file = new Path(directory, OutputFile.name(worker, number));
    try {
      FileSystem fs = opened.get();
      // Not recursive: a removed directory is not created again.
      try (OutputStream out = exists ? fs.append(file) : fs.createFile(file).build()) {
        exists = true;
        for (byte[] entry : entries) {
          out.write(entry);
        }
      }
      failing = false;
    } catch (IOException | ExecutionException e) {
      // The file may end within an entry now.
      number++;
      exists = false;
      if (failing) {
        LOG.debug("Cannot keep the output of commands in {} either", file, e);
      } else {
        LOG.warn("Cannot keep the output of commands in {}", file, e);
      }
      failing = true;
    } catch (InterruptedException e) {
      // The worker is shutting down.
      Thread.currentThread().interrupt();
    }
  }
}
