package dev.weir.service.runs;

import dev.weir.service.access.Authorizer;
import dev.weir.service.database.Database;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.part.ProblemException;
import dev.weir.service.runs.CurrentFiles.CurrentFile;
import dev.weir.service.runs.LineageQueries.Input;
import dev.weir.service.runs.WriteMatcher.Result;
import dev.weir.workflow.provenance.Lineage;
import dev.weir.workflow.provenance.Lineage.Verdict;
import java.io.IOException;
import java.util.List;

/**
 * Returns how files were produced. The owner of a run and administrators may see all of it. Of
 * another user's run, a user sees how a file was produced if the user may read the file in HDFS. No
 * connection to the database is held during calls to HDFS.
 */
final class Provenance {
  private final Database database;
  private final CurrentFiles hdfs;
  private final Authorizer authorizer;

  Provenance(Database database, CurrentFiles hdfs, Authorizer authorizer) {
    this.database = database;
    this.hdfs = hdfs;
    this.authorizer = authorizer;
  }

  /**
   * Returns the lineage of a file.
   *
   * @param limit the most attempts in the answer
   * @throws ProblemException 403 if the caller may not read the file, 404 if there is neither a
   *     file nor a record
   */
  Lineage of(String caller, FilePath path, int limit) throws IOException {
    boolean admin = authorizer.isAdmin(caller);
    String hdfsUser = admin ? authorizer.self() : caller;
    FileVisibility visibility = new FileVisibility(hdfs, caller, admin, hdfsUser);
    CurrentFile file = hdfs.require(hdfsUser, path);
    LineageQueries queries = new LineageQueries(database);
    LineageQueries.Writes known = queries.writes(List.of(path.path()));
    List<FileWrite> writes =
        known.of(path.path()).stream()
            .filter(write -> file.now().exists() || visibility.isOwn(write.owner()))
            .toList();
    Result found = new WriteMatcher(visibility, file).of(writes);
    if (found.verdict() == Verdict.UNKNOWN && !file.now().exists()) {
      throw ProblemException.notFound(
          "there is no file " + path.text() + ", and no run of yours has written one");
    }
    LineageTraversal traversal = new LineageTraversal(queries, visibility, limit);
    if (found.write() == null) {
      traversal.add(new Input(path.path(), file.now().bytes(), file.now().crc32c()));
    } else {
      traversal.follow(found.write(), found.doubt());
    }
    return new Lineage(
        path.path(),
        file.now(),
        found.verdict(),
        found.note(),
        traversal.files(),
        traversal.attempts(),
        traversal.runs(),
        known.truncated() || traversal.truncated());
  }
}
