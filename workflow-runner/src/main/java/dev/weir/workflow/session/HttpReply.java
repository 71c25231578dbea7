package dev.weir.workflow.session;

import dev.weir.workflow.jobs.StatusCodec;

/**
 * An answer over HTTP.
 *
 * @param status status code
 * @param json the body
 */
record HttpReply(int status, String json) {

  static final int OK = 200;
  static final int CREATED = 201;
  static final int BAD_REQUEST = 400;
  static final int UNAUTHORIZED = 401;
  static final int NOT_FOUND = 404;
  static final int NOT_ALLOWED = 405;
  static final int CONFLICT = 409;
  static final int TOO_LARGE = 413;
  static final int UNPROCESSABLE = 422;
  static final int FAILED = 500;
  static final int UNAVAILABLE = 503;

  static HttpReply error(int status, String message) {
    return new HttpReply(status, StatusCodec.error(message));
  }
}
