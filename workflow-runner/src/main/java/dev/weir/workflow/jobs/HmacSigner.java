package dev.weir.workflow.jobs;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.Secret;
import java.security.MessageDigest;
import java.util.HexFormat;

/**
 * Signs the messages between a session and its clients with a key that only the session's owner can
 * read. The key itself is never sent, so an eavesdropper can neither alter a message nor forge one.
 */
public final class HmacSigner {

  /** Header of requests: {@code Weir time=MILLIS,nonce=HEX,body=HEX,signature=HEX}. */
  public static final String REQUEST_HEADER = "Authorization";

  /** Header of answers: the signature. */
  public static final String ANSWER_HEADER = "Weir-Signature";

  private final Secret secret;

  /**
   * Creates a signer.
   *
   * @param hexKey the session's key in hexadecimal, 32 bytes
   * @throws IllegalArgumentException when the key is invalid
   */
  public HmacSigner(String hexKey) {
    this.secret = Secret.fromHex(hexKey);
  }

  /**
   * The signed parts of a request.
   *
   * @param method such as GET
   * @param target path and query as sent
   * @param timeMillis the client's clock, in milliseconds since the epoch
   * @param nonce a value that the client has not sent before
   * @param bodyHash SHA-256 of the body in hexadecimal
   */
  public record Request(
      String method, String target, long timeMillis, String nonce, String bodyHash) {}

  /**
   * Signs a request.
   *
   * @return value of the header {@link #REQUEST_HEADER}
   */
  public String authorization(Request request) {
    return "Weir time=%s,nonce=%s,body=%s,signature=%s"
        .formatted(request.timeMillis(), request.nonce(), request.bodyHash(), signature(request));
  }

  /**
   * Signs a request.
   *
   * @return in hexadecimal
   */
  public String signature(Request request) {
    return mac(
        String.join(
            "\n",
            "request",
            request.method(),
            request.target(),
            Long.toString(request.timeMillis()),
            request.nonce(),
            request.bodyHash()));
  }

  /**
   * Signs an answer.
   *
   * @param nonce of the request
   * @param status HTTP status code
   * @param bodyHash SHA-256 of the body in hexadecimal
   * @return in hexadecimal
   */
  public String answer(String nonce, int status, String bodyHash) {
    return mac(String.join("\n", "answer", nonce, Integer.toString(status), bodyHash));
  }

  /** Compares two signatures in a time that does not depend on where they differ. */
  public static boolean same(String one, String other) {
    return MessageDigest.isEqual(one.getBytes(UTF_8), other.getBytes(UTF_8));
  }

  private String mac(String text) {
    return HexFormat.of().formatHex(secret.sign(text.getBytes(UTF_8)));
  }
}
