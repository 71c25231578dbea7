package dev.weir.service.rest;

import dev.weir.service.part.Problem;
import dev.weir.service.part.ProblemException;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.List;
import javax.annotation.Priority;
import javax.ws.rs.Priorities;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.PreMatching;
import javax.ws.rs.core.HttpHeaders;

/** Limits the bytes of a body, also if its headers state a smaller length. */
@PreMatching
@Priority(Priorities.HEADER_DECORATOR)
final class BodyLimit implements ContainerRequestFilter {
  private final long limit;

  BodyLimit(long limit) {
    this.limit = limit;
  }

  @Override
  public void filter(ContainerRequestContext request) {
    String coding = request.getHeaderString(HttpHeaders.CONTENT_ENCODING);
    if (coding != null && !coding.equalsIgnoreCase("identity")) {
      throw new ProblemException(
          new Problem(
              Problem.BLANK,
              415,
              "Unsupported media type",
              "the body's content encoding '" + coding + "' is not supported; send it unencoded",
              HttpHeaders.CONTENT_ENCODING,
              List.of("identity")));
    }
    String length = request.getHeaderString(HttpHeaders.CONTENT_LENGTH);
    if (length != null && isTooLong(length)) {
      throw tooLarge();
    }
    request.setEntityStream(new LimitedStream(request.getEntityStream()));
  }

  private boolean isTooLong(String length) {
    try {
      return Long.parseLong(length.strip()) > limit;
    } catch (NumberFormatException e) {
      return false;
    }
  }

  private ProblemException tooLarge() {
    return ProblemException.of(
        413,
        "Body too large",
        "the body has more than "
            + limit
            + " bytes ("
            + RestSettings.BODY.key()
            + "); send less, or split it into several requests",
        "");
  }

  private final class LimitedStream extends FilterInputStream {
    private long read;

    LimitedStream(InputStream in) {
      super(in);
    }

    @Override
    public int read() throws IOException {
      int value = super.read();
      count(value < 0 ? 0 : 1);
      return value;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
      int count = super.read(bytes, offset, length);
      count(Math.max(count, 0));
      return count;
    }

    @Override
    public long skip(long n) throws IOException {
      long count = super.skip(n);
      count(count);
      return count;
    }

    @Override
    public boolean markSupported() {
      return false;
    }

    private void count(long bytes) {
      read += bytes;
      if (read > limit) {
        throw tooLarge();
      }
    }
  }
}
