package dev.weir.workflow.client;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The runner's jars in HDFS: one directory for all runs of a user with the same jars, named by
 * their content. Files that do not change are uploaded once, and NodeManagers keep them from one
 * run to the next.
 */
final class Library {

  private static final Logger LOG = LoggerFactory.getLogger(Library.class);
  private static final String BELOW_HOME = ".weir/lib";
  private static final int NAME_CHARS = 32;
  private static final short PRIVATE = 0700;

  /** So many are kept, however old they are, for sessions that go on for long. */
  private static final int KEPT = 10;

  private static final Duration AGE = Duration.ofDays(30);

  private final DistributedFileSystem fs;
  private final Path root;
  private final Clock clock;

  /**
   * The libraries of the current user.
   *
   * @param fs the file system that holds them
   * @param clock says which are old
   */
  Library(DistributedFileSystem fs, Clock clock) {
    this.fs = fs;
    this.root = new Path(fs.getHomeDirectory(), BELOW_HOME);
    this.clock = clock;
  }

  /**
   * Puts jars where containers find them, unless they are there.
   *
   * @param jars local files with different names
   * @return the directory that holds them and nothing else
   * @throws IOException when HDFS refuses
   */
  Path put(List<java.nio.file.Path> jars) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    for (java.nio.file.Path jar : jars) {
      sizes.put(jar.getFileName().toString(), Files.size(jar));
    }
    Path directory = new Path(root, digest(jars).substring(0, NAME_CHARS));
    Map<String, Long> there = sizes(directory);
    if (there.equals(sizes)) {
      return directory;
    }
    if (!there.isEmpty()) {
      // It came as a whole, and somebody has removed a part of it.
      fs.delete(directory, true);
    }
    Path fresh = new Path(root, "." + directory.getName() + "." + UUID.randomUUID());
    boolean done = false;
    try {
      upload(jars, fresh);
      fs.rename(fresh, directory, Options.Rename.NONE);
      done = true;
    } catch (FileAlreadyExistsException e) {
      LOG.debug("Another run has put {} there", directory, e);
    } finally {
      if (!done) {
        fs.delete(fresh, true);
      }
    }
    prune();
    return directory;
  }

  /** Empty for a directory that is not there. */
  private Map<String, Long> sizes(Path directory) throws IOException {
    Map<String, Long> there = new TreeMap<>();
    try {
      for (FileStatus file : fs.listStatus(directory)) {
        there.put(file.getPath().getName(), file.getLen());
      }
    } catch (FileNotFoundException e) {
      LOG.debug("No {} yet", directory, e);
    }
    return there;
  }

  private void upload(List<java.nio.file.Path> jars, Path directory) throws IOException {
    fs.mkdirs(directory, new FsPermission(PRIVATE));
    for (java.nio.file.Path jar : jars) {
      fs.copyFromLocalFile(
          new Path(jar.toUri()), new Path(directory, jar.getFileName().toString()));
    }
  }

  private static String digest(List<java.nio.file.Path> jars) throws IOException {
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      for (java.nio.file.Path jar : jars) {
        sha.update(jar.getFileName().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
        sha.update((byte) 0);
        sha.update(Files.readAllBytes(jar));
      }
      return HexFormat.of().formatHex(sha.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }

  /** Removes what runs have not used for long, and what a client left that ended too early. */
  private void prune() {
    try {
      FileStatus[] all = fs.listStatus(root);
      Arrays.sort(all, Comparator.comparing(FileStatus::getModificationTime).reversed());
      long before = clock.millis() - AGE.toMillis();
      int whole = 0;
      for (FileStatus one : all) {
        boolean unfinished = one.getPath().getName().startsWith(".");
        whole += unfinished ? 0 : 1;
        if ((whole > KEPT || unfinished) && one.getModificationTime() < before) {
          fs.delete(one.getPath(), true);
        }
      }
    } catch (IOException e) {
      LOG.warn("Cannot remove old jars from {}", root, e);
    }
  }
}
