package dev.weir.service.locate.rest;

import dev.weir.service.locate.Inference;
import dev.weir.service.locate.files.FilePath;
import dev.weir.service.part.ProblemException;
import dev.weir.service.rest.RequestContext;
import dev.weir.workflow.infer.InferredHint;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import javax.ws.rs.BeanParam;
import javax.ws.rs.Consumes;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.StreamingOutput;

/** {@code POST /v1/workflows:infer}: the hints that a workflow's graph implies. */
@Path("workflows:infer")
@Produces(MediaType.APPLICATION_JSON)
@Consumes({MediaType.APPLICATION_JSON, MediaType.APPLICATION_OCTET_STREAM})
public final class WorkflowsResource {
  private static final int MAX_NODES = 100_000;
  private static final int MAX_REPLICAS = 512;
  private static final String WFFORMAT = "wfformat";

  private final Inference inference;

  WorkflowsResource(Inference inference) {
    this.inference = inference;
  }

  /** Returns rules with their reasons. Nothing is stored. */
  @POST
  public StreamingOutput inferHints(@BeanParam RequestContext call, InputStream body)
      throws IOException {
    call.allow("directory", "nodes", "replication", "format");
    String format = call.query("format").orElse(WFFORMAT);
    if (!format.equals(WFFORMAT)) {
      throw ProblemException.invalid(
          "format", "'" + format + "' is not a supported format", List.of(WFFORMAT));
    }
    FilePath directory = PathsBody.path("directory", call.require("directory"));
    int nodes = call.number("nodes", 0, 1, MAX_NODES);
    int replication = call.number("replication", 0, 1, MAX_REPLICAS);
    List<InferredHint> rules = inference.infer(body.readAllBytes(), directory, nodes, replication);
    return StreamedResponses.object(
        json -> {
          json.writeArrayFieldStart("rules");
          for (InferredHint inferred : rules) {
            json.writeStartObject();
            json.writeStringField("pattern", inferred.rule().pattern().toString());
            HintJson.write(inferred.rule().hint(), json);
            json.writeStringField("reason", inferred.reason());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }
}
