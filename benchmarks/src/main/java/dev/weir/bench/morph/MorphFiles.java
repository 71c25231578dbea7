package dev.weir.bench.morph;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.LongConsumer;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** The files of a run. Thread-safe; writes to one file wait for each other. */
final class MorphFiles {
  private static final int BUFFER_BYTES = 128 << 10;

  private final FileSystem fs;
  private final Path directory;
  private final Layout layout;
  private final List<ReentrantLock> locks = new ArrayList<>();
  private final byte[] contents = new byte[BUFFER_BYTES];

  /**
   * How files are written.
   *
   * @param bytes of a new file
   * @param blockBytes the most bytes of a block
   * @param replicas of each file
   */
  record Layout(long bytes, long blockBytes, List<Integer> replicas) {
    Layout {
      replicas = List.copyOf(replicas);
    }
  }

  MorphFiles(FileSystem fs, Path directory, Layout layout) {
    this.fs = fs;
    this.directory = directory;
    this.layout = layout;
    layout.replicas().forEach(file -> locks.add(new ReentrantLock()));
    new Random(1).nextBytes(contents);
  }

  private Path path(int file) {
    return new Path(directory, "file-" + file);
  }

  /** Returns the length of a new file. */
  long bytes() {
    return layout.bytes();
  }

  /** Writes a new file in place of an existing one. */
  void write(int file, LongConsumer progress) throws IOException {
    locks.get(file).lock();
    try (FSDataOutputStream out =
        fs.create(
            path(file),
            true,
            BUFFER_BYTES,
            layout.replicas().get(file).shortValue(),
            layout.blockBytes())) {
      fill(out, layout.bytes(), progress);
    } finally {
      locks.get(file).unlock();
    }
  }

  /** Appends to a file. */
  void append(int file, long bytes, LongConsumer progress) throws IOException {
    locks.get(file).lock();
    try (FSDataOutputStream out = fs.append(path(file))) {
      fill(out, bytes, progress);
    } finally {
      locks.get(file).unlock();
    }
  }

  private void fill(FSDataOutputStream out, long bytes, LongConsumer progress) throws IOException {
    for (long left = bytes; left > 0; left -= BUFFER_BYTES) {
      int part = (int) Math.min(left, BUFFER_BYTES);
      out.write(contents, 0, part);
      progress.accept(part);
    }
  }

  /** Reads a file to its end, or until it is told to stop. */
  void read(int file, LongConsumer progress, BooleanSupplier stop) throws IOException {
    byte[] buffer = new byte[BUFFER_BYTES];
    try (FSDataInputStream in = fs.open(path(file))) {
      for (int read = in.read(buffer); read >= 0 && !stop.getAsBoolean(); read = in.read(buffer)) {
        progress.accept(read);
      }
    }
  }

  /** Opens a file and reads nothing, which the NameNode counts as a read. */
  void open(int file) throws IOException {
    fs.open(path(file)).close();
  }

  /** Returns the stored bytes divided by those of one replica of each file. */
  double capacity() throws IOException {
    double stored = 0;
    double data = 0;
    for (FileStatus file : fs.listStatus(directory)) {
      stored += (double) file.getLen() * file.getReplication();
      data += file.getLen();
    }
    return stored / data;
  }
}
