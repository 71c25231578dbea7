package dev.weir.workflow.staging;

import dev.weir.workflow.protocol.TemporaryName;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.util.Locale;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes files to HDFS atomically: readers never see a part of one. Each file is written next to
 * its target, under a name to which the target's hint applies, and then renamed. If the target's
 * name is too long to be extended, the temporary name has a prefix of it, and the hints of its
 * directories apply. Thread-safe.
 */
public final class AtomicUpload {

  private static final Logger LOG = LoggerFactory.getLogger(AtomicUpload.class);
  private static final String INFIX = TemporaryName.INFIX + "upload-";
  private static final int RANDOM_DIGITS = 8;

  /** HDFS's default limit of a name, in bytes of UTF-8. */
  private static final int MAX_NAME = 255;

  /**
   * The most bytes of a target's name in a temporary name. Infix and digits have one byte per
   * character.
   */
  private static final int MAX_STEM = MAX_NAME - INFIX.length() - RANDOM_DIGITS;

  private final DistributedFileSystem fs;
  private final SecureRandom random = new SecureRandom();

  public AtomicUpload(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /**
   * Returns the stem of a temporary name; null if the path is not a temporary name.
   *
   * @return the value of {@link #stem} for the target; targets with very long names may share it
   */
  public static @Nullable Path stemOf(Path path) {
    int infix = path.getName().lastIndexOf(INFIX);
    return infix <= 0 ? null : new Path(path.getParent(), path.getName().substring(0, infix));
  }

  /** Returns the prefix of a file's temporary names: its path, truncated if it is long. */
  public static Path stem(Path target) {
    String name = target.getName();
    int end = 0;
    for (int bytes = 0; end < name.length(); ) {
      int character = name.codePointAt(end);
      bytes += Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > MAX_STEM) {
        return new Path(target.getParent(), name.substring(0, end));
      }
      end += Character.charCount(character);
    }
    return target;
  }

  /**
   * Writes a file and replaces an existing one. If another process wrote a file of the same length
   * meanwhile, that file stays, because readers may have opened it.
   *
   * @throws IOException if writing fails; the temporary file is deleted then, if HDFS can be
   *     reached
   */
  public void put(Path target, ConsumerRaisingIOE<OutputStream> content) throws IOException {
    Path temporary =
        stem(target).suffix(INFIX + String.format(Locale.ROOT, "%08x", random.nextInt()));
    try {
      try (OutputStream out = fs.create(temporary, false)) {
        // Ctrl-C closes the file as it is.
        fs.deleteOnExit(temporary);
        content.accept(out);
      }
      rename(temporary, target);
      fs.cancelDeleteOnExit(temporary);
    } catch (IOException | RuntimeException e) {
      delete(temporary);
      throw e;
    }
  }

  private void rename(Path temporary, Path target) throws IOException {
    try {
      fs.rename(temporary, target, Options.Rename.NONE);
    } catch (FileAlreadyExistsException e) {
      FileStatus existing = fs.getFileStatus(target);
      if (existing.isFile()
          && existing.getLen() == fs.getFileStatus(temporary).getLen()
          && fs.isFileClosed(target)) {
        fs.delete(temporary, false);
      } else {
        fs.rename(temporary, target, Options.Rename.OVERWRITE);
      }
    }
  }

  /** Deletes a temporary file. If that fails, a later upload deletes it. */
  public void delete(Path temporary) {
    try {
      fs.delete(temporary, false);
      fs.cancelDeleteOnExit(temporary);
    } catch (IOException e) {
      LOG.debug("Cannot remove {}", temporary, e);
    }
  }
}
