package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * A secret key: the master key of a session, or one derived from it. It signs with HMAC-SHA256.
 * Immutable.
 */
public final class Secret {

  /** The length of a signature, in bytes. */
  public static final int SIGNATURE_BYTES = 32;

  private static final String ALGORITHM = "HmacSHA256";
  private static final int BYTES = 32;

  private final byte[] key;

  /** Cloned for each signature, which is cheaper than a new instance. */
  private final Mac prototype;

  private Secret(byte[] key) {
    this.key = key.clone();
    try {
      this.prototype = Mac.getInstance(ALGORITHM);
      prototype.init(new SecretKeySpec(key, ALGORITHM));
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException(ALGORITHM + " is missing from this Java runtime", e);
    }
  }

  public static Secret generate(SecureRandom random) {
    byte[] key = new byte[BYTES];
    random.nextBytes(key);
    return new Secret(key);
  }

  /**
   * Creates a secret with a known key.
   *
   * @param key at least one byte
   */
  public static Secret of(byte[] key) {
    return new Secret(key);
  }

  /**
   * Reads what {@link #toHex} wrote.
   *
   * @param hex the secret in hexadecimal
   * @throws IllegalArgumentException when it is no hexadecimal string of the right length
   */
  public static Secret fromHex(String hex) {
    byte[] key = HexFormat.of().parseHex(hex);
    if (key.length != BYTES) {
      throw new IllegalArgumentException("The secret has " + key.length + " bytes, not " + BYTES);
    }
    return new Secret(key);
  }

  /**
   * Returns the secret as text.
   *
   * @return the key in hexadecimal
   */
  public String toHex() {
    return HexFormat.of().formatHex(key);
  }

  /** Derives a secret for another purpose. This secret cannot be computed from it. */
  public Secret derive(String purpose) {
    return new Secret(sign(purpose.getBytes(UTF_8)));
  }

  /**
   * Signs data.
   *
   * @param parts the data, as if concatenated
   * @return {@link #SIGNATURE_BYTES} bytes
   */
  public byte[] sign(byte[]... parts) {
    try {
      Mac mac = (Mac) prototype.clone();
      for (byte[] part : parts) {
        mac.update(part);
      }
      return mac.doFinal();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(ALGORITHM + " cannot be copied in this Java runtime", e);
    }
  }

  /**
   * Verifies a signature in constant time.
   *
   * @param parts the signed data, as if concatenated
   * @return whether this secret has created the signature
   */
  public boolean verifies(byte[] signature, byte[]... parts) {
    return MessageDigest.isEqual(sign(parts), signature);
  }
}
