package dev.weir.service.rest;

import dev.weir.hints.InvalidHintException;
import dev.weir.hints.store.SetTooBigException;
import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.io.IOException;
import java.io.UncheckedIOException;
import javax.ws.rs.NotAcceptableException;
import javax.ws.rs.NotAllowedException;
import javax.ws.rs.NotFoundException;
import javax.ws.rs.NotSupportedException;
import javax.ws.rs.WebApplicationException;
import javax.ws.rs.core.Context;
import javax.ws.rs.core.HttpHeaders;
import javax.ws.rs.core.Response;
import javax.ws.rs.core.UriInfo;
import javax.ws.rs.ext.ExceptionMapper;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Maps every exception of a call to a problem document. The stack trace stays in the log. */
final class FailureMapper implements ExceptionMapper<Throwable> {
  private static final Logger LOG = LoggerFactory.getLogger(FailureMapper.class);

  @Context private @Nullable UriInfo uri;

  @Override
  public Response toResponse(Throwable failure) {
    Problem problem = problem(failure);
    String path = uri == null ? "" : uri.getRequestUri().getRawPath();
    if (problem.status() == 500) {
      LOG.error("{} failed", path, failure);
    } else {
      LOG.debug("{} refused", path, failure);
    }
    Response.ResponseBuilder response =
        Response.status(problem.status())
            .type(ProblemJson.MEDIA_TYPE)
            .entity(ProblemJson.json(problem, path));
    if (failure instanceof NotAllowedException notAllowed) {
      response.header(
          HttpHeaders.ALLOW, notAllowed.getResponse().getHeaderString(HttpHeaders.ALLOW));
    }
    if (problem.status() == 503) {
      response.header(HttpHeaders.RETRY_AFTER, ProblemJson.RETRY_AFTER);
    }
    return response.build();
  }

  private static Problem problem(Throwable failure) {
    if (failure instanceof ProblemException known) {
      return known.problem();
    }
    if (failure instanceof InvalidHintException invalid) {
      return InvalidInput.problem(invalid).problem();
    }
    if (failure instanceof WebApplicationException refused) {
      return ofJersey(refused);
    }
    if (failure instanceof SetTooBigException) {
      return ProblemException.of(
              413, "Body too large", String.valueOf(failure.getMessage()), "/rules")
          .problem();
    }
    if (failure instanceof IOException || failure instanceof UncheckedIOException) {
      return ProblemException.unavailable(
              "the service cannot reach what it needs: " + failure.getMessage() + "; try again")
          .problem();
    }
    return ProblemException.of(500, "Internal error", "the service failed; see its log").problem();
  }

  private static Problem ofJersey(WebApplicationException refused) {
    int status = refused.getResponse().getStatus();
    String detail = String.valueOf(refused.getMessage());
    if (refused instanceof NotFoundException) {
      detail = "there is no such call; /v1/openapi.json lists them";
    } else if (refused instanceof NotAllowedException) {
      detail = "this call does not have the method; the header Allow lists its methods";
    } else if (refused instanceof NotSupportedException) {
      detail = "the type of the body is not supported; send Content-Type: application/json";
    } else if (refused instanceof NotAcceptableException) {
      detail = "responses are application/json; accept that";
    }
    return ProblemJson.ofStatus(status, detail);
  }
}
