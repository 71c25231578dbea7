package dev.weir.service.locate;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A file system as one user sees it. Each method is one question to a NameNode. What it throws is
 * told apart by {@link NameNodeErrors}.
 */
interface FileTree {
  /** A name before all others. */
  byte[] FIRST = {};

  /** Looks a path up; empty when there is none, or it is a link. */
  Optional<FileInfo> find(String path) throws IOException;

  /** Whether directories can be listed from any name on, in the order of names. */
  boolean isListable();

  /**
   * Lists a part of a directory.
   *
   * @param after the last name that is not listed; need be nobody's
   * @param wanted which names to give the facts of
   * @return empty when there is no such path
   */
  Optional<Page> page(String directory, byte[] after, Predicate<String> wanted) throws IOException;

  /** Whether the user may reach what is in a directory. */
  boolean mayTraverse(String directory) throws IOException;

  /** A part of a directory. */
  final class Page {
    private final Map<String, FileInfo> entries;
    private final byte[] last;
    private final boolean more;

    /**
     * A part.
     *
     * @param entries those of the wanted names that are there
     * @param last the last name of the part, wanted or not; not to be changed
     * @param more whether the directory goes on after it
     */
    Page(Map<String, FileInfo> entries, byte[] last, boolean more) {
      this.entries = Map.copyOf(entries);
      this.last = last;
      this.more = more;
    }

    Map<String, FileInfo> entries() {
      return entries;
    }

    byte[] last() {
      return last;
    }

    boolean more() {
      return more;
    }
  }
}
