package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** The secret of a run: who knows it is one of its processes. It never goes over the wire. */
public final class Secret {

  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;

  private final byte[] key;

  private Secret(byte[] key) {
    this.key = key;
  }

  /**
   * A new secret.
   *
   * @param random where it comes from
   * @return the secret
   */
  public static Secret generate(SecureRandom random) {
    byte[] key = new byte[BYTES];
    random.nextBytes(key);
    return new Secret(key);
  }

  /**
   * Reads what {@link #toHex} wrote.
   *
   * @param hex the secret in hexadecimal
   * @return the secret
   * @throws IllegalArgumentException when it is no hexadecimal string of the right length
   */
  public static Secret fromHex(String hex) {
    byte[] key = HexFormat.of().parseHex(hex);
    if (key.length != BYTES) {
      throw new IllegalArgumentException("The run's secret has " + key.length + " bytes");
    }
    return new Secret(key);
  }

  /**
   * The secret for a container's environment.
   *
   * @return it in hexadecimal
   */
  public String toHex() {
    return HexFormat.of().formatHex(key);
  }

  /**
   * Signs a nonce in one of the two directions, so that no answer can be sent back as one's own.
   */
  String sign(Side side, String nonce) {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(key, ALGORITHM));
      return HexFormat.of().formatHex(mac.doFinal((side.name() + ":" + nonce).getBytes(UTF_8)));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is missing from this Java runtime", e);
    }
  }

  boolean verify(Side side, String nonce, String proof) {
    return MessageDigest.isEqual(sign(side, nonce).getBytes(UTF_8), proof.getBytes(UTF_8));
  }

  static String nonce(SecureRandom random) {
    byte[] nonce = new byte[BYTES];
    random.nextBytes(nonce);
    return HexFormat.of().formatHex(nonce);
  }

  /** Who signs. */
  enum Side {
    MASTER,
    WORKER,
    /** A worker that gives of its cache. */
    HOLDER,
    /** A worker that asks it to. */
    READER
  }
}
