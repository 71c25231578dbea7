package dev.weir.workflow.jobserver;

import dev.weir.workflow.jobs.HmacSigner;
import dev.weir.workflow.protocol.Secret;
import dev.weir.workflow.text.Sha256;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Verifies that a request is signed with its key, recent, and not a replay. Each authenticator has
 * its own key, so a request to an earlier ApplicationMaster cannot be replayed to this one.
 * Thread-safe.
 */
public final class RequestAuthenticator {

  /** The maximum difference of the clocks, and the lifetime of a nonce. */
  static final Duration SKEW = Duration.ofMinutes(5);

  private static final Pattern HEADER =
      Pattern.compile(
          "Weir time=(\\d{1,18}),nonce=([0-9a-f]{16,64}),"
              + "body=([0-9a-f]{64}),signature=([0-9a-f]{64})");

  private final String key;
  private final HmacSigner signer;
  private final Clock clock;

  /** Nonces with their expiry times, oldest first. */
  private final Map<String, Long> nonces = new LinkedHashMap<>();

  /** Creates an authenticator with a new key. */
  public RequestAuthenticator(SecureRandom random, Clock clock) {
    this.key = Secret.generate(random).toHex();
    this.signer = new HmacSigner(key);
    this.clock = clock;
  }

  /** Returns the key that clients sign with, in hexadecimal. */
  public String key() {
    return key;
  }

  /**
   * The result of a verification.
   *
   * @param nonce of the request; empty when the caller does not know the key
   * @param bodyHash of the body that the caller has signed; empty when it does not know the key
   * @param refusal why the request is refused; null when it is accepted
   */
  record Result(String nonce, String bodyHash, @Nullable String refusal) {

    private static Result unauthenticated(String refusal) {
      return new Result("", "", refusal);
    }

    /** Whether the caller has signed the request with the key; it may be refused all the same. */
    boolean isByKnownCaller() {
      return !nonce.isEmpty();
    }

    /** Whether the caller has signed this body. */
    boolean covers(byte[] body) {
      return HmacSigner.same(bodyHash, Sha256.hex(body));
    }
  }

  /**
   * Verifies the head of a request. The body is compared with {@link Result#covers} when it is
   * read.
   *
   * @param header the authorisation header; empty for none
   */
  Result verify(String method, String target, String header) {
    Matcher parts = HEADER.matcher(header);
    if (!parts.matches()) {
      return Result.unauthenticated("The request is not signed: see 'Signing' in docs/engines.md");
    }
    long time = Long.parseLong(parts.group(1));
    String nonce = parts.group(2);
    String bodyHash = parts.group(3);
    HmacSigner.Request request = new HmacSigner.Request(method, target, time, nonce, bodyHash);
    if (!HmacSigner.same(signer.signature(request), parts.group(4))) {
      // The nonce of an unauthenticated request is not recorded.
      return Result.unauthenticated("The request's signature does not match this session's key");
    }
    return new Result(nonce, bodyHash, refusal(time, nonce));
  }

  private synchronized @Nullable String refusal(long time, String nonce) {
    long now = clock.millis();
    if (Math.abs(now - time) > SKEW.toMillis()) {
      return "The request's clock says %s, the session's %s: they may be %s minutes apart"
          .formatted(Instant.ofEpochMilli(time), Instant.ofEpochMilli(now), SKEW.toMinutes());
    }
    Iterator<Long> oldest = nonces.values().iterator();
    while (oldest.hasNext() && oldest.next() < now) {
      oldest.remove();
    }
    // A nonce is kept as long as its time is accepted, which may be ahead of ours.
    boolean isNew = nonces.putIfAbsent(nonce, now + 2 * SKEW.toMillis()) == null;
    return isNew ? null : "The request was sent before";
  }

  /** Returns the signature of an answer. */
  String sign(String nonce, HttpReply reply, byte[] body) {
    return signer.answer(nonce, reply.status(), Sha256.hex(body));
  }
}
