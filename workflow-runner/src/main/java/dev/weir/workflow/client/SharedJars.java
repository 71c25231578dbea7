package dev.weir.workflow.client;

import dev.weir.workflow.text.Sha256;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.security.MessageDigest;
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
 * The runner's jars in HDFS. All runs of a user with the same jars share a directory, which is
 * named by their digest. Unchanged jars are uploaded once, and NodeManagers cache them between
 * runs.
 */
final class SharedJars {

  private static final Logger LOG = LoggerFactory.getLogger(SharedJars.class);
  private static final String BELOW_HOME = ".weir/lib";
  private static final int NAME_CHARS = 32;
  private static final short PRIVATE = 0700;

  /** The number of directories that are kept regardless of their age, for long sessions. */
  private static final int KEPT = 10;

  private static final Duration MAX_AGE = Duration.ofDays(30);

  private final DistributedFileSystem fs;
  private final Path root;
  private final Clock clock;

  /**
   * Creates the library of the current user.
   *
   * @param clock measures the age of directories
   */
  SharedJars(DistributedFileSystem fs, Clock clock) {
    this(fs, BELOW_HOME, clock);
  }

  /**
   * Creates a library of the current user.
   *
   * @param belowHome its directory, relative to the user's home directory
   */
  SharedJars(DistributedFileSystem fs, String belowHome, Clock clock) {
    this.fs = fs;
    this.root = new Path(fs.getHomeDirectory(), belowHome);
    this.clock = clock;
  }

  /**
   * Uploads jars unless they exist.
   *
   * @param jars local files with different names
   * @return the directory that holds them and no other files
   */
  Path put(List<java.nio.file.Path> jars) throws IOException {
    Map<String, Long> sizes = new TreeMap<>();
    for (java.nio.file.Path jar : jars) {
      sizes.put(jar.getFileName().toString(), Files.size(jar));
    }
    Path directory = new Path(root, digest(jars).substring(0, NAME_CHARS));
    Map<String, Long> existing = sizes(directory);
    if (existing.equals(sizes)) {
      return directory;
    }
    if (!existing.isEmpty()) {
      // The directory was created atomically, so a part of it was deleted since.
      fs.delete(directory, true);
    }
    Path temporary = new Path(root, "." + directory.getName() + "." + UUID.randomUUID());
    boolean renamed = false;
    try {
      upload(jars, temporary);
      fs.rename(temporary, directory, Options.Rename.NONE);
      renamed = true;
    } catch (FileAlreadyExistsException e) {
      LOG.debug("Another run has uploaded {}", directory, e);
    } finally {
      if (!renamed) {
        fs.delete(temporary, true);
      }
    }
    prune();
    return directory;
  }

  /** Returns an empty map for a missing directory. */
  private Map<String, Long> sizes(Path directory) throws IOException {
    Map<String, Long> existing = new TreeMap<>();
    try {
      for (FileStatus file : fs.listStatus(directory)) {
        existing.put(file.getPath().getName(), file.getLen());
      }
    } catch (FileNotFoundException e) {
      LOG.debug("{} does not exist yet", directory, e);
    }
    return existing;
  }

  private void upload(List<java.nio.file.Path> jars, Path directory) throws IOException {
    fs.mkdirs(directory, new FsPermission(PRIVATE));
    for (java.nio.file.Path jar : jars) {
      fs.copyFromLocalFile(
          new Path(jar.toUri()), new Path(directory, jar.getFileName().toString()));
    }
  }

  private static String digest(List<java.nio.file.Path> jars) throws IOException {
    MessageDigest sha = Sha256.digest();
    for (java.nio.file.Path jar : jars) {
      sha.update(jar.getFileName().toString().getBytes(java.nio.charset.StandardCharsets.UTF_8));
      sha.update((byte) 0);
      sha.update(Files.readAllBytes(jar));
    }
    return HexFormat.of().formatHex(sha.digest());
  }

  /** Removes directories that were not used for long, and those of uploads that did not finish. */
  private void prune() {
    try {
      FileStatus[] all = fs.listStatus(root);
      Arrays.sort(all, Comparator.comparing(FileStatus::getModificationTime).reversed());
      long before = clock.millis() - MAX_AGE.toMillis();
      int complete = 0;
      for (FileStatus one : all) {
        boolean unfinished = one.getPath().getName().startsWith(".");
        complete += unfinished ? 0 : 1;
        if ((complete > KEPT || unfinished) && one.getModificationTime() < before) {
          fs.delete(one.getPath(), true);
        }
      }
    } catch (IOException e) {
      LOG.warn("Cannot remove old jars from {}", root, e);
    }
  }
}
