package dev.weir.workflow.jobserver;

import dev.weir.workflow.jobs.HmacSigner;
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
 * Lets requests in that were signed with its key, lately, and not sent before. Each gatekeeper has
 * a key of its own: what an earlier one has let in, and this one does not remember, is signed with
 * another. Thread-safe.
 */
public final class RequestAuthenticator {

  /** How far a client's clock may be from ours, and for how long a request is remembered. */
  static final Duration SKEW = Duration.ofMinutes(5);

  private static final Pattern HEADER =
      Pattern.compile(
          "Weir time=(\\d{1,18}),nonce=([0-9a-f]{16,64}),"
              + "body=([0-9a-f]{64}),signature=([0-9a-f]{64})");

  private final String key;
  private final HmacSigner seal;
  private final Clock clock;

  /** Nonces by when they may be forgotten, oldest first. */
  private final Map<String, Long> seen = new LinkedHashMap<>();

  /**
   * A gatekeeper with a new key.
   *
   * @param random where the key comes from
   */
  public RequestAuthenticator(SecureRandom random, Clock clock) {
    this.key = HmacSigner.newKey(random);
    this.seal = new HmacSigner(key);
    this.clock = clock;
  }

  /** What those must have who are to be let in, in hexadecimal. */
  public String key() {
    return key;
  }

  /**
   * Who is let in, or why not.
   *
   * @param nonce of the request; empty when the caller does not know the key
   * @param bodyHash of the body that the caller has signed; empty when it does not know the key
   * @param refusal why it is not let in; null when it is
   */
  record Verdict(String nonce, String bodyHash, @Nullable String refusal) {

    private static Verdict stranger(String refusal) {
      return new Verdict("", "", refusal);
    }

    /** Whether a body is the one that the caller has signed. */
    boolean covers(byte[] body) {
      return HmacSigner.same(bodyHash, HmacSigner.hash(body));
    }
  }

  /**
   * Verifies the head of a request. The body is compared with {@link Verdict#covers} when it is
   * read.
   *
   * @param header its authorisation; empty for none
   */
  Verdict judge(String method, String target, String header) {
    Matcher parts = HEADER.matcher(header);
    if (!parts.matches()) {
      return Verdict.stranger("The request is not signed: see 'Signing' in docs/engines.md");
    }
    long time = Long.parseLong(parts.group(1));
    String nonce = parts.group(2);
    String bodyHash = parts.group(3);
    HmacSigner.Request request = new HmacSigner.Request(method, target, time, nonce, bodyHash);
    if (!HmacSigner.same(seal.signature(request), parts.group(4))) {
      // Nothing of it is true then, not even its nonce.
      return Verdict.stranger("The request's signature is not that of this pool's key");
    }
    return new Verdict(nonce, bodyHash, refusal(time, nonce));
  }

  private synchronized @Nullable String refusal(long time, String nonce) {
    long now = clock.millis();
    if (Math.abs(now - time) > SKEW.toMillis()) {
      return "The request's clock says "
          + Instant.ofEpochMilli(time)
          + ", the pool's "
          + Instant.ofEpochMilli(now)
          + ": they may be "
          + SKEW.toMinutes()
          + " minutes apart";
    }
    Iterator<Long> oldest = seen.values().iterator();
    while (oldest.hasNext() && oldest.next() < now) {
      oldest.remove();
    }
    // A nonce is good for as long as its time is, which may lie ahead of ours.
    boolean isNew = seen.putIfAbsent(nonce, now + 2 * SKEW.toMillis()) == null;
    return isNew ? null : "The request was sent before";
  }

  /** The signature of an answer. */
  String sign(String nonce, HttpReply reply, byte[] body) {
    return seal.answer(nonce, reply.status(), HmacSigner.hash(body));
  }
}
