package dev.weir.service.rest;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.HintSet;
import dev.weir.hints.Rule;
import dev.weir.hints.SinglePathSets;
import dev.weir.hints.index.SetInfo;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoredSet;
import dev.weir.service.access.Authorizer;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.ws.rs.BeanParam;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.PATCH;
import javax.ws.rs.POST;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.PathParam;
import javax.ws.rs.Produces;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/hint-sets}: lists the sets in this instance's index page by page, and writes, reads,
 * changes, removes and extends a whole set.
 */
@Path("hint-sets")
@Produces(MediaType.APPLICATION_JSON)
public final class HintSetsResource {
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  private final SetUpdater updater;
  private final Authorizer authorizer;
  private final WriteResponses responses;
  private final HintStore store;
  private final Clock clock;

  HintSetsResource(
      SetUpdater updater,
      Authorizer authorizer,
      WriteResponses responses,
      HintStore store,
      Clock clock) {
    this.updater = updater;
    this.authorizer = authorizer;
    this.responses = responses;
    this.store = store;
    this.clock = clock;
  }

  /** Returns the sets after an id, in the order of their ids. */
  @GET
  public String listHintSets(@BeanParam RequestContext call) {
    call.allow("owner", "prefix", "limit", "after");
    String owner = call.query("owner").orElse("");
    String prefix = call.query("prefix").orElse("");
    String after = call.query("after").orElse("");
    int limit = call.number("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    List<SetInfo> found =
        store.snapshot().sets().stream()
            .filter(set -> set.id().compareTo(after) > 0 && set.id().startsWith(prefix))
            .filter(set -> owner.isEmpty() || set.owner().equals(owner))
            .limit(limit + 1L)
            .toList();
    List<SetInfo> page = found.subList(0, Math.min(limit, found.size()));
    ObjectNode answer = RequestJson.object();
    ArrayNode sets = answer.putArray("hint-sets");
    page.forEach(set -> write(set, sets.addObject()));
    if (found.size() > limit) {
      answer.put("next", page.get(limit - 1).id());
    }
    return answer.toString();
  }

  @PUT
  @Path("{id: [^/]+}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response putHintSet(
      @PathParam("id") String id, @BeanParam RequestContext call, InputStream body)
      throws IOException {
    call.allow(AppliedChangeWait.AWAIT, AppliedChangeWait.TIMEOUT);
    String user = call.user();
    Optional<Duration> wait = responses.requestedTimeout(call);
    HintSet requested = SetJson.read(RequestJson.readObject(body), id, user);
    requireNoPathSet(id, user);
    authorizer.requireOwner(user, requested.owner());
    authorizer.requireRuleCount(user, requested.rules().size());
    authorizer.requireRules(user, requested.rules(), SetJson::pointer);
    HintSet set = expiring(requested, authorizer.expiry(user, requested.expires()));
    SetUpdater.Written written =
        updater.change(id, VersionCondition.of(call), present -> replacing(user, set, present));
    return responses.written(written, wait);
  }

  @GET
  @Path("{id: [^/]+}")
  public Response getHintSet(@PathParam("id") String id, @BeanParam RequestContext call)
      throws IOException {
    call.allow();
    StoredSet stored = updater.require(id);
    VersionCondition condition = VersionCondition.of(call);
    if (condition.isUnmodified(stored.version())) {
      return Response.notModified()
          .header(HttpHeaders.ETAG, VersionCondition.tag(stored.version()))
          .build();
    }
    return Response.ok(SetJson.write(stored))
        .header(HttpHeaders.ETAG, VersionCondition.tag(stored.version()))
        .build();
  }

  @DELETE
  @Path("{id: [^/]+}")
  public void deleteHintSet(@PathParam("id") String id, @BeanParam RequestContext call)
      throws IOException {
    call.allow();
    String user = call.user();
    updater.remove(id, VersionCondition.of(call), set -> authorizer.requireOwned(user, set));
  }

  /** Adds, replaces and removes rules of a set. */
  @PATCH
  @Path("{id: [^/]+}")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response patchHintSet(
      @PathParam("id") String id, @BeanParam RequestContext call, InputStream body)
      throws IOException {
    call.allow(AppliedChangeWait.AWAIT, AppliedChangeWait.TIMEOUT);
    String user = call.user();
    Optional<Duration> wait = responses.requestedTimeout(call);
    SetPatch patch = SetPatch.read(RequestJson.readObject(body));
    requireNoPathSet(id, user);
    authorizer.requireRules(user, patch.rules(), SetJson::pointer);
    SetUpdater.Written written =
        updater.change(
            id, VersionCondition.of(call), present -> patched(user, patch, required(id, present)));
    return responses.written(written, wait);
  }

  /** Changes the expiry of a set. */
  @POST
  @Path("{id: [^/]+}:keep-alive")
  @Consumes(MediaType.APPLICATION_JSON)
  public Response keepAlive(
      @PathParam("id") String id, @BeanParam RequestContext call, InputStream body)
      throws IOException {
    call.allow(AppliedChangeWait.AWAIT, AppliedChangeWait.TIMEOUT);
    String user = call.user();
    Optional<Duration> wait = responses.requestedTimeout(call);
    Instant until = until(RequestJson.readObject(body));
    SetUpdater.Written written =
        updater.change(
            id,
            VersionCondition.of(call),
            present -> {
              HintSet set = required(id, present);
              authorizer.requireOwned(user, set);
              return expiring(set, authorizer.expiry(user, until));
            });
    return responses.written(written, wait);
  }

  /** Refuses the set of a path, which has one rule that the path carries too. */
  private void requireNoPathSet(String id, String user) {
    if (SinglePathSets.isOne(id) && !authorizer.isAdmin(user)) {
      throw ProblemException.forbidden(
          "id", "sets named " + SinglePathSets.PREFIX + "... belong to /v1/hints");
    }
  }

  private HintSet replacing(String user, HintSet set, Optional<StoredSet> present) {
    if (present.isPresent()) {
      authorizer.requireOwned(user, present.get().set());
    } else {
      authorizer.requireSetCount(user, setsOf(store, set.owner()), "/id");
    }
    return set;
  }

  private HintSet patched(String user, SetPatch patch, HintSet set) {
    authorizer.requireOwned(user, set);
    List<Rule> rules = patch.applyTo(set);
    authorizer.requireRuleCount(user, rules.size());
    Instant expires =
        patch.changesExpiry() ? authorizer.expiry(user, patch.expires()) : set.expires();
    return new HintSet(set.id(), set.owner(), expires, rules);
  }

  private static HintSet required(String id, Optional<StoredSet> present) {
    return present
        .map(StoredSet::set)
        .orElseThrow(
            () -> ProblemException.notFound("there is no hint set '" + id + "'; PUT creates one"));
  }

  private static HintSet expiring(HintSet set, @Nullable Instant expires) {
    return new HintSet(set.id(), set.owner(), expires, set.rules());
  }

  private Instant until(ObjectNode body) {
    JsonNode time = body.path("for");
    if (body.size() == 1 && time.isTextual()) {
      return clock.instant().plus(RequestContext.time("/for", time.textValue()));
    }
    if (body.size() == 1 && body.has("expires")) {
      Instant expires = SetJson.instant("/expires", body.path("expires"));
      if (expires != null) {
        return expires;
      }
    }
    throw ProblemException.invalid(
        "",
        "the body has neither a duration nor a time of expiry",
        List.of("{\"for\": \"12h\"}", "{\"expires\": \"2030-01-31T12:00:00Z\"}"));
  }

  private static void write(SetInfo set, ObjectNode node) {
    node.put("id", set.id());
    node.put("owner", set.owner());
    Instant expires = set.expires();
    if (expires != null) {
      node.put("expires", expires.toString());
    }
    node.put("rules", set.rules());
    node.put("version", set.version());
  }

  /** Counts the sets of an owner in this instance's index, which may miss the latest writes. */
  static long setsOf(HintStore store, String owner) {
    return store.snapshot().sets().stream().filter(set -> set.owner().equals(owner)).count();
  }
}
