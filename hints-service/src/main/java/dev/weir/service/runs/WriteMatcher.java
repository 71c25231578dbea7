package dev.weir.service.runs;

import dev.weir.service.runs.CurrentFiles.CurrentFile;
import dev.weir.workflow.provenance.Lineage.FileNow;
import dev.weir.workflow.provenance.Lineage.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds which recorded write produced a file's content. Writes of the file owner's runs have
 * priority over those of the caller's own runs. Only administrators see claims of other runs,
 * marked as claims. One instance serves one request.
 */
final class WriteMatcher {
  private final FileVisibility visibility;
  private final CurrentFile file;

  /**
   * Creates a matcher for a file.
   *
   * @param file the file in HDFS, as the caller sees it
   */
  WriteMatcher(FileVisibility visibility, CurrentFile file) {
    this.visibility = visibility;
    this.file = file;
  }

  /**
   * The result.
   *
   * @param note the verdict in words
   * @param write the write to follow; null if the caller may see none
   * @param doubt why its origin is not certain; null if nothing speaks against it
   */
  record Result(Verdict verdict, String note, @Nullable FileWrite write, @Nullable String doubt) {}

  /**
   * Finds the write.
   *
   * @param writes the last one first; if there is no file, only those that the caller may see
   */
  Result of(List<FileWrite> writes) throws IOException {
    if (writes.isEmpty()) {
      return unknown();
    }
    if (!file.now().exists()) {
      FileWrite last = writes.get(0);
      if (last.onNode()) {
        return result(
            Verdict.ON_NODE,
            "The file is not in HDFS: the run "
                + last.runId()
                + " kept it on the node that made it; this is its origin.",
            last);
      }
      return result(
          Verdict.GONE,
          "The file no longer exists in HDFS; this is the origin of the last file of its name.",
          last);
    }
    List<FileWrite> owners = new ArrayList<>();
    List<FileWrite> callers = new ArrayList<>();
    List<FileWrite> claims = new ArrayList<>();
    for (FileWrite write : writes) {
      if (write.owner().equals(file.owner())) {
        owners.add(write);
      } else {
        (visibility.isCaller(write.owner()) ? callers : claims).add(write);
      }
    }
    for (List<FileWrite> candidates : List.of(owners, callers, claims)) {
      Result result = matching(candidates);
      if (result != null) {
        return result;
      }
    }
    return changedResult(owners, callers, claims);
  }

  private static Result unknown() {
    return new Result(Verdict.UNKNOWN, "No known run has written this file.", null, null);
  }

  private Result result(Verdict verdict, String note, FileWrite write) throws IOException {
    String doubt = visibility.doubt(write, file.now().exists() ? file.owner() : null);
    return new Result(verdict, note, write, doubt == null ? null : claim(write, doubt));
  }

  private static String claim(FileWrite write, String doubt) {
    return "claimed by run " + write.runId() + " of " + write.owner() + ", not verified: " + doubt;
  }

  private @Nullable Result matching(List<FileWrite> writes) throws IOException {
    FileNow now = file.now();
    for (FileWrite write : writes) {
      if (write.crc32c() != null
          && write.crc32c().equals(now.crc32c())
          && FileVisibility.hasLength(file, write)) {
        return visibleResult(
            Verdict.SAME, "The file in HDFS is this one: its checksum is the recorded one.", write);
      }
    }
    for (FileWrite write : writes) {
      if ((write.crc32c() == null || now.crc32c() == null)
          && FileVisibility.hasLength(file, write)
          && FileVisibility.isTimely(file, write)) {
        return visibleResult(
            Verdict.LIKELY,
            "The file in HDFS has the time"
                + (write.bytes() == null ? "" : " and the length")
                + " of this one; there is no checksum to verify it.",
            write);
      }
    }
    return null;
  }

  private Result visibleResult(Verdict verdict, String note, FileWrite write) throws IOException {
    if (write.owner().equals(file.owner()) || visibility.isOwn(write.owner())) {
      return result(verdict, note, write);
    }
    return new Result(
        Verdict.UNKNOWN,
        "No known run of "
            + file.owner()
            + ", who owns the file, has written it. A run of "
            + write.owner()
            + " claims to have, which is not verified.",
        null,
        null);
  }

  /** Returns the result for a file that has the content of none of the writes. */
  private Result changedResult(
      List<FileWrite> owners, List<FileWrite> callers, List<FileWrite> claims) throws IOException {
    for (List<FileWrite> candidates : List.of(owners, callers, claims)) {
      for (FileWrite write : candidates) {
        if (visibility.isOwn(write.owner())) {
          return result(Verdict.CHANGED, changed(write), write);
        }
      }
    }
    if (owners.isEmpty()) {
      return unknown();
    }
    // The caller may not know what was there before.
    return new Result(
        Verdict.CHANGED,
        "A known run of "
            + file.owner()
            + " has written a file of this name, but NOT this one: it was last written at "
            + file.now().modified()
            + ", by an unknown writer.",
        null,
        null);
  }

  private String changed(FileWrite write) {
    FileNow now = file.now();
    return "The file in HDFS is NOT this one: it was last written at "
        + now.modified()
        + " and has "
        + now.bytes()
        + " bytes"
        + (now.crc32c() == null ? "" : " (CRC-32C " + now.crc32c() + ")")
        + "; the last one that a known run wrote there was complete at "
        + write.ended()
        + (write.bytes() == null ? "" : " with " + write.bytes() + " bytes")
        + (write.crc32c() == null ? "" : " (CRC-32C " + write.crc32c() + ")")
        + ".";
  }
}
