package dev.weir.hints.client.http;

import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Receives the body of an answer in a file, whose content it replaces. Nothing is written after
 * {@link #close}, because the next attempt uses the file then. Thread-safe.
 */
final class AnswerFile implements Closeable {
  private final Path file;
  private @Nullable OutputStream stream;
  private long received;
  private boolean closed;

  AnswerFile(Path file) {
    this.file = file;
  }

  /** The number of bytes received. */
  synchronized long received() {
    return received;
  }

  /** Creates the file, or empties it. */
  synchronized void open() throws IOException {
    requireOpen();
    try {
      stream = Files.newOutputStream(file);
    } catch (IOException e) {
      throw new UnwritableException(file, e);
    }
  }

  synchronized void write(byte[] bytes, int length) throws IOException {
    requireOpen();
    if (stream == null) {
      throw new IllegalStateException(file + " was not opened");
    }
    try {
      stream.write(bytes, 0, length);
    } catch (IOException e) {
      throw new UnwritableException(file, e);
    }
    received += length;
  }

  private void requireOpen() throws IOException {
    if (closed) {
      throw new IOException("the attempt that writes " + file + " has ended");
    }
  }

  /** Stops writing. Idempotent. */
  @Override
  public synchronized void close() throws IOException {
    OutputStream open = stream;
    stream = null;
    closed = true;
    if (open != null) {
      try {
        open.close();
      } catch (IOException e) {
        throw new UnwritableException(file, e);
      }
    }
  }

  /** The local file cannot be written, which is not a failure of the service. */
  static final class UnwritableException extends IOException {
    private static final long serialVersionUID = 1L;

    UnwritableException(Path file, IOException cause) {
      super("cannot write the answer to " + file + ": " + cause, cause);
    }
  }
}
