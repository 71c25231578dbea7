package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.function.Function;
import javax.ws.rs.BeanParam;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;

/** {@code GET /v1/status}: the state of this instance. */
@Path("status")
@Produces(MediaType.APPLICATION_JSON)
public final class StatusResource {
  private final Function<String, ObjectNode> status;

  /** Creates the resource. The function of the user never blocks. */
  public StatusResource(Function<String, ObjectNode> status) {
    this.status = status;
  }

  /** Returns the state of this instance. */
  @GET
  public String getStatus(@BeanParam RequestContext call) {
    call.allow();
    return status.apply(call.user()).toString();
  }
}
