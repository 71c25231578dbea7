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
 * Authentication and encryption between the node caches of a session, and between the containers of
 * a task that has several. They authenticate with a secret. If the session requires protection,
 * they also use TLS: both sides have the session's one certificate and accept no other. Immutable.
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
   * Creates the security of a session without protection.
   *
   * @param secret secret of the session's node caches
   */
  public static CacheSecurity plain(Secret secret) {
    try {
      return new CacheSecurity(secret, new byte[0]);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /**
   * Creates the security of a session with integrity or privacy, with a new certificate. Takes a
   * second, because the JDK's {@code keytool} generates it.
   *
   * @throws IOException if there is no {@code keytool}, or it fails
   */
  public static CacheSecurity encrypted(Secret secret) throws IOException {
    Path directory = Files.createTempDirectory("weir-session-");
    Path store = directory.resolve("session.p12");
    // The directory is private, while arguments and variables of a process are visible to others.
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
    try {
      // Its output of a few lines fits into the pipe.
      if (!process.waitFor(KEYTOOL_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException(
            "keytool created no certificate within " + KEYTOOL_SECONDS + " seconds");
      }
      if (process.exitValue() != 0) {
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        throw new IOException("keytool failed to create a certificate: " + output.strip());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted while keytool creates a certificate", e);
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
      throw new IOException("The certificate of the session is invalid", e);
    }
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @param secret secret of the session's node caches
   * @throws IOException if the data is invalid
   */
  public static CacheSecurity read(DataInput in, Secret secret) throws IOException {
    byte[] keyStore = new byte[in.readInt()];
    in.readFully(keyStore);
    return new CacheSecurity(secret, keyStore);
  }

  /**
   * Writes it without the secret, which opens the key store. A reader of what is written can
   * neither authenticate nor decrypt.
   */
  public void write(DataOutput out) throws IOException {
    out.writeInt(keyStore.length);
    out.write(keyStore);
  }

  /** Returns the secret with which the caches authenticate each connection. */
  public Secret secret() {
    return secret;
  }

  /** Returns whether connections are encrypted. */
  public boolean isEncrypted() {
    return tls != null;
  }

  /**
   * Protects an accepted connection.
   *
   * @return the protected connection; closing it closes the original one
   */
  public Socket accepted(Socket peer) throws IOException {
    return wrap(peer, false);
  }

  /**
   * Protects an outgoing connection.
   *
   * @return the protected connection; closing it closes the original one
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
