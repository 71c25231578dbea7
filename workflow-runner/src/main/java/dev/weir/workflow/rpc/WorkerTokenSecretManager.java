package dev.weir.workflow.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.weir.workflow.protocol.Secret;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.security.token.Token;

/**
 * Makes and verifies the tokens of a session's workers. The password of each is an HMAC of its
 * identifier under the session's master key, so that each ApplicationMaster of the session knows it
 * and no worker knows another's. Thread-safe.
 */
public final class WorkerTokenSecretManager extends SecretManager<WorkerTokenIdentifier> {

  private static final String PURPOSE = "worker-token";

  private final String application;
  private static final Text CACHE_SECRET = new Text("weir-cache-secret");

  private final Secret key;
  private final Secret cacheSecret;
  private final Map<String, Secret> passwords = new ConcurrentHashMap<>();

  /** Creates the tokens of a session. */
  public WorkerTokenSecretManager(String application, Secret masterKey) {
    this.application = application;
    this.key = masterKey.derive(PURPOSE);
    this.cacheSecret = WorkerRpcServer.cacheSecret(masterKey);
  }

  Token<WorkerTokenIdentifier> token(String container) {
    return new Token<>(new WorkerTokenIdentifier(application, container), this);
  }

  /**
   * Adds the token of a worker to the credentials of its container, and the secret of the session's
   * node caches. The token is added as a secret key: as a token of the process it would make HDFS's
   * client offer it to servers that do not know it.
   *
   * @param credentials are changed
   */
  public void addToken(String container, Credentials credentials) {
    try {
      String encoded = token(container).encodeToUrlString();
      credentials.addSecretKey(WorkerTokenIdentifier.KIND, encoded.getBytes(UTF_8));
      credentials.addSecretKey(CACHE_SECRET, cacheSecret.toHex().getBytes(UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Returns the token in a container's credentials. */
  static Token<WorkerTokenIdentifier> tokenOf(Credentials credentials) throws IOException {
    byte[] encoded = credentials.getSecretKey(WorkerTokenIdentifier.KIND);
    if (encoded == null) {
      throw new IOException("The container's credentials hold no " + WorkerTokenIdentifier.KIND);
    }
    Token<WorkerTokenIdentifier> token = new Token<>();
    token.decodeFromUrlString(new String(encoded, UTF_8));
    return token;
  }

  /** Returns the secret of the session's node caches in a container's credentials. */
  public static Secret cacheSecretOf(Credentials credentials) throws IOException {
    byte[] hex = credentials.getSecretKey(CACHE_SECRET);
    if (hex == null) {
      throw new IOException("The container's credentials hold no " + CACHE_SECRET);
    }
    return Secret.fromHex(new String(hex, UTF_8));
  }

  @Override
  protected byte[] createPassword(WorkerTokenIdentifier identifier) {
    return key.sign(identifier.getBytes());
  }

  @Override
  public byte[] retrievePassword(WorkerTokenIdentifier identifier) throws InvalidToken {
    if (!identifier.application().equals(application)) {
      throw new InvalidToken("a token of " + identifier.application() + ", not " + application);
    }
    return createPassword(identifier);
  }

  /** Returns the password of an authenticated caller, which signs the answers to it. */
  Secret signer(WorkerTokenIdentifier caller) {
    return passwords.computeIfAbsent(
        caller.container(), unknown -> Secret.of(createPassword(caller)));
  }

  @Override
  public WorkerTokenIdentifier createIdentifier() {
    return new WorkerTokenIdentifier();
  }
}
