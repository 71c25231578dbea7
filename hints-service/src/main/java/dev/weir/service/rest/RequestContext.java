package dev.weir.service.rest;

import dev.weir.hints.InvalidHintException;
import dev.weir.hints.Quantities;
import dev.weir.service.part.ProblemException;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import javax.servlet.http.HttpServletRequest;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MultivaluedMap;
import javax.ws.rs.core.UriInfo;
import org.jspecify.annotations.Nullable;

/**
 * A request without its body: the caller, the query and the headers. For a resource method's
 * parameter with {@code @BeanParam}.
 */
public final class RequestContext {
  /** The query parameters that Hadoop's filters read in any call. */
  private static final Set<String> HADOOP_PARAMETERS = Set.of("user.name", "doas", "delegation");

  /** The longest time that is accepted. It can be added to an instant without an overflow. */
  private static final Duration MAX_TIME = Duration.ofDays(1_000_000);

  @Context private @Nullable HttpServletRequest request;
  @Context private @Nullable UriInfo uri;
  @Context private @Nullable HttpHeaders headers;

  /** Returns the caller's short name, as Hadoop's filters determined it. */
  public String user() {
    String user = Objects.requireNonNull(request).getRemoteUser();
    if (user == null || user.isBlank()) {
      throw ProblemException.of(401, "Authentication required", "the request names no user");
    }
    return user;
  }

  /**
   * Refuses a query with other parameters.
   *
   * @throws ProblemException 400
   */
  public void allow(String... names) {
    List<String> known = List.of(names);
    for (String name : query().keySet()) {
      if (!known.contains(name) && !HADOOP_PARAMETERS.contains(name.toLowerCase(Locale.ROOT))) {
        throw ProblemException.invalid(
            name, "'" + name + "' is not a parameter of this call; leave it out", known);
      }
    }
  }

  /**
   * Returns a query parameter.
   *
   * @throws ProblemException 400 if it occurs twice
   */
  public Optional<String> query(String name) {
    List<String> values = query().getOrDefault(name, List.of());
    if (values.size() > 1) {
      throw ProblemException.invalid(
          name, "'" + name + "' occurs " + values.size() + " times; write one");
    }
    return values.stream().findFirst();
  }

  /**
   * Returns a mandatory query parameter.
   *
   * @throws ProblemException 400 if it is missing
   */
  public String require(String name) {
    return query(name)
        .filter(value -> !value.isEmpty())
        .orElseThrow(
            () ->
                ProblemException.invalid(
                    name, "the query has no '" + name + "'; add ?" + name + "="));
  }

  /**
   * Returns an integer query parameter.
   *
   * @throws ProblemException 400 if it is not an integer within the bounds
   */
  public int number(String name, int fallback, int min, int max) {
    Optional<String> text = query(name);
    if (text.isEmpty()) {
      return fallback;
    }
    try {
      int number = Integer.parseInt(text.get());
      if (number >= min && number <= max) {
        return number;
      }
    } catch (NumberFormatException e) {
      // Reported below.
    }
    throw ProblemException.invalid(
        name,
        "'" + text.get() + "' is not a number from " + min + " to " + max,
        List.of(min + " to " + max));
  }

  /**
   * Returns a query parameter that is a time such as 500ms, 5s, 2m, 12h or 3d.
   *
   * @throws ProblemException 400 if it is not a time
   */
  public Duration time(String name, Duration fallback) {
    return query(name).map(text -> time(name, text)).orElse(fallback);
  }

  /** Returns a header, its values joined by commas. */
  public Optional<String> header(String name) {
    List<String> values = Objects.requireNonNull(headers).getRequestHeader(name);
    return values == null || values.isEmpty()
        ? Optional.empty()
        : Optional.of(String.join(",", values));
  }

  /** Parses a time such as 500ms, 5s, 2m, 12h or 3d, or one in ISO 8601. */
  static Duration time(String field, String text) {
    try {
      Duration time = Quantities.duration(text);
      if (!time.isNegative() && time.compareTo(MAX_TIME) <= 0) {
        return time;
      }
    } catch (InvalidHintException e) {
      // Reported below.
    }
    throw ProblemException.invalid(
        field,
        "'" + text + "' is not a time; write one such as 500ms, 5s, 2m, 12h, 3d or PT12H",
        List.of("500ms", "5s", "2m", "12h", "3d", "PT12H"));
  }

  private MultivaluedMap<String, String> query() {
    try {
      return Objects.requireNonNull(uri).getQueryParameters();
    } catch (IllegalArgumentException e) {
      throw ProblemException.invalid("", "the query is not percent-encoded: " + e.getMessage())
          .because(e);
    }
  }
}
