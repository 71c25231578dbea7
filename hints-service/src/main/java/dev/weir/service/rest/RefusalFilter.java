package dev.weir.service.rest;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import javax.servlet.Filter;
import javax.servlet.FilterChain;
import javax.servlet.FilterConfig;
import javax.servlet.ServletException;
import javax.servlet.ServletRequest;
import javax.servlet.ServletResponse;
import javax.servlet.http.HttpServletResponse;
import javax.servlet.http.HttpServletResponseWrapper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces two responses of Hadoop's proxy user filter by problem documents: a RemoteException as
 * JSON, and an invalid user name. Must come before that filter.
 */
public final class RefusalFilter implements Filter {
  private static final Logger LOG = LoggerFactory.getLogger(RefusalFilter.class);

  @Override
  public void init(FilterConfig config) {}

  @Override
  public void doFilter(ServletRequest request, ServletResponse response, FilterChain chain)
      throws IOException, ServletException {
    CapturedResponse captured = new CapturedResponse((HttpServletResponse) response);
    try {
      chain.doFilter(request, captured);
    } catch (IllegalArgumentException e) {
      // Resources handle their own exceptions. This one is from a Hadoop filter that found no user
      // name.
      LOG.debug("A filter refused a request", e);
      ((HttpServletResponse) response)
          .sendError(HttpServletResponse.SC_BAD_REQUEST, "user.name or doAs names no user");
      return;
    }
    String refusal = captured.refusal();
    if (refusal != null) {
      ((HttpServletResponse) response).sendError(HttpServletResponse.SC_FORBIDDEN, refusal);
    }
  }

  @Override
  public void destroy() {}

  private static final class CapturedResponse extends HttpServletResponseWrapper {
    private @Nullable StringWriter refusalBody;

    CapturedResponse(HttpServletResponse response) {
      super(response);
    }

    /** Only Hadoop's filter uses the writer for a 403; Jersey and Jetty write to the stream. */
    @Override
    public PrintWriter getWriter() throws IOException {
      if (getStatus() != SC_FORBIDDEN) {
        return super.getWriter();
      }
      refusalBody = new StringWriter();
      return new PrintWriter(refusalBody);
    }

    @Nullable String refusal() {
      if (refusalBody == null) {
        return null;
      }
      try {
        JsonNode message =
            RequestJson.parse(refusalBody.toString()).path("RemoteException").path("message");
        return message.asText("Forbidden");
      } catch (ProblemException e) {
        return "Forbidden";
      }
    }
  }
}
