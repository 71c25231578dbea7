package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.ServiceCall;
import dev.weir.workflow.client.RunName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Resolves names of runs as {@code weir status} does: the id, a prefix of it, the number at its
 * end, or {@code last}, among the runs that the service knows.
 */
final class RunNames {
  private static final String FULL = "application_\\d+_\\d+";
  private static final int MOST = 1000;
  private static final int SHOWN = 5;

  private final HintsClient client;
  private final @Nullable String owner;

  /**
   * Creates a resolver.
   *
   * @param owner the owner of the runs; null for all that the caller may see
   */
  RunNames(HintsClient client, @Nullable String owner) {
    this.client = client;
    this.owner = owner;
  }

  /**
   * Returns the id.
   *
   * @return the name itself if it is a full id or no known run matches
   * @throws AmbiguousException if several runs match
   */
  String id(String name) throws IOException {
    if (name.matches(FULL)) {
      return name;
    }
    ServiceCall call = ServiceCall.of("GET", "/v1/runs").query("limit", Integer.toString(MOST));
    JsonNode known =
        client.send(owner == null ? call : call.query("owner", owner)).json().path("runs");
    if (name.equals("last")) {
      return known.isEmpty() ? name : known.get(0).path("id").asText();
    }
    List<String> ids = new ArrayList<>();
    known.forEach(run -> ids.add(run.path("id").asText()));
    if (ids.contains(name)) {
      return name;
    }
    List<String> meant = RunName.meant(name, ids);
    if (meant.size() > 1) {
      throw new AmbiguousException(
          "'"
              + name
              + "' could be "
              + String.join(", ", meant.subList(0, Math.min(SHOWN, meant.size())))
              + (meant.size() > SHOWN ? ", ..." : "")
              + ": give more of the id");
    }
    return meant.isEmpty() ? name : meant.get(0);
  }

  /** A name that matches several runs. */
  static final class AmbiguousException extends IOException {
    private static final long serialVersionUID = 1L;

    AmbiguousException(String message) {
      super(message);
    }
  }
}
