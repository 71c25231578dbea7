package dev.weir.workflow.hdfs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.staging.RunException;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.Arrays;
import java.util.EnumSet;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.XAttrSetFlag;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.util.functional.FunctionRaisingIOE;
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

  /** The directory may have to be created, and other clients may take and release the lock. */
  private static final int MOST_TRIES = 3;

  private final DistributedFileSystem fs;
  private final Path directory;

  /**
   * The run that has the lock.
   *
   * @param application the id of the application that runs it: its own, or its session's
   */
  public record Holder(String run, String application) {

    private static @Nullable Holder parse(byte @Nullable [] value, Path directory) {
      if (value == null) {
        return null;
      }
      String[] ids = new String(value, UTF_8).split(" ", -1);
      try {
        return new Holder(
            ApplicationId.fromString(ids[0]).toString(),
            ApplicationId.fromString(ids[ids.length - 1]).toString());
      } catch (IllegalArgumentException e) {
        LOG.warn("Ignoring the lock of {}, which names no run", directory, e);
        return null;
      }
    }

    private byte[] toBytes() {
      return (run + " " + application).getBytes(UTF_8);
    }
  }

  public DataDirectoryLock(DistributedFileSystem fs, String directory) {
    this.fs = fs;
    this.directory = new Path(directory);
  }

  /**
   * Takes the lock for a run.
   *
   * @throws RunException when a live run has it
   */
  public void take(Holder own, FunctionRaisingIOE<Holder, Boolean> isLive) throws IOException {
    for (int tries = 0; tries < MOST_TRIES; tries++) {
      create(own);
      byte[] value = read();
      Holder holder = Holder.parse(value, directory);
      if (own.equals(holder)) {
        return;
      }
      if (holder != null && isLive.apply(holder)) {
        throw inUse(holder);
      }
      // Another client may have removed the lock of the same dead run, and taken it.
      if (value != null && Arrays.equals(value, read())) {
        remove(value);
      }
    }
    LOG.debug("{} cannot be locked", directory);
  }

  /** Sets the attribute unless it is set or cannot be. */
  private void create(Holder own) throws IOException {
    try {
      set(own);
    } catch (FileNotFoundException e) {
      fs.mkdirs(directory);
    } catch (IOException e) {
      throwUnlessRefused(e);
    }
  }

  /** Returns the attribute; null if it is not set or cannot be read. */
  private byte @Nullable [] read() throws IOException {
    try {
      return fs.getXAttrs(directory).get(ATTRIBUTE);
    } catch (IOException e) {
      throwUnlessRefused(e);
      return null;
    }
  }

  /** A refusal of the NameNode, unlike an outage, lasts. */
  private void throwUnlessRefused(IOException e) throws IOException {
    boolean isRefusal = e instanceof RemoteException || e instanceof AccessControlException;
    if (!isRefusal || HdfsRefusals.isTemporary(e)) {
      throw e;
    }
    LOG.debug("The lock of {} is refused", directory, e);
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
   */
  public void release(String run) {
    try {
      byte[] value = fs.getXAttrs(directory).get(ATTRIBUTE);
      Holder holder = Holder.parse(value, directory);
      if (value != null && holder != null && holder.run().equals(run)) {
        remove(value);
      }
    } catch (IOException e) {
      LOG.debug("The lock of {} stays", directory, e);
    }
  }

  private void remove(byte[] value) {
    try {
      fs.removeXAttr(directory, ATTRIBUTE);
    } catch (IOException e) {
      LOG.debug("The lock {} of {} stays", new String(value, UTF_8), directory, e);
    }
  }
}
