package dev.weir.service.runs;

import dev.weir.service.runs.CurrentFiles.Seen;
import dev.weir.service.runs.LineageQueries.Input;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one caller may know of files, and which records the caller may trust. The caller may see the
 * records of the caller's own runs, and administrators may see all. Of files of other runs the
 * caller sees what HDFS shows now. Runs report about themselves, so a record about another user's
 * file counts only if the file confirms it. For one request. It calls HDFS, so it must not be used
 * while a connection to the database is held.
 */
final class FileVisibility {
  /** The greatest difference between the clocks of the NameNode and an ApplicationMaster. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  /** The most files that are looked up for one answer. */
  private static final int LOOKS = 2_000;

  private final CurrentFiles hdfs;
  private final String caller;
  private final boolean admin;
  private final String asker;
  private final Map<String, Optional<Seen>> looked = new HashMap<>();
  private final Map<String, Optional<String>> sums = new HashMap<>();
  private final Map<String, Boolean> writable = new HashMap<>();
  private int looks;

  /**
   * Creates the visibility of a caller.
   *
   * @param asker the user for calls to HDFS: the caller, or the service for administrators
   */
  FileVisibility(CurrentFiles hdfs, String caller, boolean admin, String asker) {
    this.hdfs = hdfs;
    this.caller = caller;
    this.admin = admin;
    this.asker = asker;
  }

  /** Returns whether the caller may see all of a user's runs. */
  boolean isOwn(String owner) {
    return admin || owner.equals(caller);
  }

  /** Returns whether the user is the caller. */
  boolean isCaller(String owner) {
    return owner.equals(caller);
  }

  /** Returns whether files were left out because the limit of look-ups was reached. */
  boolean isExhausted() {
    return looks > LOOKS;
  }

  /**
   * Returns whether the caller may know how a file was written.
   *
   * @throws IOException if HDFS does not answer
   */
  boolean maySee(FileWrite writing) throws IOException {
    return isOwn(writing.owner()) || isThere(writing);
  }

  /**
   * Returns whether a run that read the file may trust this write. It may if the write is of the
   * same owner or of the caller, or if the file is in HDFS and confirms it.
   *
   * @throws IOException if HDFS does not answer
   */
  boolean trusts(String reader, FileWrite writing) throws IOException {
    if (writing.owner().equals(reader) || isCaller(writing.owner())) {
      return true;
    }
    // Only administrators reach this for a file that no longer exists.
    return look(writing.path()).isPresent()
        ? isThere(writing)
        : admin && doubt(writing, null) == null;
  }

  /**
   * Returns why it is not certain that the owner of the run has written the file.
   *
   * @param fileOwner the owner of the file; null if it no longer exists
   * @return null if nothing speaks against it
   * @throws IOException if HDFS does not answer
   */
  @Nullable String doubt(FileWrite writing, @Nullable String fileOwner) throws IOException {
    if (isCaller(writing.owner()) || writing.owner().equals(fileOwner)) {
      return null;
    }
    if (fileOwner != null) {
      return "the file is " + fileOwner + "'s";
    }
    int slash = writing.path().lastIndexOf('/');
    String parent = slash <= 0 ? "/" : writing.path().substring(0, slash);
    String key = writing.owner() + "\0" + parent;
    Boolean known = writable.get(key);
    if (known == null) {
      known = hdfs.refusal(writing.owner(), parent).isEmpty();
      writable.put(key, known);
    }
    return known ? null : writing.owner() + " may not write into " + parent;
  }

  /**
   * Returns whether the file is in HDFS, belongs to the run's owner, and has the content that was
   * written.
   */
  private boolean isThere(FileWrite writing) throws IOException {
    Seen seen = look(writing.path()).orElse(null);
    if (seen == null || !seen.owner().equals(writing.owner()) || !fits(seen, writing)) {
      return false;
    }
    return isTimely(seen, writing)
        || (writing.crc32c() != null
            && writing.crc32c().equals(checksum(writing.path()).orElse(null)));
  }

  /** Returns whether the lengths are consistent. */
  static boolean fits(Seen seen, FileWrite writing) {
    return writing.bytes() == null || Objects.equals(writing.bytes(), seen.now().bytes());
  }

  /** Returns whether the file was last written while the attempt ran. */
  static boolean isTimely(Seen seen, FileWrite writing) {
    Instant modified = seen.now().modified();
    return modified != null
        && !modified.isBefore(writing.dispatched().minus(SLACK))
        && !modified.isAfter(writing.ended().plus(SLACK));
  }

  /**
   * What the caller may know of a file that an attempt read.
   *
   * @param input as recorded, without what the caller may not know
   * @param note a note on the file; null for none
   */
  record Told(Input input, @Nullable String note) {}

  /**
   * Returns what the caller may know of a file that an attempt read.
   *
   * @param owner the owner of the attempt's run
   * @param begun the start of the attempt
   * @return empty for nothing, not even its name
   * @throws IOException if HDFS does not answer
   */
  Optional<Told> told(String owner, Input input, Instant begun) throws IOException {
    if (isOwn(owner)) {
      return Optional.of(new Told(input, null));
    }
    Seen seen = look(input.path()).orElse(null);
    if (seen == null) {
      return Optional.empty();
    }
    Instant modified = seen.now().modified();
    boolean older = modified != null && !modified.isAfter(begun.plus(SLACK));
    boolean same = input.bytes() == null || input.bytes() == seen.now().bytes();
    if (older && same) {
      return Optional.of(new Told(input, null));
    }
    return Optional.of(
        new Told(new Input(input.path(), null, null), "overwritten since it was read"));
  }

  private Optional<Seen> look(String path) throws IOException {
    Optional<Seen> known = looked.get(path);
    if (known != null) {
      return known;
    }
    looks++;
    Optional<Seen> seen = isExhausted() ? Optional.empty() : hdfs.glance(asker, path);
    looked.put(path, seen);
    return seen;
  }

  private Optional<String> checksum(String path) throws IOException {
    Optional<String> known = sums.get(path);
    if (known == null) {
      known = hdfs.checksum(asker, path);
      sums.put(path, known);
    }
    return known;
  }
}
