package dev.weir.service.runs;

import dev.weir.service.runs.CurrentFiles.CurrentFile;
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
 * Decides which records a caller may see and trust. Callers see the records of their own runs,
 * administrators see all. Of another run's files a caller sees what HDFS shows now. Runs report
 * about themselves, so a record of another user's file counts only if the file confirms it. One
 * instance serves one request. It calls HDFS, so no connection to the database may be held.
 */
final class FileVisibility {
  /** The greatest difference between the clocks of the NameNode and an ApplicationMaster. */
  private static final Duration MAX_CLOCK_SKEW = Duration.ofSeconds(10);

  /** The most files that are looked up for one answer. */
  private static final int MAX_LOOKUPS = 2_000;

  private final CurrentFiles hdfs;
  private final String caller;
  private final boolean admin;
  private final String hdfsUser;
  private final Map<String, Optional<CurrentFile>> files = new HashMap<>();
  private final Map<String, Optional<String>> checksums = new HashMap<>();
  private final Map<String, Boolean> writable = new HashMap<>();
  private int lookups;

  /**
   * Creates the visibility of a caller.
   *
   * @param hdfsUser the user for calls to HDFS: the caller, or the service for administrators
   */
  FileVisibility(CurrentFiles hdfs, String caller, boolean admin, String hdfsUser) {
    this.hdfs = hdfs;
    this.caller = caller;
    this.admin = admin;
    this.hdfsUser = hdfsUser;
  }

  /** Returns whether the caller may see all of a user's runs. */
  boolean isOwn(String owner) {
    return admin || owner.equals(caller);
  }

  boolean isCaller(String owner) {
    return owner.equals(caller);
  }

  /** Returns whether files were left out because the limit of look-ups was reached. */
  boolean isExhausted() {
    return lookups > MAX_LOOKUPS;
  }

  boolean maySee(FileWrite write) throws IOException {
    return isOwn(write.owner()) || isConfirmed(write);
  }

  /**
   * Returns whether a run that read the file may trust this write. It may if the write is of the
   * same owner or of the caller, or if the file is in HDFS and confirms it.
   */
  boolean trusts(String reader, FileWrite write) throws IOException {
    if (write.owner().equals(reader) || isCaller(write.owner())) {
      return true;
    }
    // Only administrators reach this for a file that no longer exists.
    return find(write.path()).isPresent()
        ? isConfirmed(write)
        : admin && doubt(write, null) == null;
  }

  /**
   * Returns why the owner of the run may not have written the file.
   *
   * @param fileOwner the owner of the file; null if it no longer exists
   * @return null if nothing speaks against it
   */
  @Nullable String doubt(FileWrite write, @Nullable String fileOwner) throws IOException {
    if (isCaller(write.owner()) || write.owner().equals(fileOwner)) {
      return null;
    }
    if (fileOwner != null) {
      return "the file is " + fileOwner + "'s";
    }
    int slash = write.path().lastIndexOf('/');
    String parent = slash <= 0 ? "/" : write.path().substring(0, slash);
    String key = write.owner() + "\0" + parent;
    Boolean known = writable.get(key);
    if (known == null) {
      known = hdfs.refusal(write.owner(), parent).isEmpty();
      writable.put(key, known);
    }
    return known ? null : write.owner() + " may not write into " + parent;
  }

  /**
   * Returns whether the file is in HDFS, belongs to the run's owner, and has the content that was
   * written.
   */
  private boolean isConfirmed(FileWrite write) throws IOException {
    CurrentFile file = find(write.path()).orElse(null);
    if (file == null || !file.owner().equals(write.owner()) || !hasLength(file, write)) {
      return false;
    }
    return isTimely(file, write)
        || (write.crc32c() != null && write.crc32c().equals(checksum(write.path()).orElse(null)));
  }

  static boolean hasLength(CurrentFile file, FileWrite write) {
    return write.bytes() == null || Objects.equals(write.bytes(), file.now().bytes());
  }

  /** Returns whether the file was last written while the attempt ran. */
  static boolean isTimely(CurrentFile file, FileWrite write) {
    Instant modified = file.now().modified();
    return modified != null
        && !modified.isBefore(write.dispatched().minus(MAX_CLOCK_SKEW))
        && !modified.isAfter(write.ended().plus(MAX_CLOCK_SKEW));
  }

  /**
   * What the caller may know of a file that an attempt read.
   *
   * @param input as recorded, without hidden properties
   * @param note a note on the file; null for none
   */
  record VisibleInput(Input input, @Nullable String note) {}

  /**
   * Returns what the caller may know of a file that an attempt read.
   *
   * @param owner the owner of the attempt's run
   * @return empty if even the name is hidden
   */
  Optional<VisibleInput> visible(String owner, Input input, Instant started) throws IOException {
    if (isOwn(owner)) {
      return Optional.of(new VisibleInput(input, null));
    }
    CurrentFile file = find(input.path()).orElse(null);
    if (file == null) {
      return Optional.empty();
    }
    Instant modified = file.now().modified();
    boolean older = modified != null && !modified.isAfter(started.plus(MAX_CLOCK_SKEW));
    boolean same = input.bytes() == null || input.bytes() == file.now().bytes();
    if (older && same) {
      return Optional.of(new VisibleInput(input, null));
    }
    return Optional.of(
        new VisibleInput(new Input(input.path(), null, null), "overwritten since it was read"));
  }

  private Optional<CurrentFile> find(String path) throws IOException {
    Optional<CurrentFile> known = files.get(path);
    if (known != null) {
      return known;
    }
    lookups++;
    Optional<CurrentFile> file =
        isExhausted() ? Optional.empty() : hdfs.findReadable(hdfsUser, path);
    files.put(path, file);
    return file;
  }

  private Optional<String> checksum(String path) throws IOException {
    Optional<String> known = checksums.get(path);
    if (known == null) {
      known = hdfs.checksum(hdfsUser, path);
      checksums.put(path, known);
    }
    return known;
  }
}
