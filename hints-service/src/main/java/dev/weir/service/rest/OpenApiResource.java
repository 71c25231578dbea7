package dev.weir.service.rest;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import javax.ws.rs.GET;
import javax.ws.rs.Path;
import javax.ws.rs.Produces;
import javax.ws.rs.core.MediaType;

/** {@code GET /v1/openapi.json}: the description of all calls for people and programs. */
@Path("openapi.json")
@Produces(MediaType.APPLICATION_JSON)
public final class OpenApiResource {
  private final String text;

  OpenApiResource() {
    try (InputStream in = OpenApiResource.class.getResourceAsStream("openapi.json")) {
      if (in == null) {
        throw new IllegalStateException("openapi.json is missing beside " + getClass());
      }
      this.text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @GET
  public String getOpenApi() {
    return text;
  }
}
