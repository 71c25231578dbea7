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
 * Gives every ResourceManager of this process the same small key. Each makes one for certificates
 * of ApplicationMasters as it starts, whether they are to have any or not; in a JVM with the quick
 * compiler alone, which knows no instructions for large numbers, that took most of the time of its
 * tests.
 */
final class QuickKeys extends Provider {
  @Serial private static final long serialVersionUID = 1;
  private static final String ALGORITHM = "RSA";

  /** For a certificate that is signed with SHA-512 no less than 752 will do. */
  private static final int BITS = 1024;

  private QuickKeys(KeyPair keys) {
    super("QuickKeys", "1", "One key for all who ask");
    putService(
        new Service(
            this, "KeyPairGenerator", ALGORITHM, OneKey.class.getName(), List.of(), Map.of()) {
          @Override
          public Object newInstance(Object parameter) {
            return new OneKey(keys);
          }
        });
  }

  /** Sets the key that following requests get. */
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

  /** Of whatever size it is asked for. */
  private static final class OneKey extends KeyPairGeneratorSpi {
    private final KeyPair keys;

    OneKey(KeyPair keys) {
      this.keys = keys;
    }

    @Override
    public void initialize(int bits, SecureRandom random) {
      if (bits < BITS) {
        throw new InvalidParameterException("it has " + BITS + " bits");
      }
    }

    @Override
    public KeyPair generateKeyPair() {
      return keys;
    }
  }
}
