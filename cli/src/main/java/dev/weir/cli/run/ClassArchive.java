package dev.weir.cli.run;

import dev.weir.workflow.client.SessionSubmitter;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The class data archive that Java writes at the end of this process if {@code bin/weir} requested
 * it. Later commands start faster with it.
 */
final class ClassArchive {

  /** Names the file that tells {@code bin/weir} to use the archive. */
  static final String MARK = "weir.archive.mark";

  private static final Logger LOG = LoggerFactory.getLogger(ClassArchive.class);

  private final @Nullable Path mark;

  /**
   * Creates the archive of a process.
   *
   * @param mark value of {@link #MARK}; null when no archive is made
   */
  ClassArchive(@Nullable String mark) {
    this.mark = mark == null ? null : Path.of(mark);
  }

  /** Keeps the archive. Called late, when most classes that commands use have been loaded. */
  void keep() {
    if (mark == null) {
      return;
    }
    try {
      LOG.debug("{} classes are loaded for runs of a session", SessionSubmitter.load());
      Files.createFile(mark);
    } catch (FileAlreadyExistsException e) {
      LOG.debug("Said already", e);
    } catch (IOException | RuntimeException e) {
      LOG.debug("The next run may leave an archive of classes", e);
    }
  }
}
