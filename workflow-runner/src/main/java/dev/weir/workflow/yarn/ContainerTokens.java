package dev.weir.workflow.yarn;

import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.ServiceAuthCookies;
import dev.weir.workflow.staging.RunException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.Set;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.security.token.delegation.DelegationTokenIdentifier;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.security.Credentials;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.yarn.client.util.YarnClientUtils;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The credentials by which an application's containers act as its user, because they have no
 * Kerberos ticket: delegation tokens of HDFS, those of the KMS if it has encryption zones, and
 * cookies of the hints service. They are never logged.
 *
 * @param credentials given to the ApplicationMaster; empty on a cluster without Kerberos
 * @param own whether they were requested here, so that YARN may cancel the tokens when the
 *     application has ended; otherwise their giver may still use them
 */
public record ContainerTokens(Credentials credentials, boolean own) {

  /** A NameNode with this setting issues tokens without Kerberos, too. */
  public static final String ALWAYS_KEY = "dfs.namenode.delegation.token.always-use";

  private static final Logger LOG = LoggerFactory.getLogger(ContainerTokens.class);

  /** The tokens that a process without a ticket, and an ApplicationMaster, pass on. */
  private static final Set<Text> PASSED_ON =
      Set.of(DelegationTokenIdentifier.HDFS_DELEGATION_KIND, new Text("kms-dt"));

  /**
   * Requests the credentials for containers of the current user, with YARN's ResourceManager as the
   * renewer of the tokens.
   *
   * @param conf of the cluster
   * @return the credentials, not yet used by any application
   * @throws RunException when the NameNode or the KMS issues none; the message says what to do
   */
  public static ContainerTokens ask(Configuration conf, FileSystem fs) throws IOException {
    boolean kerberos = UserGroupInformation.isSecurityEnabled();
    if (!kerberos && !conf.getBoolean(ALWAYS_KEY, false)) {
      // A request would only cause a warning in the NameNode's log.
      return new ContainerTokens(new Credentials(), true);
    }
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    // With a ticket, requests new tokens: existing ones may be old, or renewed by others.
    Credentials credentials =
        hasTicket(user) ? new Credentials() : onlyPassedOn(user.getCredentials());
    boolean own = credentials.numberOfTokens() == 0;
    try {
      // Skips services for which there is a token already.
      fs.addDelegationTokens(renewer(conf, kerberos), credentials);
    } catch (RunException e) {
      throw e;
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new RunException(refusal(fs, why), e);
    }
    if (kerberos && credentials.numberOfTokens() == 0) {
      throw new RunException(refusal(fs, "it issues none now"));
    }
    addCookies(conf, user, credentials);
    return new ContainerTokens(credentials, own);
  }

  private static boolean hasTicket(UserGroupInformation user) {
    UserGroupInformation real = user.getRealUser() == null ? user : user.getRealUser();
    return real.getAuthenticationMethod() == AuthenticationMethod.KERBEROS;
  }

  private static String refusal(FileSystem fs, String why) {
    return "HDFS at "
        + fs.getUri()
        + " issues no delegation tokens, which containers need to authenticate ("
        + why
        + "): run again with a ticket of your own (kinit); if that is not it, the NameNode's log"
        + " says more, or that of the KMS where there is one";
  }

  private static String renewer(Configuration conf, boolean kerberos) throws IOException {
    String principal = YarnClientUtils.getRmPrincipal(conf);
    if (principal != null && !principal.isEmpty()) {
      return principal;
    }
    if (kerberos) {
      throw new RunException(
          YarnConfiguration.RM_PRINCIPAL
              + " is not set, so that the run's tokens would not be renewed: use the yarn-site.xml"
              + " of the cluster");
    }
    return UserGroupInformation.getCurrentUser().getShortUserName();
  }

  /** Without cookies the run continues without hints, and reports that itself. */
  private static void addCookies(
      Configuration conf, UserGroupInformation user, Credentials credentials) {
    try {
      ServiceAuthCookies.collect(conf, ClientSettings.from(conf), user, credentials);
    } catch (IOException | RuntimeException e) {
      LOG.info("The run has no access to the hints service", e);
    }
  }

  /**
   * Returns the credentials that an ApplicationMaster passes on to its workers: the tokens of HDFS
   * and of the KMS, but neither its own AMRM token nor others of YARN's, and no secrets.
   *
   * @param master all credentials of the ApplicationMaster; is not changed
   * @return empty on a cluster without Kerberos
   */
  public static Credentials ofWorkers(Credentials master) {
    return onlyPassedOn(new Credentials(master));
  }

  /** Returns tokens as text, for a message to a worker. */
  public static String encode(Credentials tokens) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    tokens.writeTokenStorageToStream(new DataOutputStream(bytes));
    return Base64.getEncoder().encodeToString(bytes.toByteArray());
  }

  /**
   * Reads what {@link #encode} returned.
   *
   * @return tokens of the kinds that workers get
   */
  public static Credentials decode(String encoded) throws IOException {
    Credentials tokens = new Credentials();
    tokens.readTokenStorageStream(
        new DataInputStream(new ByteArrayInputStream(Base64.getDecoder().decode(encoded))));
    return onlyPassedOn(tokens);
  }

  /** Removes everything but the tokens that are passed on, which keep their names. */
  private static Credentials onlyPassedOn(Credentials all) {
    all.getAllTokens().removeIf(token -> !PASSED_ON.contains(token.getKind()));
    all.getAllSecretKeys().forEach(all::removeSecretKey);
    return all;
  }
}
