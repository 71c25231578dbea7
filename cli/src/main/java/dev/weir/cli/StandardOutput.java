package dev.weir.cli;

import java.io.BufferedWriter;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.nio.charset.Charset;

/**
 * The standard output of a command. A {@link PrintWriter} over it knows whether all was written,
 * which one over {@link System#out} does not. When its reader has gone, as {@code head} has after
 * some lines, what comes then is dropped: that is no error.
 */
final class StandardOutput extends FilterOutputStream {
  private static final String READER_GONE = "Broken pipe";

  /** The encoding of the terminal, where that is known apart. */
  private static final String ENCODING = "sun.stdout.encoding";

  private boolean isDropped;

  private StandardOutput(OutputStream out) {
    super(out);
  }

  /** A writer to the standard output of this process, which is flushed at the end of each line. */
  static PrintWriter writer() {
    return writer(new FileOutputStream(FileDescriptor.out));
  }

  /** The same to another stream. */
  static PrintWriter writer(OutputStream out) {
    String encoding = System.getProperty(ENCODING);
    Charset charset = encoding == null ? Charset.defaultCharset() : Charset.forName(encoding);
    return new PrintWriter(
        new BufferedWriter(new OutputStreamWriter(new StandardOutput(out), charset)), true);
  }

  @Override
  public void write(int one) throws IOException {
    write(new byte[] {(byte) one}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int offset, int length) throws IOException {
    if (isDropped) {
      return;
    }
    try {
      out.write(bytes, offset, length);
    } catch (IOException e) {
      if (!READER_GONE.equals(e.getMessage())) {
        throw e;
      }
      isDropped = true;
    }
  }
}
