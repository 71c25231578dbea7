package dev.weir.service.locate.files;

import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A file system as one user sees it. Each method is one call to a NameNode. {@link NameNodeErrors}
 * classifies the exceptions.
 */
public interface FileTree {
  /** A name that sorts before all others. */
  byte[] FIRST = {};

  /** Looks a path up; empty if it does not exist or is a symbolic link. */
  Optional<FileInfo> find(String path) throws IOException;

  /**
   * Lists a part of a directory.
   *
   * @param after the listing starts after this name, which need not exist
   * @param wanted selects the names whose metadata are returned
   * @return empty if the path does not exist
   */
  Optional<Page> page(String directory, byte[] after, Predicate<String> wanted) throws IOException;

  boolean mayTraverse(String directory) throws IOException;

  final class Page {
    private final Map<String, FileInfo> entries;
    private final byte[] last;
    private final boolean more;

    /**
     * Creates a part.
     *
     * @param entries the wanted names that exist
     * @param last the last name of the part, wanted or not; must not be modified
     * @param more whether the directory has names after it
     */
    Page(Map<String, FileInfo> entries, byte[] last, boolean more) {
      this.entries = Map.copyOf(entries);
      this.last = last;
      this.more = more;
    }

    public Map<String, FileInfo> entries() {
      return entries;
    }

    public byte[] last() {
      return last;
    }

    public boolean more() {
      return more;
    }
  }
}
