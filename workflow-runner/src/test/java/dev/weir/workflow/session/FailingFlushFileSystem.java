package dev.weir.workflow.session;

import java.io.FilterOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.Syncable;

/** Local files whose first flushes report failures. */
public final class FailingFlushFileSystem extends CreateHookFileSystem {

  private final AtomicInteger failures;
  private volatile boolean writes = true;

  public FailingFlushFileSystem(int failures) {
    this.failures = new AtomicInteger(failures);
  }

  /** Returns how many flushes will still fail. */
  public AtomicInteger failures() {
    return failures;
  }

  /** Sets whether a flush writes its data even if it reports a failure. */
  public void writes(boolean now) {
    writes = now;
  }

  @Override
  public FSDataOutputStream created(Path file, Creation plain) throws IOException {
    return new FSDataOutputStream(new FailingStream(plain.create()), null);
  }

  private final class FailingStream extends FilterOutputStream implements Syncable {

    FailingStream(OutputStream out) {
      super(out);
    }

    @Override
    public void write(int next) throws IOException {
      if (writes) {
        out.write(next);
      }
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      if (writes) {
        out.write(bytes, offset, length);
      }
    }

    @Override
    public void hflush() throws IOException {
      out.flush();
      if (failures.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
        throw new IOException("on purpose");
      }
    }

    @Override
    public void hsync() throws IOException {
      hflush();
    }
  }
}
