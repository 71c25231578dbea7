package dev.weir.service.runs;

import dev.weir.hints.InvalidHintException;
import dev.weir.service.database.ConcurrencyLimit;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.part.ProblemException;
import dev.weir.service.rest.RequestContext;
import dev.weir.workflow.provenance.ProvenanceJson;
import java.io.IOException;
import javax.ws.rs.BeanParam;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;

/** {@code GET /v1/provenance?path=}: how a file was produced. */
@Path("provenance")
@Produces(MediaType.APPLICATION_JSON)
public final class ProvenanceResource {
  private static final String PATH = "path";
  private static final int DEFAULT_LIMIT = 10_000;
  private static final int MAX_LIMIT = 100_000;

  /** The number of concurrent answers, each of which may need a hundred megabytes. */
  private static final int MAX_CONCURRENT = 4;

  private final ConcurrencyLimit answers =
      new ConcurrencyLimit(
          MAX_CONCURRENT,
          MAX_CONCURRENT,
          "too many provenance requests are being answered now; try again");
  private final Provenance provenance;

  ProvenanceResource(Provenance provenance) {
    this.provenance = provenance;
  }

  /** Returns the attempt that produced the file, the files that it read, and so on. */
  @GET
  public byte[] getProvenance(@BeanParam RequestContext call) throws IOException {
    call.allow(PATH, "limit");
    String user = call.user();
    int limit = call.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    FilePath path = path(call.require(PATH));
    return answers.run(() -> ProvenanceJson.write(provenance.of(user, path, limit)));
  }

  private static FilePath path(String text) {
    FilePath path;
    try {
      path = FilePath.parse(text);
    } catch (InvalidHintException e) {
      throw ProblemException.invalid(PATH, String.valueOf(e.getMessage())).because(e);
    }
    if (!path.authority().isEmpty()) {
      throw ProblemException.invalid(
          PATH, "runs are in the default file system; write the path without hdfs://...");
    }
    return path;
  }
}
