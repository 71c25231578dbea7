package dev.weir.workflow.staging;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.EnumSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The lock of a run's data directory: an attribute of the directory that names the run. The client
 * takes it and the ApplicationMaster removes it. The lock of a run that has ended does not count.
 * There is no lock where HDFS has no attributes, or where only another user may set them.
 */
public final class DataDirectoryLock {

  static final String ATTRIBUTE = "user.weir.run";

  private static final Logger LOG = LoggerFactory.getLogger(DataDirectoryLock.class);

  private final DistributedFileSystem fs;
  private final Path directory;

  /**
   * The run that has the lock.
   *
   * @param run its id
   * @param application the id of the application that runs it: its own, or its session's
   */
  public record Holder(String run, String application) {

    private static @Nullable Holder parse(byte @Nullable [] value) {
      if (value == null) {
        return null;
      }
      String[] ids = new String(value, UTF_8).split(" ", -1);
      try {
        return new Holder(
            ApplicationId.fromString(ids[0]).toString(),
            ApplicationId.fromString(ids[ids.length - 1]).toString());
      } catch (IllegalArgumentException e) {
        LOG.warn("Ignoring the lock of an unknown run", e);
        return null;
      }
    }

    private byte[] toBytes() {
      return (run + " " + application).getBytes(UTF_8);
    }
  }

  /** Decides whether a run is live. */
  public interface Liveness {

    /**
     * Returns whether a run is live.
     *
     * @throws IOException when it cannot be found out
     */
    boolean isLive(Holder holder) throws IOException;
  }

  /**
   * Creates the lock of a directory; sets nothing.
   *
   * @param directory absolute path, which need not exist
   */
  public DataDirectoryLock(DistributedFileSystem fs, String directory) {
    this.fs = fs;
    this.directory = new Path(directory);
  }

  /**
   * Takes the lock for a run.
   *
   * @throws RunException when a live run has it
   * @throws IOException when HDFS or YARN does not answer
   */
  public void take(Holder own, Liveness runs) throws IOException {
    IOException refused = create(own);
    if (refused == null) {
      return;
    }
    byte[] value;
    try {
      value = fs.getXAttrs(directory).get(ATTRIBUTE);
    } catch (IOException e) {
      value = null;
    }
    if (value == null) {
      LOG.debug("{} cannot be locked", directory, refused);
      return;
    }
    Holder other = Holder.parse(value);
    if (other != null && runs.isLive(other)) {
      throw inUse(other);
    }
    release(value);
    IOException again = create(own);
    // Another client may have found the same dead run.
    Holder now = Holder.parse(fs.getXAttrs(directory).get(ATTRIBUTE));
    if (again != null && now != null && !now.equals(own)) {
      throw inUse(now);
    }
  }

  /** Sets the attribute; returns why it cannot be set, or null. */
  private @Nullable IOException create(Holder own) throws IOException {
    try {
      set(own);
      return null;
    } catch (FileNotFoundException e) {
      fs.mkdirs(directory);
    } catch (IOException e) {
      return e;
    }
    try {
      set(own);
      return null;
    } catch (IOException e) {
      return e;
    }
  }

  private void set(Holder own) throws IOException {
    fs.setXAttr(directory, ATTRIBUTE, own.toBytes(), EnumSet.of(XAttrSetFlag.CREATE));
  }

  private RunException inUse(Holder other) {
    return new RunException(
        "The run "
            + other.run()
            + " writes into "
            + directory
            + ": wait until it has ended ('weir status "
            + other.run()
            + "'), end it ('weir cancel "
            + other.run()
            + "'), or name another directory with --data");
  }

  /**
   * Removes the lock if a run has it. A lock that cannot be removed does not count once the run has
   * ended.
   *
   * @param run id of the run
   */
  public void release(String run) {
    try {
      byte[] value = fs.getXAttrs(directory).get(ATTRIBUTE);
      Holder holder = Holder.parse(value);
      if (value != null && holder != null && holder.run().equals(run)) {
        release(value);
      }
    } catch (IOException e) {
      LOG.debug("The lock of {} stays", directory, e);
    }
  }

  private void release(byte[] value) {
    try {
      fs.removeXAttr(directory, ATTRIBUTE);
    } catch (IOException e) {
      LOG.debug("The lock {} of {} stays", new String(value, UTF_8), directory, e);
    }
  }
}
