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
 * Reads a file while another thread writes it sequentially. A read at the current end waits for
 * more bytes. One thread at a time.
 */
final class GrowingFile implements Closeable {

  /** Less than the time of one chunk on a fast link. */
  private static final long LOOK_MILLIS = 5;

  private final List<Path> names;
  private final long length;
  private final Future<Boolean> filled;
  private @Nullable FileChannel channel;
  private long position;

  /**
   * Opens a file that may not exist yet.
   *
   * @param names its possible names, in the order of their use
   * @param length its final length in bytes
   * @param filled completes at the end of the writing, with whether the file is complete
   */
  GrowingFile(List<Path> names, long length, Future<Boolean> filled) {
    this.names = List.copyOf(names);
    this.length = length;
    this.filled = filled;
  }

  /**
   * Reads available bytes, waiting for at least one.
   *
   * @return the number of bytes; 0 after the wait, -1 at the end of a complete file
   * @throws IOException when the writer has given up
   */
  int read(byte[] buffer, long patienceMillis) throws IOException {
    for (long waited = 0; waited <= patienceMillis; waited += LOOK_MILLIS) {
      // Checked before the read, so that all bytes written until then are read.
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
        throw new IOException("the writer stopped after " + position + " of " + length + " bytes");
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
        // The file does not exist under this name yet, or any more.
      }
    }
    return open == null ? 0 : open.read(ByteBuffer.wrap(buffer), position);
  }

  /** Returns whether the file is complete; null when that is unknown after the wait. */
  private @Nullable Boolean outcome(long millis) throws IOException {
    try {
      return filled.get(Math.max(1, millis), TimeUnit.MILLISECONDS);
    } catch (TimeoutException e) {
      return null;
    } catch (ExecutionException e) {
      throw new IOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("interrupted");
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
