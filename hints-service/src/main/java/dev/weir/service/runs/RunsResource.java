package dev.weir.service.runs;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.service.access.Authorizer;
import dev.weir.service.part.ProblemException;
import dev.weir.service.rest.RequestContext;
import dev.weir.service.rest.RequestJson;
import dev.weir.workflow.provenance.ProvenanceJson;
import dev.weir.workflow.provenance.RunHead;
import dev.weir.workflow.provenance.RunPart;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import javax.ws.rs.BeanParam;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.StreamingOutput;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/runs}: the records of runs. Only the owner of a run and administrators may access it.
 */
@Path("runs")
@Produces(MediaType.APPLICATION_JSON)
@Consumes(MediaType.APPLICATION_JSON)
public final class RunsResource {
  private static final Pattern ID = Pattern.compile("[A-Za-z0-9_][A-Za-z0-9._-]{0,199}");
  private static final String ID_FIELD = "id";
  private static final String OWNER = "owner";
  private static final String AFTER = "after";
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  private final RunStore runs;
  private final WfFormatExport export;
  private final CurrentFiles hdfs;
  private final Authorizer authorizer;

  RunsResource(RunStore runs, WfFormatExport export, CurrentFiles hdfs, Authorizer authorizer) {
    this.runs = runs;
    this.export = export;
    this.hdfs = hdfs;
    this.authorizer = authorizer;
  }

  /** Creates a run or updates its state. */
  @PUT
  @Path("{id}")
  public Response putRun(
      @BeanParam RequestContext call, @PathParam(ID_FIELD) String id, InputStream body)
      throws IOException {
    call.allow();
    requireId(id);
    String caller = call.user();
    RunHead head = RunBodies.read(body, RunHead.class);
    String owner = owner(caller, head.owner());
    requireDirectory(caller, head.dataDir());
    boolean created;
    try {
      created = runs.put(new RunKey(owner, id), head);
    } catch (RunStore.MovedException e) {
      throw ProblemException.invalid("/data-dir", String.valueOf(e.getMessage())).because(e);
    }
    ObjectNode answer = RequestJson.object().put("id", id).put("state", head.state().name());
    return Response.status(created ? 201 : 200).entity(answer.toString()).build();
  }

  /** Adds tasks, attempts, files and workers to a run. Idempotent. */
  @POST
  @Path("{id}/records")
  public String addRecords(
      @BeanParam RequestContext call, @PathParam(ID_FIELD) String id, InputStream body)
      throws IOException {
    RunKey key = keyToChange(call, id);
    RunPart part = RunBodies.read(body, RunPart.class);
    if (!runs.add(key, part)) {
      throw absent(id);
    }
    return RequestJson.object()
        .put("id", id)
        .put("files", part.files().size())
        .put("tasks", part.tasks().size())
        .put("attempts", part.attempts().size())
        .put("workers", part.workers().size())
        .toString();
  }

  @GET
  @Path("{id}")
  public String getRun(@BeanParam RequestContext call, @PathParam(ID_FIELD) String id) {
    RunRow run = require(call, id);
    AttemptTotals totals = runs.totals(run.number());
    ObjectNode answer = node(run);
    answer.put("tasks", totals.tasks()).put("tasks-done", totals.done());
    answer.put("attempts", totals.attempts());
    answer.put("input-bytes-local", totals.inputLocal());
    answer.put("input-bytes-remote", totals.inputRemote());
    answer.put("output-bytes", totals.output());
    answer.put("cpu-millis", totals.cpuMillis());
    answer.put("peak-memory-bytes", totals.peakMemory());
    return answer.toString();
  }

  /** Returns the runs that the caller may see, the last one first. */
  @GET
  public String listRuns(@BeanParam RequestContext call) {
    call.allow(OWNER, "limit", AFTER);
    String caller = call.user();
    Optional<String> requested = requestedOwner(call);
    String owner = requested.orElse(authorizer.isAdmin(caller) ? null : caller);
    int limit = call.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    List<RunRow> found = runs.list(owner, before(call), limit + 1);
    List<RunRow> page = found.subList(0, Math.min(limit, found.size()));
    ObjectNode answer = RequestJson.object();
    ArrayNode list = answer.putArray("runs");
    page.forEach(run -> list.add(node(run)));
    if (found.size() > limit) {
      answer.put("next", Long.toString(page.get(limit - 1).number()));
    }
    return answer.toString();
  }

  /** Returns a run as an instance of WfFormat 1.6. */
  @GET
  @Path("{id}/wfformat")
  public StreamingOutput exportRun(@BeanParam RequestContext call, @PathParam(ID_FIELD) String id) {
    RunRow run = require(call, id);
    return export
        .of(run)
        .orElseThrow(
            () ->
                ProblemException.notFound(
                    "no task of run '" + id + "' is recorded, and WfFormat needs at least one"));
  }

  /** Removes the records of a run. Its files in HDFS stay. */
  @DELETE
  @Path("{id}")
  public Response deleteRun(@BeanParam RequestContext call, @PathParam(ID_FIELD) String id) {
    if (!runs.remove(keyToChange(call, id))) {
      throw absent(id);
    }
    return Response.noContent().build();
  }

  private static ObjectNode node(RunRow run) {
    ObjectNode node = RequestJson.object().put("id", run.id()).put("owner", run.owner());
    node.setAll((ObjectNode) ProvenanceJson.toTree(run.head()));
    node.put("owner", run.owner()).put("heard", run.lastReport().toString());
    return node;
  }

  private RunRow require(RequestContext call, String id) {
    return runs.find(key(call, id)).orElseThrow(() -> absent(id));
  }

  /**
   * Returns the key of the caller's own run, or for an administrator without one, of the only run
   * with that id.
   */
  private RunKey key(RequestContext call, String id) {
    List<String> owners = otherOwners(call, id);
    if (owners.size() > 1) {
      throw ProblemException.invalid(
          OWNER, "several users have a run '" + id + "'; add ?owner= to choose one", owners);
    }
    return new RunKey(owners.isEmpty() ? ownerOrCaller(call) : owners.get(0), id);
  }

  /**
   * Returns the key of a run to change. Without an owner it is always the caller's, never another
   * user's.
   */
  private RunKey keyToChange(RequestContext call, String id) {
    List<String> owners = otherOwners(call, id);
    if (!owners.isEmpty()) {
      throw ProblemException.invalid(
          OWNER,
          "you have no run '"
              + id
              + "', but "
              + String.join(", ", owners)
              + (owners.size() == 1 ? " has" : " have")
              + "; add ?owner= (--owner) to change one of another",
          owners);
    }
    return new RunKey(ownerOrCaller(call), id);
  }

  private String ownerOrCaller(RequestContext call) {
    return requestedOwner(call).orElseGet(call::user);
  }

  /**
   * Returns the other owners of runs with that id, for an administrator who has none and names no
   * owner.
   */
  private List<String> otherOwners(RequestContext call, String id) {
    call.allow(OWNER);
    requireId(id);
    String caller = call.user();
    if (requestedOwner(call).isPresent() || !authorizer.isAdmin(caller)) {
      return List.of();
    }
    List<String> owners = runs.owners(id);
    return owners.contains(caller) ? List.of() : owners;
  }

  private Optional<String> requestedOwner(RequestContext call) {
    String caller = call.user();
    Optional<String> requested = call.query(OWNER);
    if (requested.isPresent() && !requested.get().equals(caller) && !authorizer.isAdmin(caller)) {
      throw ProblemException.forbidden(
          OWNER, "only administrators see the runs of others; leave it out");
    }
    return requested;
  }

  private static @Nullable Long before(RequestContext call) {
    Optional<String> after = call.query(AFTER);
    if (after.isEmpty()) {
      return null;
    }
    try {
      return Long.valueOf(after.get());
    } catch (NumberFormatException e) {
      throw ProblemException.invalid(
              AFTER, "'" + after.get() + "' is not a page; write the 'next' of the page before")
          .because(e);
    }
  }

  private static void requireId(String id) {
    if (!ID.matcher(id).matches()) {
      throw ProblemException.invalid(
          ID_FIELD,
          "'"
              + id
              + "' is not an id of a run; write 1 to 200 letters, digits, dots, underscores and"
              + " hyphens, and neither dot nor hyphen first");
    }
  }

  private static ProblemException absent(String id) {
    return ProblemException.notFound(
        "there is no run '" + id + "'; PUT /v1/runs/" + id + " creates one");
  }

  private String owner(String caller, @Nullable String requested) {
    if (requested == null || requested.equals(caller)) {
      return caller;
    }
    if (!authorizer.isAdmin(caller)) {
      throw ProblemException.forbidden(
          "/owner", "only administrators record runs of others; leave the field out");
    }
    return requested;
  }

  /**
   * Refuses a run in a directory that the caller may not write to, because the caller could not
   * have produced files there.
   */
  private void requireDirectory(String caller, String directory) throws IOException {
    if (authorizer.isAdmin(caller)) {
      return;
    }
    Optional<String> refusal = hdfs.refusal(caller, directory);
    if (refusal.isPresent()) {
      throw ProblemException.forbidden(
          "/data-dir", refusal.get() + ", so none of the user's runs has written there");
    }
  }
}
