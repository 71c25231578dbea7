package dev.weir.service.rest;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import javax.servlet.http.HttpServletRequest;
import javax.servlet.http.HttpServletResponse;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.handler.ErrorHandler;
import org.eclipse.jetty.util.BufferUtil;
import org.jspecify.annotations.Nullable;

/**
 * Writes problem documents for refusals of Jetty and Hadoop's filters before a call is reached: no
 * ticket, a malformed request, or a forbidden impersonation.
 */
public final class ProblemErrorHandler extends ErrorHandler {
  /** Creates a handler. A server needs one for itself and one for its context. */
  public ProblemErrorHandler() {
    setShowStacks(false);
    setShowServlet(false);
  }

  @Override
  public boolean errorPageForMethod(String method) {
    return true;
  }

  @Override
  protected void generateAcceptableResponse(
      Request baseRequest,
      HttpServletRequest request,
      HttpServletResponse response,
      int code,
      @Nullable String message)
      throws IOException {
    baseRequest.setHandled(true);
    response.setContentType(ProblemJson.MEDIA_TYPE);
    if (code == HttpServletResponse.SC_SERVICE_UNAVAILABLE) {
      response.setHeader("Retry-After", ProblemJson.RETRY_AFTER);
    }
    int status = code;
    if (code == HttpServletResponse.SC_NOT_IMPLEMENTED) {
      // A page's servlet reports an unsupported method this way. It is an error of the caller, not
      // of the service.
      status = HttpServletResponse.SC_METHOD_NOT_ALLOWED;
      response.setStatus(status);
      response.setHeader("Allow", "GET, HEAD, OPTIONS");
    }
    byte[] body = body(status, message, String.valueOf(request.getRequestURI()));
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  @Override
  public ByteBuffer badMessageError(int status, @Nullable String reason, HttpFields fields) {
    fields.put(HttpHeader.CONTENT_TYPE, ProblemJson.MEDIA_TYPE);
    return BufferUtil.toBuffer(body(status, reason, ""));
  }

  private static byte[] body(int status, @Nullable String message, String instance) {
    // Messages of Hadoop and Jetty about refusals are for the caller; those about their own faults
    // are for the log.
    String detail = status < 500 && message != null ? message : "see the service's log";
    return ProblemJson.json(ProblemJson.ofStatus(status, detail), instance)
        .getBytes(StandardCharsets.UTF_8);
  }
}
