package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.HintSet;
import dev.weir.hints.HintText;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Rule;
import dev.weir.hints.SinglePathSets;
import dev.weir.hints.index.HintIndex;
import dev.weir.hints.index.Match;
import dev.weir.hints.store.HintStore;
import dev.weir.hints.store.StoredSet;
import dev.weir.service.access.Authorizer;
import dev.weir.service.access.HintAttributes;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import javax.ws.rs.BeanParam;
import javax.ws.rs.Consumes;
import javax.ws.rs.DELETE;
import javax.ws.rs.GET;
import javax.ws.rs.HeaderParam;
import javax.ws.rs.PUT;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;
import org.apache.hadoop.security.AccessControlException;
import org.jspecify.annotations.Nullable;

/**
 * {@code /v1/hints?path=}: the effective hint of a path, and sets of one rule for a path. If the
 * path exists, its hint is also stored with it as an attribute, so that a rename moves it. The hint
 * then lives as long as the path.
 */
@Path("hints")
@Produces(MediaType.APPLICATION_JSON)
public final class HintsResource {
  private static final String PATH = "path";

  private final HintStore store;
  private final SetUpdater updater;
  private final Authorizer authorizer;
  private final HintAttributes attributes;
  private final WriteResponses responses;

  HintsResource(
      HintStore store,
      SetUpdater updater,
      Authorizer authorizer,
      HintAttributes attributes,
      WriteResponses responses) {
    this.store = store;
    this.updater = updater;
    this.authorizer = authorizer;
    this.attributes = attributes;
    this.responses = responses;
  }

  /** Returns the effective hint of a path in this instance's index, and its rule. */
  @GET
  public String getHint(@BeanParam RequestContext call) {
    call.allow(PATH);
    PathPattern path = PathHintRequest.path(call.require(PATH));
    HintIndex index = store.snapshot();
    String authority = path.authority().orElse(index.authority());
    if (!authority.equals(index.authority())) {
      throw ProblemException.invalid(
          PATH,
          "the hints of the file system '" + authority + "' are not available here",
          List.of("hdfs://" + index.authority() + "/..."));
    }
    String file = path.literalPrefix();
    Match match =
        index
            .lookup(file)
            .orElseThrow(
                () ->
                    ProblemException.notFound(
                        "no rule applies to " + file + "; HDFS's defaults apply"));
    ObjectNode answer = RequestJson.object();
    answer.put("path", file);
    SetJson.writeHint(match.hint(), answer);
    answer.put("set", match.set().id());
    answer.put("owner", match.set().owner());
    answer.put("pattern", match.rule().pattern().toString());
    answer.put("version", match.set().version());
    return answer.toString();
  }

  /** Sets the hint of a path, written as JSON. */
  @PUT
  @Consumes(MediaType.APPLICATION_JSON)
  public Response putHint(@BeanParam RequestContext call, InputStream body) throws IOException {
    return put(call, PathHintRequest.HintToSet.read(RequestJson.read(body)));
  }

  /**
   * Sets the hint of a path, written in the short form. A form is refused, because the servlet
   * container reads its body: {@code curl -d} sends one.
   */
  @PUT
  @Consumes({MediaType.TEXT_PLAIN, MediaType.APPLICATION_FORM_URLENCODED})
  public Response putHintText(
      @BeanParam RequestContext call,
      @HeaderParam(HttpHeaders.CONTENT_TYPE) @Nullable String type,
      InputStream body)
      throws IOException {
    if (type != null && type.startsWith(MediaType.APPLICATION_FORM_URLENCODED)) {
      throw new ProblemException(
          ProblemJson.ofStatus(
              415,
              "a hint is no form: send it with the header 'Content-Type: text/plain', or as JSON"
                  + " with 'application/json'"));
    }
    return put(
        call,
        PathHintRequest.HintToSet.read(new String(body.readAllBytes(), StandardCharsets.UTF_8)));
  }

  /** Removes the hint of a path. */
  @DELETE
  public void deleteHint(@BeanParam RequestContext call) throws IOException {
    call.allow(PATH);
    String user = call.user();
    PathHintRequest.Target target = PathHintRequest.Target.of(call.require(PATH));
    VersionCondition condition = VersionCondition.of(call);
    String id = SinglePathSets.idFor(target.text());
    Optional<StoredSet> stored = updater.find(id);
    List<Rule> rules =
        stored
            .map(found -> found.set().rules())
            .orElse(List.of(new Rule(target.pattern(), SetJson.EMPTY_HINT)));
    authorizer.requireRules(user, rules, rule -> PATH);
    // The attribute is removed first: a leftover attribute would restore the set, and nothing would
    // point at it.
    String file = target.file();
    boolean hadAttribute =
        file != null && attributes.remove(fileSystemUser(user), target.authority(), file);
    if (stored.isEmpty() && !hadAttribute) {
      throw ProblemException.notFound(target.text() + " has no hint of its own");
    }
    if (stored.isPresent()) {
      updater.removeIfPresent(id, condition);
    }
  }

  private Response put(RequestContext call, PathHintRequest.HintToSet toSet) throws IOException {
    call.allow(PATH, AppliedChangeWait.AWAIT, AppliedChangeWait.TIMEOUT);
    String user = call.user();
    PathHintRequest.Target target = PathHintRequest.Target.of(call.require(PATH));
    Optional<Duration> wait = responses.requestedTimeout(call);
    Optional<Boolean> directory = isDirectory(user, target);
    PathPattern pattern =
        directory.orElse(target.trailingSlash()) ? target.below() : target.pattern();
    List<Rule> rules = List.of(new Rule(pattern, toSet.hint()));
    authorizer.requireRules(user, rules, rule -> PATH);
    @Nullable Instant expires =
        directory.isPresent() && toSet.expires() == null
            ? null
            : authorizer.expiry(user, toSet.expires());
    HintSet set = new HintSet(SinglePathSets.idFor(target.text()), user, expires, rules);
    SetUpdater.Written written =
        updater.change(
            set.id(),
            VersionCondition.of(call),
            present -> {
              if (present.isEmpty()) {
                authorizer.requireSetCount(user, HintSetsResource.setsOf(store, user), PATH);
              }
              return set;
            });
    String file = target.file();
    if (directory.isPresent() && file != null) {
      attributes.set(fileSystemUser(user), target.authority(), file, HintText.format(toSet.hint()));
    }
    return responses.written(written, wait);
  }

  /**
   * Returns whether the path is a directory; empty if it does not exist or is not a single path.
   */
  private Optional<Boolean> isDirectory(String user, PathHintRequest.Target target)
      throws IOException {
    String file = target.file();
    if (file == null) {
      return Optional.empty();
    }
    try {
      return attributes.isDirectory(fileSystemUser(user), target.authority(), file);
    } catch (AccessControlException e) {
      throw ProblemException.forbidden(PATH, user + " may not look at " + target.text()).because(e);
    }
  }

  /** Returns the user for the file system check. Administrators bypass it. */
  private String fileSystemUser(String user) {
    return authorizer.isAdmin(user) ? authorizer.self() : user;
  }
}
