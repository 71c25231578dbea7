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
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Puts files into HDFS so that nobody ever sees half of one: each is written beside its target,
 * under a name to which the target's hint applies, and then renamed. Where the target's name is so
 * long that there is no room behind it, the temporary name has its beginning, and the hints of its
 * directories apply. Any thread may use it.
 */
public final class AtomicUpload {

  private static final Logger LOG = LoggerFactory.getLogger(AtomicUpload.class);
  private static final String INFIX = TemporaryName.INFIX + "upload-";
  private static final int RANDOM_DIGITS = 8;

  /** What HDFS has unless it is told otherwise; in bytes of UTF-8. */
  private static final int LONGEST_NAME = 255;

  /** How much of a target's name there is room for; infix and digits have a byte each. */
  private static final int LONGEST_STEM = LONGEST_NAME - INFIX.length() - RANDOM_DIGITS;

  private final DistributedFileSystem fs;
  private final SecureRandom random = new SecureRandom();

  public AtomicUpload(DistributedFileSystem fs) {
    this.fs = fs;
  }

  /**
   * The stem of the file for which a path is a temporary name; null when it is none of these.
   *
   * @return what {@link #stem} gives for that file, and for others that begin as it does where
   *     their names are very long
   */
  public static @Nullable Path stemOf(Path path) {
    int infix = path.getName().lastIndexOf(INFIX);
    return infix <= 0 ? null : new Path(path.getParent(), path.getName().substring(0, infix));
  }

  /** What temporary names of a file begin with: its path, or the beginning of a long one. */
  public static Path stem(Path target) {
    String name = target.getName();
    int end = 0;
    for (int bytes = 0; end < name.length(); ) {
      int character = name.codePointAt(end);
      bytes += Character.toString(character).getBytes(StandardCharsets.UTF_8).length;
      if (bytes > LONGEST_STEM) {
        return new Path(target.getParent(), name.substring(0, end));
      }
      end += Character.charCount(character);
    }
    return target;
  }

  /**
   * Puts a file where another one may be. If somebody else has put one of the same length there
   * meanwhile that one stays, for its readers may have begun.
   *
   * @throws IOException when it cannot be written; nothing of it is left then, if HDFS can be
   *     reached
   */
  public void put(Path target, Staging.Content content) throws IOException {
    Path temporary =
        stem(target).suffix(INFIX + String.format(Locale.ROOT, "%08x", random.nextInt()));
    try {
      try (OutputStream out = fs.create(temporary, false)) {
        // Ctrl-C closes the file as it is.
        fs.deleteOnExit(temporary);
        content.writeTo(out);
      }
      rename(temporary, target);
      fs.cancelDeleteOnExit(temporary);
    } catch (IOException | RuntimeException e) {
      forget(temporary);
      throw e;
    }
  }

  private void rename(Path temporary, Path target) throws IOException {
    try {
      fs.rename(temporary, target, Options.Rename.NONE);
    } catch (FileAlreadyExistsException e) {
      FileStatus there = fs.getFileStatus(target);
      if (there.isFile()
          && there.getLen() == fs.getFileStatus(temporary).getLen()
          && fs.isFileClosed(target)) {
        fs.delete(temporary, false);
      } else {
        fs.rename(temporary, target, Options.Rename.OVERWRITE);
      }
    }
  }

  /** Removes what has a temporary name. What is left is removed by an upload that comes later. */
  public void forget(Path temporary) {
    try {
      fs.delete(temporary, false);
      fs.cancelDeleteOnExit(temporary);
    } catch (IOException e) {
      LOG.debug("Cannot remove {}", temporary, e);
    }
  }
}
