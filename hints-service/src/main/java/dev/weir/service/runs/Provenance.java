package dev.weir.service.runs;

import dev.weir.service.access.Authorizer;
import dev.weir.service.locate.FilePath;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import dev.weir.service.runs.LineageQueries.Input;
import dev.weir.workflow.provenance.Lineage;
import dev.weir.workflow.provenance.Lineage.FileNow;
import dev.weir.workflow.provenance.Lineage.Verdict;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How files came to be, told to those who may read them: the owner of a run may see all of it, and
 * so may administrators; of the run of another who may read a file in HDFS sees how it was made.
 */
final class Provenance {
  /** The clocks of the NameNode and an ApplicationMaster may be so far apart. */
  private static final Duration SLACK = Duration.ofSeconds(10);

  private final Database database;
  private final FilesNow hdfs;
  private final Authorizer authorizer;

  Provenance(Database database, FilesNow hdfs, Authorizer authorizer) {
    this.database = database;
    this.hdfs = hdfs;
    this.authorizer = authorizer;
  }

  /**
   * Tells it.
   *
   * @param limit the most attempts to tell of
   * @throws ProblemException 403 when the caller may not read the file, 404 when there is neither a
   *     file nor a record
   * @throws IOException when HDFS cannot be asked
   */
  Lineage of(String caller, FilePath path, int limit) throws IOException {
    boolean admin = authorizer.isAdmin(caller);
    FileNow now = hdfs.look(admin ? authorizer.self() : caller, path);
    try {
      return database.read(handle -> lineage(new Asked(caller, admin, path, now, limit), handle));
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
  }

  private record Asked(String caller, boolean admin, FilePath path, FileNow now, int limit) {}

  private Lineage lineage(Asked asked, org.jdbi.v3.core.Handle handle) {
    LineageQueries queries = new LineageQueries(handle);
    String path = asked.path().path();
    List<Writing> writings =
        queries.writings(List.of(path)).getOrDefault(path, List.of()).stream()
            .filter(writing -> asked.now().exists() || isOwn(asked, writing))
            .toList();
    Found found = found(asked.now(), writings);
    if (found.verdict() == Verdict.UNKNOWN && !asked.now().exists()) {
      throw new ProblemException(
          Problem.notFound(
              "there is no file " + asked.path().text() + ", and no run of yours has written one"));
    }
    Map<String, Boolean> readable = new HashMap<>();
    readable.put(path, true);
    Ancestry ancestry =
        new Ancestry(
            queries,
            writing -> isOwn(asked, writing) || mayRead(asked, writing.path(), readable),
            asked.limit());
    try {
      if (found.writing() == null) {
        ancestry.add(new Input(path, asked.now().bytes(), asked.now().crc32c()));
      } else {
        ancestry.follow(found.writing());
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Lineage(
        path,
        asked.now(),
        found.verdict(),
        found.note(),
        ancestry.files(),
        ancestry.attempts(),
        ancestry.runs(),
        ancestry.truncated());
  }

  private static boolean isOwn(Asked asked, Writing writing) {
    return asked.admin() || writing.owner().equals(asked.caller());
  }

  private boolean mayRead(Asked asked, String path, Map<String, Boolean> known) throws IOException {
    Boolean answered = known.get(path);
    if (answered != null) {
      return answered;
    }
    boolean may = hdfs.mayRead(asked.caller(), path);
    known.put(path, may);
    return may;
  }

  /** Which writing a file's content is taken for. */
  private record Found(Verdict verdict, String note, @Nullable Writing writing) {}

  private static Found found(FileNow now, List<Writing> writings) {
    if (writings.isEmpty()) {
      return new Found(Verdict.UNKNOWN, "No known run has written this file.", null);
    }
    if (!now.exists()) {
      return new Found(
          Verdict.GONE,
          "The file is not in HDFS any more; this is how the last one of its name came to be.",
          writings.get(0));
    }
    for (Writing writing : writings) {
      if (writing.crc32c() != null && writing.crc32c().equals(now.crc32c()) && fits(now, writing)) {
        return new Found(
            Verdict.SAME,
            "The file in HDFS is this one: its checksum is the recorded one.",
            writing);
      }
    }
    for (Writing writing : writings) {
      if ((writing.crc32c() == null || now.crc32c() == null)
          && fits(now, writing)
          && isTimely(now.modified(), writing)) {
        return new Found(
            Verdict.LIKELY,
            "The file in HDFS has the time"
                + (writing.bytes() == null ? "" : " and the length")
                + " of this one; there is no checksum to tell by.",
            writing);
      }
    }
    return new Found(Verdict.CHANGED, changed(now, writings.get(0)), writings.get(0));
  }

  private static boolean fits(FileNow now, Writing writing) {
    return writing.bytes() == null || Objects.equals(writing.bytes(), now.bytes());
  }

  private static boolean isTimely(@Nullable Instant modified, Writing writing) {
    return modified != null
        && !modified.isBefore(writing.dispatched().minus(SLACK))
        && !modified.isAfter(writing.ended().plus(SLACK));
  }

  private static String changed(FileNow now, Writing writing) {
    return "The file in HDFS is NOT this one: it was last written at "
        + now.modified()
        + " and has "
        + now.bytes()
        + " bytes"
        + (now.crc32c() == null ? "" : " (CRC-32C " + now.crc32c() + ")")
        + "; the last that a known run wrote there was ready at "
        + writing.ended()
        + (writing.bytes() == null ? "" : " with " + writing.bytes() + " bytes")
        + (writing.crc32c() == null ? "" : " (CRC-32C " + writing.crc32c() + ")")
        + ".";
  }
}
