package dev.weir.service.locate.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.hints.index.Match;
import dev.weir.service.auto.UseExplainer;
import dev.weir.service.locate.explain.LocationExplainer;
import dev.weir.service.locate.explain.LocationExplanation;
import dev.weir.service.locate.files.FileBlock;
import dev.weir.service.locate.files.FileInfo;
import dev.weir.service.rest.RequestContext;
import java.io.IOException;
import java.util.List;
import javax.ws.rs.BeanParam;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.StreamingOutput;
import org.jspecify.annotations.Nullable;

/** {@code GET /v1/explain?path=}: why the bytes of a file are where they are. */
@Path("explain")
@Produces(MediaType.APPLICATION_JSON)
public final class ExplainResource {
  private static final String PATH = "path";

  private final LocationExplainer explain;

  ExplainResource(LocationExplainer explain) {
    this.explain = explain;
  }

  /**
   * Returns the effective rule, what it asks for, the file, and the reasons for the differences.
   */
  @GET
  public StreamingOutput explain(@BeanParam RequestContext call) throws IOException {
    call.allow(PATH);
    LocationExplanation explained =
        explain.explain(call.user(), PathsBody.path(PATH, call.require(PATH)));
    return StreamedResponses.object(
        json -> {
          json.writeStringField("path", explained.path());
          writeRule(explained.match(), json);
          writeWanted(explained, json);
          writeActual(explained, json);
          writeUse(explained.use(), json);
          json.writeArrayFieldStart("differences");
          for (LocationExplanation.Difference difference : explained.differences()) {
            json.writeStartObject();
            json.writeStringField("what", difference.what());
            json.writeStringField("why", difference.why());
            json.writeEndObject();
          }
          json.writeEndArray();
        });
  }

  private static void writeRule(@Nullable Match match, JsonGenerator json) throws IOException {
    if (match == null) {
      json.writeNullField("rule");
      return;
    }
    json.writeObjectFieldStart("rule");
    json.writeStringField("set", match.set().id());
    json.writeStringField("owner", match.set().owner());
    json.writeStringField("pattern", match.pattern());
    HintJson.write(match.hint(), json);
    json.writeNumberField("version", match.set().version());
    json.writeEndObject();
  }

  private static void writeUse(UseExplainer.@Nullable Use use, JsonGenerator json)
      throws IOException {
    if (use != null) {
      json.writeObjectFieldStart("use");
      json.writeNumberField("reads", use.reads());
      json.writeNumberField("writes", use.writes());
      json.writeNumberField("utility", use.utility());
      json.writeStringField("why", use.why());
      json.writeEndObject();
    }
  }

  private static void writeWanted(LocationExplanation explained, JsonGenerator json)
      throws IOException {
    json.writeObjectFieldStart("wanted");
    json.writeNumberField("replicas", explained.wanted().replicas());
    writeNodes(explained.wantedNodes(), json);
    json.writeStringField("why", explained.wanted().why());
    json.writeEndObject();
  }

  private static void writeActual(LocationExplanation explained, JsonGenerator json)
      throws IOException {
    FileInfo file = explained.actual();
    json.writeObjectFieldStart("actual");
    json.writeBooleanField("exists", file != null);
    json.writeNumberField("bytes", file == null ? 0 : file.length());
    json.writeNumberField("replication", file == null ? 0 : file.replication());
    json.writeNumberField("block-size", file == null ? 0 : file.blockSize());
    json.writeArrayFieldStart("blocks");
    for (FileBlock block : file == null ? List.<FileBlock>of() : file.blocks()) {
      json.writeStartObject();
      json.writeNumberField("offset", block.offset());
      json.writeNumberField("length", block.length());
      writeNodes(explained.nodes(block), json);
      json.writeEndObject();
    }
    json.writeEndArray();
    json.writeEndObject();
  }

  private static void writeNodes(List<String> nodes, JsonGenerator json) throws IOException {
    json.writeArrayFieldStart("nodes");
    for (String node : nodes) {
      json.writeString(node);
    }
    json.writeEndArray();
  }
}
