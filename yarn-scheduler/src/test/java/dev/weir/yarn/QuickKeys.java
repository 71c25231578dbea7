package dev.weir.yarn;

import java.io.Serial;
import java.security.InvalidParameterException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.KeyPairGeneratorSpi;
import java.security.NoSuchAlgorithmException;
import java.security.Provider;
import java.security.SecureRandom;
import java.security.Security;
import java.util.List;
import java.util.Map;

/**
 * Gives every ResourceManager of this process the same small RSA key. Each generates one at its
 * start for the certificates of ApplicationMasters, even if unused. In a test JVM with only the C1
 * compiler, that took most of the tests' time.
 */
final class QuickKeys extends Provider {
  @Serial private static final long serialVersionUID = 1;
  private static final String ALGORITHM = "RSA";

  /** A certificate that is signed with SHA-512 needs at least 752. */
  private static final int BITS = 1024;

  private QuickKeys(KeyPair keys) {
    super("QuickKeys", "1", "The same key for all requests");
    putService(
        new Service(
            this, "KeyPairGenerator", ALGORITHM, OneKey.class.getName(), List.of(), Map.of()) {
          @Override
          public Object newInstance(Object parameter) {
            return new OneKey(keys);
          }
        });
  }

  /** Installs the provider in this process, once. */
  static void install() {
    if (Security.getProvider("QuickKeys") == null) {
      try {
        KeyPairGenerator generator = KeyPairGenerator.getInstance(ALGORITHM);
        generator.initialize(BITS);
        Security.insertProviderAt(new QuickKeys(generator.generateKeyPair()), 1);
      } catch (NoSuchAlgorithmException e) {
        throw new IllegalStateException("every JDK has " + ALGORITHM, e);
      }
    }
  }

  /** Ignores the requested size, up to {@link #BITS}. */
  private static final class OneKey extends KeyPairGeneratorSpi {
    private final KeyPair keys;

    OneKey(KeyPair keys) {
      this.keys = keys;
    }

    @Override
    public void initialize(int bits, SecureRandom random) {
      if (bits < BITS) {
        throw new InvalidParameterException("the key has " + BITS + " bits");
      }
    }

    @Override
    public KeyPair generateKeyPair() {
      return keys;
    }
  }
}
