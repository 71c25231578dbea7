package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.WatcherInfo;
import java.io.IOException;
import java.util.function.Predicate;
import java.util.function.Supplier;
import javax.ws.rs.BeanParam;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;

/** {@code GET /v1/watchers}: the processes that follow the hints, and the version of each. */
@Path("watchers")
@Produces(MediaType.APPLICATION_JSON)
public final class WatchersResource {
  private final HintStore store;
  private final Supplier<Predicate<WatcherInfo>> active;

  WatchersResource(HintStore store, Supplier<Predicate<WatcherInfo>> active) {
    this.store = store;
    this.active = active;
  }

  /** Returns all watchers, with the latest version that this instance knows. */
  @GET
  public String listWatchers(@BeanParam RequestContext call) throws IOException {
    call.allow();
    long latest = store.status().version();
    ObjectNode answer = RequestJson.object();
    answer.put("version", latest);
    answer.set("watchers", WatcherJson.json(store.watchers(), latest, active.get()));
    return answer.toString();
  }
}
