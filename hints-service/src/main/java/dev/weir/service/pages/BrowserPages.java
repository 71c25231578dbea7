package dev.weir.service.pages;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Optional;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.MediaType;
import javax.ws.rs.core.MultivaluedMap;
import javax.ws.rs.core.StreamingOutput;
import org.jspecify.annotations.Nullable;

/**
 * Answers browsers with HTML in place of JSON, at the same addresses: so a page has the
 * authentication, permissions and limits of its call. Downloads and long answers stay JSON.
 */
public final class BrowserPages implements ContainerResponseFilter {
  /** A page of more JSON would take too long to lay out. */
  private static final int MAX_BYTES = 4 << 20;

  private static final String POLICY =
      "default-src 'none'; style-src 'self'; form-action 'self'; frame-ancestors 'none';"
          + " base-uri 'none'";

  private static final ObjectMapper JSON = new ObjectMapper();

  public BrowserPages() {}

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response)
      throws IOException {
    String path = request.getUriInfo().getPath();
    if (!request.getMethod().equals("GET") || !response.hasEntity() || isDownload(path)) {
      return;
    }
    MultivaluedMap<String, Object> headers = response.getHeaders();
    headers.add(HttpHeaders.VARY, HttpHeaders.ACCEPT);
    MediaType type = response.getMediaType();
    if (!isBrowser(request.getHeaderString(HttpHeaders.ACCEPT))
        || type == null
        || !type.getSubtype().endsWith("json")) {
      return;
    }
    Optional<byte[]> json = bytes(response.getEntity());
    if (json.isEmpty()) {
      return;
    }
    // The stream is already written.
    response.setEntity(json.get());
    if (json.get().length <= MAX_BYTES) {
      JsonNode answer = JSON.readTree(json.get());
      String query =
          Optional.ofNullable(request.getUriInfo().getRequestUri().getRawQuery()).orElse("");
      response.setEntity(
          new PageWriter(path, query).page(answer).getBytes(UTF_8),
          response.getEntityAnnotations(),
          MediaType.TEXT_HTML_TYPE.withCharset("utf-8"));
      headers.putSingle("Content-Security-Policy", POLICY);
      // The tag is that of the JSON.
      headers.remove(HttpHeaders.ETAG);
    }
  }

  private static boolean isDownload(String path) {
    return path.endsWith("/wfformat") || path.endsWith(".json");
  }

  /** Browsers accept XHTML; Java's own HTTP client also asks for HTML, but wants JSON. */
  private static boolean isBrowser(@Nullable String accept) {
    return accept != null && accept.contains("application/xhtml+xml");
  }

  private static Optional<byte[]> bytes(Object entity) throws IOException {
    if (entity instanceof String text) {
      return Optional.of(text.getBytes(UTF_8));
    }
    if (entity instanceof byte[] bytes) {
      return Optional.of(bytes);
    }
    if (entity instanceof StreamingOutput stream) {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      stream.write(out);
      return Optional.of(out.toByteArray());
    }
    return Optional.empty();
  }
}
