package dev.weir.service.runs;

import dev.weir.service.runs.CurrentFiles.Seen;
import dev.weir.workflow.provenance.Lineage.FileNow;
import dev.weir.workflow.provenance.Lineage.Verdict;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Finds which recorded write produced a file's content. Writes of the file owner's runs have
 * priority over those of the caller's own runs. Claims of other runs are shown only to
 * administrators, marked as claims. For one request.
 */
final class WriteMatcher {
  private final FileVisibility sight;
  private final Seen seen;

  /**
   * Creates a matcher for a file.
   *
   * @param seen the file in HDFS, as far as the caller may see it
   */
  WriteMatcher(FileVisibility sight, Seen seen) {
    this.sight = sight;
    this.seen = seen;
  }

  /**
   * The result.
   *
   * @param note the verdict in words
   * @param writing the write to follow; null if the caller may see none
   * @param doubt why its origin is not certain; null if nothing speaks against it
   */
  record Found(Verdict verdict, String note, @Nullable FileWrite writing, @Nullable String doubt) {}

  /**
   * Finds the write.
   *
   * @param writings the last one first; if there is no file, only those that the caller may see
   * @throws IOException if HDFS does not answer
   */
  Found of(List<FileWrite> writings) throws IOException {
    if (writings.isEmpty()) {
      return unknown();
    }
    if (!seen.now().exists()) {
      FileWrite last = writings.get(0);
      return found(
          Verdict.GONE,
          "The file no longer exists in HDFS; this is the origin of the last file of its name.",
          last);
    }
    List<FileWrite> owners = new ArrayList<>();
    List<FileWrite> callers = new ArrayList<>();
    List<FileWrite> claims = new ArrayList<>();
    for (FileWrite writing : writings) {
      if (writing.owner().equals(seen.owner())) {
        owners.add(writing);
      } else {
        (sight.isCaller(writing.owner()) ? callers : claims).add(writing);
      }
    }
    for (List<FileWrite> some : List.of(owners, callers, claims)) {
      Found found = content(some);
      if (found != null) {
        return found;
      }
    }
    return other(owners, callers, claims);
  }

  private static Found unknown() {
    return new Found(Verdict.UNKNOWN, "No known run has written this file.", null, null);
  }

  private Found found(Verdict verdict, String note, FileWrite writing) throws IOException {
    String doubt = sight.doubt(writing, seen.now().exists() ? seen.owner() : null);
    return new Found(verdict, note, writing, doubt == null ? null : claim(writing, doubt));
  }

  private static String claim(FileWrite writing, String doubt) {
    return "claimed by run "
        + writing.runId()
        + " of "
        + writing.owner()
        + ", not verified: "
        + doubt;
  }

  /** Returns the write whose content the file has. */
  private @Nullable Found content(List<FileWrite> writings) throws IOException {
    FileNow now = seen.now();
    for (FileWrite writing : writings) {
      if (writing.crc32c() != null
          && writing.crc32c().equals(now.crc32c())
          && FileVisibility.fits(seen, writing)) {
        return told(
            Verdict.SAME,
            "The file in HDFS is this one: its checksum is the recorded one.",
            writing);
      }
    }
    for (FileWrite writing : writings) {
      if ((writing.crc32c() == null || now.crc32c() == null)
          && FileVisibility.fits(seen, writing)
          && FileVisibility.isTimely(seen, writing)) {
        return told(
            Verdict.LIKELY,
            "The file in HDFS has the time"
                + (writing.bytes() == null ? "" : " and the length")
                + " of this one; there is no checksum to verify it.",
            writing);
      }
    }
    return null;
  }

  private Found told(Verdict verdict, String note, FileWrite writing) throws IOException {
    if (writing.owner().equals(seen.owner()) || sight.isOwn(writing.owner())) {
      return found(verdict, note, writing);
    }
    return new Found(
        Verdict.UNKNOWN,
        "No known run of "
            + seen.owner()
            + ", who owns the file, has written it. A run of "
            + writing.owner()
            + " claims to have, which is not verified.",
        null,
        null);
  }

  /** Returns the result for a file that has the content of none of the writes. */
  private Found other(List<FileWrite> owners, List<FileWrite> callers, List<FileWrite> claims)
      throws IOException {
    for (List<FileWrite> some : List.of(owners, callers, claims)) {
      for (FileWrite writing : some) {
        if (sight.isOwn(writing.owner())) {
          return found(Verdict.CHANGED, changed(writing), writing);
        }
      }
    }
    if (owners.isEmpty()) {
      return unknown();
    }
    // The caller may not know what was there before.
    return new Found(
        Verdict.CHANGED,
        "A known run of "
            + seen.owner()
            + " has written a file of this name, but NOT this one: it was last written at "
            + seen.now().modified()
            + ", by an unknown writer.",
        null,
        null);
  }

  private String changed(FileWrite writing) {
    FileNow now = seen.now();
    return "The file in HDFS is NOT this one: it was last written at "
        + now.modified()
        + " and has "
        + now.bytes()
        + " bytes"
        + (now.crc32c() == null ? "" : " (CRC-32C " + now.crc32c() + ")")
        + "; the last one that a known run wrote there was complete at "
        + writing.ended()
        + (writing.bytes() == null ? "" : " with " + writing.bytes() + " bytes")
        + (writing.crc32c() == null ? "" : " (CRC-32C " + writing.crc32c() + ")")
        + ".";
  }
}
