package dev.weir.workflow.am;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.workflow.dispatch.DispatchRecord;
import dev.weir.workflow.run.Staging;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
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
  private static final long CLOSE_MILLIS = 5_000;

  private final DistributedFileSystem fs;
  private final Staging staging;
  private final int attempt;
  private final BlockingQueue<DispatchRecord> queue = new LinkedBlockingQueue<>();
  private final Thread writer = new Thread(this::writeLoop, "journal");
  private volatile boolean closing;
  private @Nullable FSDataOutputStream out;
  private int files;

  Journal(DistributedFileSystem fs, Staging staging, int attempt) {
    this.fs = fs;
    this.staging = staging;
    this.attempt = attempt;
    writer.setDaemon(true);
  }

  /** Reads what earlier attempts wrote. A line cut short by a crash ends its file. */
  static List<DispatchRecord> read(DistributedFileSystem fs, Staging staging) throws IOException {
    FileStatus[] files = fs.globStatus(new Path(staging.directory(), Staging.JOURNAL_PREFIX + "*"));
    if (files == null) {
      return List.of();
    }
    Arrays.sort(files, Comparator.comparing(file -> file.getPath().getName()));
    List<DispatchRecord> records = new ArrayList<>();
    for (FileStatus file : files) {
      readFile(fs, file.getPath(), records);
    }
    return records;
  }

  private static void readFile(DistributedFileSystem fs, Path file, List<DispatchRecord> records)
      throws IOException {
    try (BufferedReader lines = new BufferedReader(new InputStreamReader(fs.open(file), UTF_8))) {
      for (String line = lines.readLine(); line != null; line = lines.readLine()) {
        records.add(JSON.readValue(line, DispatchRecord.class));
      }
    } catch (JsonProcessingException e) {
      LOG.warn("{} ends within a record, after {} records", file, records.size());
    }
  }

  void start() {
    writer.start();
  }

  /** Never blocks. */
  void append(List<DispatchRecord> records) {
    queue.addAll(records);
  }

  private void writeLoop() {
    List<DispatchRecord> batch = new ArrayList<>();
    try {
      while (!closing || !queue.isEmpty()) {
        batch.clear();
        batch.add(queue.take());
        queue.drainTo(batch);
        write(batch);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void write(List<DispatchRecord> batch) {
    try {
      FSDataOutputStream stream = out == null ? open() : out;
      for (DispatchRecord record : batch) {
        stream.write(JSON.writerFor(DispatchRecord.class).writeValueAsBytes(record));
        stream.write('\n');
      }
      stream.hflush();
    } catch (IOException e) {
      LOG.warn("Cannot write the journal; a new file is begun", e);
      out = null;
    }
  }

  private FSDataOutputStream open() throws IOException {
    files++;
    Path file =
        staging.file(String.format("%s%04d-%06d.jsonl", Staging.JOURNAL_PREFIX, attempt, files));
    FSDataOutputStream stream = fs.create(file, true);
    out = stream;
    return stream;
  }

  /** Stops without waiting for the rest: the run has ended, and its record says more. */
  @Override
  public void close() throws IOException {
    closing = true;
    writer.interrupt();
    try {
      writer.join(CLOSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (out != null && !writer.isAlive()) {
      out.close();
    }
  }
}
