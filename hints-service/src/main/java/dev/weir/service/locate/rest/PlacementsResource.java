package dev.weir.service.locate.rest;

import dev.weir.service.locate.InputNodeRanking;
import dev.weir.service.rest.RequestContext;
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

/** {@code POST /v1/placements:rank}: which nodes have most of a task's inputs. */
@Path("placements:rank")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public final class PlacementsResource {
  private static final int MAX_NODES = 100_000;
  private static final String LIMIT = "limit";

  private final InputNodeRanking ranking;

  PlacementsResource(InputNodeRanking ranking) {
    this.ranking = ranking;
  }

  @POST
  public StreamingOutput rankPlacements(@BeanParam RequestContext call, InputStream body)
      throws IOException {
    call.allow();
    String user = call.user();
    PathsBody requested = PathsBody.read(body, List.of("paths", LIMIT));
    int limit = requested.number(LIMIT, MAX_NODES, MAX_NODES);
    InputNodeRanking.Answer answer = ranking.rank(user, requested.paths());
    return StreamedResponses.object(
        json -> {
          json.writeArrayFieldStart("nodes");
          int count = 0;
          for (InputNodeRanking.Node node : answer.nodes()) {
            if (count++ == limit) {
              break;
            }
            json.writeStartObject();
            LocationsResource.writeNode(node.has(), json);
            if (node.expected()) {
              json.writeBooleanField("expected", true);
            }
            json.writeEndObject();
          }
          json.writeEndArray();
          json.writeNumberField("bytes", answer.bytes());
          json.writeArrayFieldStart("missing");
          for (String path : answer.missing()) {
            json.writeString(path);
          }
          json.writeEndArray();
          json.writeNumberField("namenode-calls", answer.nameNodeCalls());
        });
  }
}
