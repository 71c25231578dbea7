package dev.weir.service;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.networknt.schema.JsonSchemaFactory;
import com.networknt.schema.SpecVersion.VersionFlag;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Calls a server as the user alice, and checks every response against the server's own description.
 */
public final class OpenApiClient {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final TestServer server;
  private final JsonNode description;
  private final JsonSchemaFactory schemas = JsonSchemaFactory.getInstance(VersionFlag.V202012);
  private final Set<String> seen = new TreeSet<>();

  public OpenApiClient(TestServer server) throws IOException, InterruptedException {
    this.server = server;
    this.description = MAPPER.readTree(server.send("GET", "/v1/openapi.json").body());
  }

  /** Returns all operations, in the form {@code GET /v1/status}. */
  Set<String> described() {
    Set<String> operations = new TreeSet<>();
    description
        .path("paths")
        .properties()
        .forEach(
            path ->
                path.getValue()
                    .fieldNames()
                    .forEachRemaining(
                        verb ->
                            operations.add(verb.toUpperCase(Locale.ROOT) + " " + path.getKey())));
    return operations;
  }

  /** Returns the described responses, except problems, that no check has received. */
  Set<String> unseen() {
    Set<String> unseen = new TreeSet<>();
    for (String operation : described()) {
      operation(operation)
          .path("responses")
          .fieldNames()
          .forEachRemaining(
              status -> {
                if (!status.equals("default") && !seen.contains(operation + " " + status)) {
                  unseen.add(operation + " " + status);
                }
              });
    }
    return unseen;
  }

  /** Sends a request and returns the tag of the response. */
  public String check(String verb, String path, @Nullable String body, int status)
      throws IOException, InterruptedException {
    return checkWith(verb, path, body, status);
  }

  /** Sends a request with headers and returns the tag of the response. */
  String checkWith(String verb, String path, @Nullable String body, int status, String... headers)
      throws IOException, InterruptedException {
    String url = path + (path.contains("?") ? "&" : "?") + "user.name=alice";
    HttpResponse<String> answer =
        body == null ? server.send(verb, url, headers) : server.sendJson(verb, url, body, headers);
    String what = verb + " " + path + " -> " + answer.statusCode() + " " + answer.body();
    assertThat(answer.statusCode()).as(what).isEqualTo(status);
    String operation = verb + " " + template(verb, path.replaceFirst("\\?.*", ""));
    JsonNode responses = operation(operation).path("responses");
    JsonNode response = responses.path(Integer.toString(status));
    seen.add(operation + " " + status);
    if (response.isMissingNode()) {
      assertThat(status).as("undescribed: " + what).isGreaterThanOrEqualTo(400);
      response = responses.path("default");
    }
    requireContent(what, response.path("content"), answer);
    return answer.headers().firstValue("ETag").orElse("");
  }

  private void requireContent(String what, JsonNode content, HttpResponse<String> answer)
      throws IOException {
    if (content.isMissingNode()) {
      assertThat(answer.body()).as(what).isEmpty();
      return;
    }
    String type = answer.headers().firstValue("Content-Type").orElse("").replaceFirst(";.*", "");
    JsonNode schema = content.path(type).path("schema");
    assertThat(schema.isMissingNode()).as(what + " is of type " + type).isFalse();
    ObjectNode whole = MAPPER.createObjectNode();
    whole.set("components", description.path("components"));
    whole.setAll((ObjectNode) schema);
    assertThat(schemas.getSchema(whole).validate(MAPPER.readTree(answer.body())))
        .as(what)
        .isEmpty();
  }

  private JsonNode operation(String operation) {
    String[] parts = operation.split(" ", 2);
    return description.path("paths").path(parts[1]).path(parts[0].toLowerCase(Locale.ROOT));
  }

  private String template(String verb, String path) {
    return described().stream()
        .filter(operation -> operation.startsWith(verb + " "))
        .map(operation -> operation.substring(verb.length() + 1))
        .filter(template -> path.matches(template.replaceAll("\\{\\w+\\}", "[^/:]+")))
        .findFirst()
        .orElseThrow(() -> new AssertionError("undescribed: " + verb + " " + path));
  }
}
