package dev.weir.service.reconcile;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.service.auto.AccessCounts;
import dev.weir.service.auto.AutoStatus;
import dev.weir.service.auto.MergedCounts;
import dev.weir.service.auto.ReplicaChange;
import dev.weir.service.part.ProblemException;
import dev.weir.service.rest.RequestContext;
import dev.weir.service.rest.RequestJson;
import java.io.IOException;
import java.io.InputStream;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Predicate;
import javax.ws.rs.BeanParam;
import javax.ws.rs.Consumes;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/auto-replication}: what the last round plans, and the counts behind it. For
 * administrators only, because the paths are not checked against read permissions.
 */
@Path("auto-replication")
@Produces(MediaType.APPLICATION_JSON)
public final class AutoReplicationResource {
  private static final int MAX_CHANGES = 1000;

  private final @Nullable AutoReplication auto;
  private final @Nullable MergedCounts counts;
  private final Predicate<String> administrators;

  /** Creates the resource. Its first two arguments are null in a process without reconciler. */
  AutoReplicationResource(
      @Nullable AutoReplication auto,
      @Nullable MergedCounts counts,
      Predicate<String> administrators) {
    this.auto = auto;
    this.counts = counts;
    this.administrators = administrators;
  }

  /** Returns the plan of the last round. */
  @GET
  public String plan(@BeanParam RequestContext call) {
    call.allow();
    AutoStatus status = status(call);
    ObjectNode answer = RequestJson.object();
    answer.put("time", status.time().toString());
    answer.put("namenodes-counting", status.counting());
    answer.put("counts-established", status.established());
    answer.put("files", status.files());
    answer.put("budget", status.budget());
    answer.put("bytes", status.bytes());
    answer.put("price", status.price());
    answer.put("changes", status.changes().size());
    ArrayNode list = answer.putArray("plan");
    for (ReplicaChange change : status.changes().stream().limit(MAX_CHANGES).toList()) {
      list.addObject()
          .put("path", change.path())
          .put("own", change.own())
          .put("from", change.from())
          .put("to", change.to())
          .put("utility", change.utility());
    }
    return answer.toString();
  }

  /** Returns the counts of the files under {@code auto}. */
  @GET
  @Path("profile")
  public String exportProfile(@BeanParam RequestContext call) {
    call.allow();
    AutoStatus status = status(call);
    ObjectNode answer = RequestJson.object();
    ArrayNode files = answer.putArray("files");
    status
        .counts()
        .forEach(
            (path, count) ->
                files
                    .addObject()
                    .put("path", path)
                    .put("reads", count.reads())
                    .put("writes", count.writes()));
    return answer.toString();
  }

  /** Adds counts of an exported profile to those of the leader. */
  @POST
  @Path("profile")
  @Consumes(MediaType.APPLICATION_JSON)
  public String importProfile(@BeanParam RequestContext call, InputStream body) throws IOException {
    call.allow();
    AutoStatus unused = status(call);
    Map<String, AccessCounts.Count> read = new HashMap<>();
    for (JsonNode file : RequestJson.readObject(body).path("files")) {
      String path = file.path("path").asText("");
      double reads = file.path("reads").asDouble(-1);
      double writes = file.path("writes").asDouble(-1);
      if (!path.startsWith("/") || !(reads >= 0) || !(writes >= 0)) {
        throw ProblemException.invalid(
            "/files/" + read.size(),
            "is not {\"path\": \"/...\", \"reads\": 1.5, \"writes\": 0}: " + file);
      }
      read.put(path, new AccessCounts.Count(reads, writes));
    }
    if (counts != null) {
      counts.add(AccessCounts.ofPaths(read));
    }
    return RequestJson.object().put("files", read.size()).toString();
  }

  private AutoStatus status(RequestContext call) {
    if (!administrators.test(call.user())) {
      throw ProblemException.forbidden(
          "user "
              + call.user()
              + " may not see the use of files; add the user to weir.server.admins of the"
              + " service");
    }
    if (auto == null) {
      throw ProblemException.unavailable(
          "this process sets no replicas by use; ask one that follows edits: an instance whose"
              + " weir.server.role is reconciler or all, with weir.server.reconciler.enabled");
    }
    AutoStatus status = auto.status();
    if (status == null) {
      throw ProblemException.unavailable("only the leader counts accesses; ask that instance");
    }
    return status;
  }
}
