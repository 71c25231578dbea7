package dev.weir.workflow.jobserver;

import dev.weir.workflow.jobs.StatusCodec;

/**
 * An answer over HTTP.
 *
 * @param status status code
 * @param json the body
 */
public record HttpReply(int status, String json) {

  public static final int OK = 200;
  public static final int CREATED = 201;
  public static final int BAD_REQUEST = 400;
  static final int UNAUTHORIZED = 401;
  public static final int NOT_FOUND = 404;
  static final int NOT_ALLOWED = 405;
  public static final int CONFLICT = 409;
  static final int TOO_LARGE = 413;
  public static final int UNPROCESSABLE = 422;
  static final int FAILED = 500;
  public static final int UNAVAILABLE = 503;

  public static HttpReply error(int status, String message) {
    return new HttpReply(status, StatusCodec.error(message));
  }
}
