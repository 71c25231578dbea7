package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.hints.SinglePathSets;
import dev.weir.service.access.CacheCapacity;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.Response;

/** Builds the responses of calls that write a set. */
final class WriteResponses {
  private final AppliedChangeWait appliedWait;
  private final ClientRulesWriter clientRules;
  private final CacheCapacity cacheCapacity;

  /**
   * Creates a builder that waits and warns as requested.
   *
   * @param clientRules awaited after the NameNode
   * @param cacheCapacity warns if the files of a set cannot be cached
   */
  WriteResponses(
      AppliedChangeWait appliedWait, ClientRulesWriter clientRules, CacheCapacity cacheCapacity) {
    this.appliedWait = appliedWait;
    this.clientRules = clientRules;
    this.cacheCapacity = cacheCapacity;
  }

  /** Returns the requested timeout; empty if the request does not wait. */
  Optional<Duration> requestedTimeout(RequestContext call) {
    return appliedWait.requestedTimeout(call);
  }

  /**
   * Returns the response of a write, after waiting if requested.
   *
   * @param wait the longest wait; empty for none
   */
  Response written(SetUpdater.Written written, Optional<Duration> wait) {
    ObjectNode body = RequestJson.object();
    body.put("id", written.set().id());
    body.put("owner", written.set().owner());
    Instant expires = written.set().expires();
    if (expires != null) {
      body.put("expires", expires.toString());
    }
    body.put("version", written.version());
    body.put("rules", written.set().rules().size());
    if (SinglePathSets.isOne(written.set().id()) && written.set().rules().size() == 1) {
      body.put("pattern", written.set().rules().get(0).pattern().toString());
    }
    if (written.set().rules().stream().anyMatch(rule -> rule.hint().cache())) {
      cacheCapacity.warning().ifPresent(warning -> body.putArray("warnings").add(warning));
    }
    int status = written.created() ? 201 : 200;
    if (wait.isPresent()) {
      if (appliedWait.await(written.version(), wait.get(), body)) {
        clientRules.awaitShown(written.set());
      } else {
        status = 202;
      }
    }
    return Response.status(status)
        .type(MediaType.APPLICATION_JSON)
        .header(HttpHeaders.ETAG, VersionCondition.tag(written.version()))
        .entity(body.toString())
        .build();
  }
}
