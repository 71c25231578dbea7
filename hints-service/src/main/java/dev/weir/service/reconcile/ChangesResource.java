package dev.weir.service.reconcile;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import dev.weir.service.rest.RequestContext;
import dev.weir.service.rest.RequestJson;
import java.util.function.Predicate;
import javax.ws.rs.BeanParam;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;
import org.jspecify.annotations.Nullable;

/**
 * {@code GET /v1/changes}: the paths of the latest edits of the file system. For administrators
 * only, because the paths are not checked against read permissions.
 */
@Path("changes")
@Produces(MediaType.APPLICATION_JSON)
public final class ChangesResource {
  private final @Nullable RecentChanges changes;
  private final Predicate<String> administrators;

  /**
   * Creates the resource.
   *
   * @param changes null if this server follows no edits
   */
  ChangesResource(@Nullable RecentChanges changes, Predicate<String> administrators) {
    this.changes = changes;
    this.administrators = administrators;
  }

  /** Returns the paths after a mark. */
  @GET
  public String listChanges(@BeanParam RequestContext call) {
    call.allow("after");
    if (changes != null && !administrators.test(call.user())) {
      throw new ProblemException(
          Problem.forbidden(
              "user "
                  + call.user()
                  + " may not read changes; add the user to weir.server.admins of the service"));
    }
    RecentChanges.Page page = page(call.query("after").orElse(null));
    ObjectNode answer = RequestJson.object();
    answer.put("followed", page != null);
    answer.put("mark", page == null ? "" : page.mark());
    answer.put("missed", page == null || page.missed());
    if (page == null) {
      answer.putArray("paths");
    } else {
      page.paths().forEach(answer.putArray("paths")::add);
    }
    return answer.toString();
  }

  private RecentChanges.@Nullable Page page(@Nullable String mark) {
    if (changes == null) {
      return null;
    }
    RecentChanges.Page page = changes.after(mark);
    if (page == null) {
      throw new ProblemException(
          Problem.unavailable("only the leader follows edits; ask that instance"));
    }
    return page;
  }
}
