package dev.weir.hints.client.http;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Parses answers of the service. */
final class AnswerReader {
  private static final int FIRST_ERROR = 400;
  private static final int EXCERPT_LENGTH = 80;
  private static final Pattern VERSION_TAG = Pattern.compile("(?:W/)?\"(\\d{1,18})\"");

  private final ObjectMapper mapper = new ObjectMapper();

  /**
   * Parses the answer of an instance.
   *
   * @throws HintsServiceException if it is a problem, or not an answer of the service
   */
  Answer read(URI instance, HttpAnswer response) throws HintsServiceException {
    int status = response.status();
    if (status >= FIRST_ERROR) {
      throw problem(instance, response);
    }
    if (response.body().length == 0) {
      return new Answer(status, MissingNode.getInstance(), version(response));
    }
    try {
      JsonNode json = mapper.readTree(response.body());
      OptionalLong version = version(response);
      if (version.isEmpty() && json.path("version").isIntegralNumber()) {
        version = OptionalLong.of(json.path("version").longValue());
      }
      return new Answer(status, json, version);
    } catch (IOException e) {
      throw HintsServiceException.away(
          instance
              + " answered "
              + status
              + " with a body that is not JSON ("
              + excerpt(response.body())
              + "): check that "
              + ClientSettings.URL_KEY
              + " names the hints service",
          e);
    }
  }

  /** The exception for an answer with status 400 or more. */
  HintsServiceException problem(URI instance, HttpAnswer response) {
    int status = response.status();
    JsonNode problem;
    try {
      problem = mapper.readTree(response.body());
    } catch (JsonProcessingException e) {
      problem = MissingNode.getInstance();
    } catch (IOException e) {
      throw new IllegalStateException("cannot read bytes in memory", e);
    }
    if (problem == null || !problem.isObject()) {
      return HintsServiceException.answered(
          status, "", instance + " answered " + status + ": " + excerpt(response.body()), null);
    }
    JsonNode field = problem.path("field");
    @Nullable String faultyField = field.isTextual() ? field.textValue() : null;
    return HintsServiceException.answered(
        status, problem.path("title").asText(""), problem.path("detail").asText(""), faultyField);
  }

  private static OptionalLong version(HttpAnswer response) {
    Matcher version = VERSION_TAG.matcher(response.header("ETag").orElse(""));
    return version.matches()
        ? OptionalLong.of(Long.parseLong(version.group(1)))
        : OptionalLong.empty();
  }

  private static String excerpt(byte[] body) {
    String text = new String(body, StandardCharsets.UTF_8).replaceAll("[\\s\\p{Cntrl}]+", " ");
    String plain = text.strip();
    if (plain.isEmpty()) {
      return "no details";
    }
    return plain.length() > EXCERPT_LENGTH ? plain.substring(0, EXCERPT_LENGTH) + "..." : plain;
  }
}
