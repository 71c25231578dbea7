package dev.weir.service.rest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.SetTooBigException;
import java.io.IOException;
import javax.ws.rs.core.Response;
import org.junit.jupiter.api.Test;

class FailureMapperTest {
  @Test
  void tooBigSetIsNotRetryable() {
    try (Response answer =
        new FailureMapper().toResponse(new SetTooBigException("use fewer rules"))) {
      assertThat(answer.getStatus()).isEqualTo(413);
      assertThat(answer.getHeaderString("Retry-After")).isNull();
      assertThat(answer.getEntity()).asString().contains("/rules").contains("use fewer rules");
    }
  }

  @Test
  void ioFailureIsRetryable() {
    try (Response answer = new FailureMapper().toResponse(new IOException("gone"))) {
      assertThat(answer.getStatus()).isEqualTo(503);
      assertThat(answer.getHeaderString("Retry-After")).isEqualTo("2");
    }
  }
}
