package dev.weir.service.locate.rest;

import com.fasterxml.jackson.core.JsonGenerator;
import dev.weir.service.locate.FileReport;
import dev.weir.service.locate.Locations;
import dev.weir.service.locate.NodeShare;
import dev.weir.service.locate.files.PathFault;
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

/** {@code POST /v1/locations}: where the bytes of many files are. */
@Path("locations")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public final class LocationsResource {
  private final Locations locations;

  LocationsResource(Locations locations) {
    this.locations = locations;
  }

  /** Returns a report on each path, in their order. */
  @POST
  public StreamingOutput locate(@BeanParam RequestContext call, InputStream body)
      throws IOException {
    call.allow();
    String user = call.user();
    Locations.Answer answer = locations.find(user, PathsBody.read(body, List.of("paths")).paths());
    return StreamedResponses.object(
        json -> {
          json.writeArrayFieldStart("files");
          for (Locations.Located file : answer.files()) {
            write(file, json);
          }
          json.writeEndArray();
          json.writeNumberField("namenode-calls", answer.nameNodeCalls());
        });
  }

  private static void write(Locations.Located file, JsonGenerator json) throws IOException {
    json.writeStartObject();
    json.writeStringField("path", file.path());
    FileReport report = file.report();
    PathFault fault = report.fault();
    if (fault != null) {
      json.writeStringField("error", fault.word());
    } else {
      json.writeNumberField("bytes", report.bytes());
      json.writeNumberField("blocks", report.blocks());
      json.writeArrayFieldStart("nodes");
      for (NodeShare node : report.nodes()) {
        json.writeStartObject();
        writeNode(node, json);
        json.writeEndObject();
      }
      json.writeEndArray();
    }
    json.writeEndObject();
  }

  static void writeNode(NodeShare node, JsonGenerator json) throws IOException {
    json.writeStringField("host", node.host());
    json.writeStringField("rack", node.rack());
    json.writeNumberField("bytes", node.bytes());
    json.writeNumberField("cached-bytes", node.cachedBytes());
  }
}
