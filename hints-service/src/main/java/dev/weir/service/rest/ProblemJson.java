package dev.weir.service.rest;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;

final class ProblemJson {
  static final String MEDIA_TYPE = "application/problem+json";

  /** The seconds after which a client may retry. */
  static final String RETRY_AFTER = "2";

  private ProblemJson() {}

  /**
   * Returns the JSON form.
   *
   * @param instance the path of the request
   */
  static String json(Problem problem, String instance) {
    ObjectNode node = RequestJson.object();
    node.put("type", problem.type());
    node.put("title", problem.title());
    node.put("status", problem.status());
    node.put("detail", problem.detail());
    node.put("instance", instance);
    node.put("field", problem.field());
    if (!problem.allowed().isEmpty()) {
      ArrayNode allowed = node.putArray("allowed");
      problem.allowed().forEach(allowed::add);
    }
    return node.toString();
  }

  /** Returns the problem for a status from Hadoop's filters, Jetty or Jersey. */
  static Problem ofStatus(int status, String detail) {
    ProblemException failure =
        status == 503
            ? ProblemException.unavailable(detail)
            : ProblemException.of(
                status < 400 || status > 599 ? 500 : status, title(status), detail);
    return failure.problem();
  }

  private static String title(int status) {
    return switch (status) {
      case 400 -> "Bad request";
      case 401 -> "Authentication required";
      case 403 -> "Not permitted";
      case 404 -> "Not found";
      case 405 -> "Method not allowed";
      case 406 -> "Not acceptable";
      case 413 -> "Body too large";
      case 414 -> "URI too long";
      case 415 -> "Unsupported media type";
      case 431 -> "Headers too large";
      default -> status < 500 ? "Request refused" : "Internal error";
    };
  }
}
