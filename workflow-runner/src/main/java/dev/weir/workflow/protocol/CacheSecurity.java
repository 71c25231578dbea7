package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayInputStream;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * How the node caches of a session know each other, and protect what they send: with a secret, and
 * where the session asks for protection, with TLS, for which both sides have the session's one
 * certificate and accept no other. Immutable.
 */
public final class CacheSecurity {

  private static final long KEYTOOL_SECONDS = 60;
  private static final String ALIAS = "session";

  private final Secret secret;

  /** A PKCS12 key store whose password is the secret; empty without TLS. */
  private final byte[] keyStore;

  private final @Nullable SSLContext tls;

  private CacheSecurity(Secret secret, byte[] keyStore) throws IOException {
    this.secret = secret;
    this.keyStore = keyStore;
    this.tls = keyStore.length == 0 ? null : context(secret, keyStore);
  }

  /**
   * That of a session that does not ask for protection.
   *
   * @param secret that of the session's node caches
   * @return it
   */
  public static CacheSecurity plain(Secret secret) {
    try {
      return new CacheSecurity(secret, new byte[0]);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * That of a session that asks for integrity or privacy, with a new certificate. Takes a second,
   * for the JDK's {@code keytool} makes it.
   *
   * @param secret that of the session's node caches
   * @return it
   * @throws IOException when there is no {@code keytool}, or it fails
   */
  public static CacheSecurity encrypted(Secret secret) throws IOException {
    Path directory = Files.createTempDirectory("weir-session-");
    Path store = directory.resolve("session.p12");
    // Nobody else may look into the directory; arguments and variables of a process are seen.
    Path password = directory.resolve("password");
    try {
      Files.writeString(password, secret.toHex());
      makeKeyStore(store, password);
      return new CacheSecurity(secret, Files.readAllBytes(store));
    } finally {
      Files.deleteIfExists(store);
      Files.deleteIfExists(password);
      Files.delete(directory);
    }
  }

  private static void makeKeyStore(Path store, Path password) throws IOException {
    ProcessBuilder keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                ALIAS,
                "-keyalg",
                "EC",
                "-groupname",
                "secp256r1",
                "-dname",
                "CN=weir-session",
                "-validity",
                "3650",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass:file",
                password.toString())
            .redirectErrorStream(true);
    Process process = keytool.start();
    process.getOutputStream().close();
    String said = new String(process.getInputStream().readAllBytes(), UTF_8);
    try {
      if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("keytool has made no certificate: " + said.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool makes a certificate", e);
    } finally {
      process.destroyForcibly();
    }
  }

  private static SSLContext context(Secret secret, byte[] keyStore) throws IOException {
    try {
      char[] password = secret.toHex().toCharArray();
      KeyStore keys = KeyStore.getInstance("PKCS12");
      keys.load(new ByteArrayInputStream(keyStore), password);
      KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
      own.init(keys, password);
      KeyStore pinned = KeyStore.getInstance("PKCS12");
      pinned.load(null, null);
      pinned.setCertificateEntry(ALIAS, keys.getCertificate(ALIAS));
      TrustManagerFactory others = TrustManagerFactory.getInstance("PKIX");
      others.init(pinned);
      SSLContext context = SSLContext.getInstance("TLSv1.3");
      context.init(own.getKeyManagers(), others.getTrustManagers(), null);
      return context;
    } catch (GeneralSecurityException e) {
      throw new IOException("The certificate of the session is of no use", e);
    }
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @param in where from
   * @param secret that of the session's node caches
   * @return it
   * @throws IOException when it is something else
   */
  public static CacheSecurity read(DataInput in, Secret secret) throws IOException {
    byte[] keyStore = new byte[in.readInt()];
    in.readFully(keyStore);
    return new CacheSecurity(secret, keyStore);
  }

  /**
   * Writes it without the secret, which opens the key store: who reads what is written can neither
   * prove anything nor decrypt it.
   *
   * @param out where to
   * @throws IOException when it cannot be written
   */
  public void write(DataOutput out) throws IOException {
    out.writeInt(keyStore.length);
    out.write(keyStore);
  }

  /**
   * With what the caches authenticate each connection.
   *
   * @return the secret
   */
  public Secret secret() {
    return secret;
  }

  /**
   * Whether what caches send is encrypted.
   *
   * @return whether
   */
  public boolean isEncrypted() {
    return tls != null;
  }

  /**
   * Protects a connection that was accepted.
   *
   * @param peer the connection
   * @return what to speak over; closing it closes the connection
   * @throws IOException when it cannot be protected
   */
  public Socket accepted(Socket peer) throws IOException {
    return wrap(peer, false);
  }

  /**
   * Protects a connection that was made.
   *
   * @param peer the connection
   * @return what to speak over; closing it closes the connection
   * @throws IOException when it cannot be protected
   */
  public Socket connected(Socket peer) throws IOException {
    return wrap(peer, true);
  }

  private Socket wrap(Socket peer, boolean isClient) throws IOException {
    if (tls == null) {
      return peer;
    }
    String host = peer.getInetAddress().getHostAddress();
    SSLSocket secured =
        (SSLSocket) tls.getSocketFactory().createSocket(peer, host, peer.getPort(), true);
    secured.setUseClientMode(isClient);
    secured.setNeedClientAuth(!isClient);
    return secured;
  }
}
