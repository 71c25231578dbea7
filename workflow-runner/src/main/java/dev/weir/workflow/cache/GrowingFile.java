package dev.weir.workflow.cache;

import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/**
 * A file that another thread writes, from its beginning to its end, while it is read. Who reads at
 * the end of what there is waits for more. One thread at a time.
 */
final class GrowingFile implements Closeable {

  /** Less than a piece takes on a fast link. */
  private static final long LOOK_MILLIS = 5;

  private final List<Path> names;
  private final long length;
  private final Future<Boolean> filled;
  private @Nullable FileChannel channel;
  private long position;

  /**
   * A file that may not exist yet.
   *
   * @param names the names that it may have, those first that it has first
   * @param length how long it will be, in bytes
   * @param filled completes when nothing more will be written: with whether all is there
   */
  GrowingFile(List<Path> names, long length, Future<Boolean> filled) {
    this.names = List.copyOf(names);
    this.length = length;
    this.filled = filled;
  }

  /**
   * Reads what there is, waiting for something.
   *
   * @param buffer where to
   * @param patienceMillis how long to wait
   * @return how much it was; 0 when nothing came in that time, -1 at the end of a file that is
   *     whole
   * @throws IOException when the writer has given up
   */
  int read(byte[] buffer, long patienceMillis) throws IOException {
    for (long waited = 0; waited <= patienceMillis; waited += LOOK_MILLIS) {
      // Asked before: what is written up to then is read.
      boolean over = position >= length || filled.isDone();
      int read = readNow(buffer);
      if (read > 0) {
        position += read;
        return read;
      }
      Boolean whole = outcome(over ? patienceMillis - waited : LOOK_MILLIS);
      if (over && whole == null) {
        return 0;
      }
      if (over && position == length && Boolean.TRUE.equals(whole)) {
        return -1;
      }
      if (over) {
        throw new IOException("no more comes after " + position + " of " + length + " bytes");
      }
    }
    return 0;
  }

  private int readNow(byte[] buffer) throws IOException {
    FileChannel open = channel;
    for (int i = 0; i < names.size() && open == null; i++) {
      try {
        open = FileChannel.open(names.get(i), StandardOpenOption.READ);
        channel = open;
      } catch (NoSuchFileException e) {
        // Not yet, or not any more.
      }
    }
    return open == null ? 0 : open.read(ByteBuffer.wrap(buffer), position);
  }

  /** What came of it; null when that is not known after the time. */
  private @Nullable Boolean outcome(long millis) throws IOException {
    try {
      return filled.get(Math.max(1, millis), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("told to stop");
    }
  }

  @Override
  public void close() throws IOException {
    FileChannel open = channel;
    if (open != null) {
      open.close();
    }
  }
}
