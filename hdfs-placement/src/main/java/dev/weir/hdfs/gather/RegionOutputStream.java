package dev.weir.hdfs.gather;

import dev.weir.hdfs.gather.GatherException.Problem;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An attempt to write a region of a gather. It counts only after {@link #finish}; closing it before
 * that removes it. Not thread-safe.
 */
public final class RegionOutputStream extends OutputStream {
  private static final Logger LOG = LoggerFactory.getLogger(RegionOutputStream.class);

  private final Gather gather;
  private final int region;
  private final long limit;
  private final Path attempt;
  private final FSDataOutputStream out;
  private long written;
  private boolean finished;

  RegionOutputStream(Gather gather, int region, long limit, Path attempt, FSDataOutputStream out) {
    this.gather = gather;
    this.region = region;
    this.limit = limit;
    this.attempt = attempt;
    this.out = out;
  }

  @Override
  public void write(int value) throws IOException {
    write(new byte[] {(byte) value}, 0, 1);
  }

  /**
   * Writes bytes of the region.
   *
   * @throws GatherException if they exceed the region, or the gather was removed
   */
  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    if (finished) {
      throw new IOException("the attempt at region " + region + " is finished");
    }
    if (length > limit - written) {
      throw new GatherException(
          Problem.WRONG_SIZE,
          "region "
              + region
              + " of "
              + gather.target()
              + " has "
              + limit
              + " bytes, and more than"
              + " that were written; write the rest into region "
              + (region + 1));
    }
    try {
      out.write(bytes, from, length);
    } catch (IOException e) {
      throw gather.explain(e);
    }
    written += length;
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }

  /**
   * Makes the attempt the region, unless another attempt already is; then this one is removed.
   *
   * @return whether these bytes count
   * @throws GatherException if the gather was removed
   */
  public boolean finish() throws IOException {
    if (finished) {
      throw new IOException("the attempt at region " + region + " is finished");
    }
    boolean isRegion;
    try {
      out.close();
      isRegion = gather.publish(region, attempt);
    } catch (GatherException e) {
      throw e;
    } catch (IOException e) {
      if (!gather.isComplete()) {
        throw gather.explain(e);
      }
      LOG.debug("Another attempt has completed the region: {}", attempt, e);
      isRegion = false;
    }
    finished = true;
    if (!isRegion) {
      gather.discard(attempt);
    }
    return isRegion;
  }

  /** Removes the attempt unless {@link #finish} has made it the region. */
  @Override
  public void close() throws IOException {
    if (finished) {
      return;
    }
    finished = true;
    try {
      out.close();
    } catch (IOException e) {
      LOG.debug("Cannot close an abandoned attempt: {}", attempt, e);
    }
    gather.discard(attempt);
  }
}
