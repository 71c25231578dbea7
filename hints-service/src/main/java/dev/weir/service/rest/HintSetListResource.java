package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.index.SetInfo;
import dev.weir.hints.store.HintStore;
import java.time.Instant;
import java.util.List;
import javax.ws.rs.BeanParam;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;

/** {@code GET /v1/hint-sets}: the sets in this instance's index, page by page. */
@Path("hint-sets")
@Produces(MediaType.APPLICATION_JSON)
public final class HintSetListResource {
  private static final int DEFAULT_LIMIT = 100;
  private static final int MAX_LIMIT = 1000;

  private final HintStore store;

  HintSetListResource(HintStore store) {
    this.store = store;
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
}
