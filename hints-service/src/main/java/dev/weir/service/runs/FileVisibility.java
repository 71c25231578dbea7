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
 * What one caller may know of files, and whose word counts. What runs of the caller tell he may
 * know, and administrators all; of files of other runs he is told what HDFS shows him now. Runs
 * tell of themselves, so that what one says of another's file counts only when the file bears it
 * out. For one request; asks HDFS, and so is not to be used while a connection to the database is
 * held.
 */
final class FileVisibility {
  /** The clocks of the NameNode and an ApplicationMaster may be so far apart. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  /** So many files are looked at for one answer. */
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
   * That of a caller.
   *
   * @param asker who HDFS is asked as: the caller, or the service for administrators
   */
  FileVisibility(CurrentFiles hdfs, String caller, boolean admin, String asker) {
    this.hdfs = hdfs;
    this.caller = caller;
    this.admin = admin;
    this.asker = asker;
  }

  /** Whether the caller may see all of that user's runs. */
  boolean isOwn(String owner) {
    return admin || owner.equals(caller);
  }

  /** Whether it is the caller himself who tells so. */
  boolean isCaller(String owner) {
    return owner.equals(caller);
  }

  /** Whether files were left out because there were too many to look at. */
  boolean isExhausted() {
    return looks > LOOKS;
  }

  /**
   * Whether the caller may be told how that file was written.
   *
   * @throws IOException when HDFS cannot be asked
   */
  boolean maySee(FileWrite writing) throws IOException {
    return isOwn(writing.owner()) || isThere(writing);
  }

  /**
   * Whether it counts, for a run of that owner which has read the file, that this one wrote it: it
   * is its owner's or the caller's own word, or the file is in HDFS and is that one.
   *
   * @throws IOException when HDFS cannot be asked
   */
  boolean trusts(String reader, FileWrite writing) throws IOException {
    if (writing.owner().equals(reader) || isCaller(writing.owner())) {
      return true;
    }
    // Only administrators get this far with a file that is not there any more.
    return look(writing.path()).isPresent()
        ? isThere(writing)
        : admin && doubt(writing, null) == null;
  }

  /**
   * Why it is not certain that the owner of the run has written the file.
   *
   * @param fileOwner whose the file is; null when there is none any more
   * @return null when nothing speaks against it
   * @throws IOException when HDFS cannot be asked
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

  /** Whether the file is in HDFS, is the run's owner's, and has the content that was written. */
  private boolean isThere(FileWrite writing) throws IOException {
    Seen seen = look(writing.path()).orElse(null);
    if (seen == null || !seen.owner().equals(writing.owner()) || !fits(seen, writing)) {
      return false;
    }
    return isTimely(seen, writing)
        || (writing.crc32c() != null
            && writing.crc32c().equals(checksum(writing.path()).orElse(null)));
  }

  /** Whether the lengths do not contradict each other. */
  static boolean fits(Seen seen, FileWrite writing) {
    return writing.bytes() == null || Objects.equals(writing.bytes(), seen.now().bytes());
  }

  /** Whether the file was last written while the attempt ran. */
  static boolean isTimely(Seen seen, FileWrite writing) {
    Instant modified = seen.now().modified();
    return modified != null
        && !modified.isBefore(writing.dispatched().minus(SLACK))
        && !modified.isAfter(writing.ended().plus(SLACK));
  }

  /**
   * What the caller is told of a file that an attempt read.
   *
   * @param input as it was recorded; without what he may not know
   * @param note what is to be said of it; null for nothing
   */
  record Told(Input input, @Nullable String note) {}

  /**
   * What the caller may know of a file that an attempt of that owner read.
   *
   * @param begun when the attempt began
   * @return empty for nothing, not even its name
   * @throws IOException when HDFS cannot be asked
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
        new Told(new Input(input.path(), null, null), "written over since it was read"));
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
