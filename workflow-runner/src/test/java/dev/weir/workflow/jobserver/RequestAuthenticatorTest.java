package dev.weir.workflow.jobserver;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.store.MutableClock;
import dev.weir.workflow.jobs.HmacSigner;
import dev.weir.workflow.text.Sha256;
import java.nio.charset.StandardCharsets;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class RequestAuthenticatorTest {

  private static final String NONCE = "0123456789abcdef";
  private static final byte[] BODY = {1, 2, 3};

  private final MutableClock clock = new MutableClock(Instant.ofEpochSecond(1_000_000));
  private final RequestAuthenticator authenticator =
      new RequestAuthenticator(new SecureRandom(), clock);
  private final HmacSigner signer = new HmacSigner(authenticator.key());

  private String signed(HmacSigner by, String target, String nonce) {
    return by.authorization(
        new HmacSigner.Request("POST", target, clock.millis(), nonce, Sha256.hex(BODY)));
  }

  private Optional<String> refusal(String target, String header) {
    return Optional.ofNullable(authenticator.verify("POST", target, header).refusal());
  }

  @Test
  void acceptsRequestsSignedWithTheKey() {
    RequestAuthenticator.Result verdict =
        authenticator.verify("POST", "/v1/jobs", signed(signer, "/v1/jobs", NONCE));

    assertThat(verdict).isEqualTo(new RequestAuthenticator.Result(NONCE, Sha256.hex(BODY), null));
    assertThat(verdict.covers(BODY)).isTrue();
    assertThat(verdict.covers(new byte[] {1, 2, 4})).isFalse();
  }

  @Test
  void refusesUnsignedRequestsAndOtherKeys() {
    String other = signed(new HmacSigner("cd".repeat(32)), "/v1/jobs", NONCE);

    assertThat(refusal("/v1/jobs", "")).get().asString().contains("not signed");
    assertThat(refusal("/v1/jobs", "Bearer " + authenticator.key())).isPresent();
    assertThat(refusal("/v1/jobs", other)).get().asString().contains("does not match");
  }

  @Test
  void refusesAlteredRequests() {
    String header = signed(signer, "/v1/jobs", NONCE);

    assertThat(refusal("/v1/session", header)).isPresent();
    String otherBody = Sha256.hex(new byte[] {1, 2, 4});
    assertThat(refusal("/v1/jobs", header.replace(Sha256.hex(BODY), otherBody))).isPresent();
    assertThat(authenticator.verify("GET", "/v1/jobs", header).refusal()).isNotNull();
    assertThat(refusal("/v1/jobs", header.replace("time=1", "time=2"))).isPresent();
  }

  @Test
  void refusesReplayedRequestsWhileTheyAreValid() {
    String header = signed(signer, "/v1/jobs", NONCE);
    assertThat(refusal("/v1/jobs", header)).isEmpty();

    assertThat(refusal("/v1/jobs", header)).get().asString().contains("sent before");
    clock.advance(RequestAuthenticator.SKEW);
    assertThat(refusal("/v1/jobs", header)).get().asString().contains("sent before");
    clock.advance(Duration.ofSeconds(1));
    assertThat(refusal("/v1/jobs", header)).get().asString().contains("minutes apart");
  }

  @Test
  void forgetsNoncesAfterABoundedTime() {
    assertThat(refusal("/", signed(signer, "/", NONCE))).isEmpty();
    clock.advance(RequestAuthenticator.SKEW.multipliedBy(3));

    assertThat(refusal("/", signed(signer, "/", NONCE))).as("signed again").isEmpty();
  }

  @Test
  void bindsSignedAnswersToTheirRequest() {
    HttpReply reply = new HttpReply(200, "{}");
    byte[] body = reply.json().getBytes(StandardCharsets.UTF_8);

    assertThat(authenticator.sign(NONCE, reply, body))
        .isEqualTo(signer.answer(NONCE, 200, Sha256.hex(body)))
        .isNotEqualTo(signer.answer(NONCE + "0", 200, Sha256.hex(body)))
        .isNotEqualTo(signer.answer(NONCE, 201, Sha256.hex(body)));
  }
}
