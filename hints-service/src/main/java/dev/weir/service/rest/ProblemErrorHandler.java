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
 * Makes problem documents of what Jetty and Hadoop's filters refuse before a call is reached: no
 * ticket, a malformed request, an impersonation that is not allowed.
 */
public final class ProblemErrorHandler extends ErrorHandler {
  /** One for a server, one for its context. */
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
    int told = code;
    if (code == HttpServletResponse.SC_NOT_IMPLEMENTED) {
      // A page's servlet says so of methods that it does not know: the caller's choice, not a
      // fault.
      told = HttpServletResponse.SC_METHOD_NOT_ALLOWED;
      response.setStatus(told);
      response.setHeader("Allow", "GET, HEAD, OPTIONS");
    }
    byte[] body = body(told, message, String.valueOf(request.getRequestURI()));
    response.setContentLength(body.length);
    response.getOutputStream().write(body);
  }

  @Override
  public ByteBuffer badMessageError(int status, @Nullable String reason, HttpFields fields) {
    fields.put(HttpHeader.CONTENT_TYPE, ProblemJson.MEDIA_TYPE);
    return BufferUtil.toBuffer(body(status, reason, ""));
  }

  private static byte[] body(int status, @Nullable String message, String instance) {
    // What Hadoop and Jetty say of a refusal is for the caller; of their own faults, for the log.
    String detail = status < 500 && message != null ? message : "the service's log says more";
    return ProblemJson.json(ProblemJson.ofStatus(status, detail), instance)
        .getBytes(StandardCharsets.UTF_8);
  }
}
