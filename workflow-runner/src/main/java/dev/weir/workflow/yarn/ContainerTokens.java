package dev.weir.workflow.yarn;

import dev.weir.hints.client.http.ClientSettings;
import dev.weir.hints.client.http.ServiceAuthCookies;
import dev.weir.workflow.staging.RunException;
import java.io.IOException;
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
 * What the containers of an application prove with that they are its user's, for they have no
 * Kerberos ticket: delegation tokens of HDFS, those of the KMS where it has encryption zones, and
 * passes of the hints service. None of it is ever printed.
 *
 * @param credentials what the ApplicationMaster is given; empty on a cluster without Kerberos
 * @param own whether they were asked for here, so that YARN may cancel the tokens when the
 *     application has ended; else whoever gave them to this process may still use them
 */
public record ContainerTokens(Credentials credentials, boolean own) {

  /** A NameNode that is set so gives tokens without Kerberos, too. */
  public static final String ALWAYS_KEY = "dfs.namenode.delegation.token.always-use";

  private static final Logger LOG = LoggerFactory.getLogger(ContainerTokens.class);

  /** What a process that has no ticket, but tokens, hands on, and an ApplicationMaster. */
  private static final Set<Text> HANDED_ON =
      Set.of(DelegationTokenIdentifier.HDFS_DELEGATION_KIND, new Text("kms-dt"));

  /**
   * Asks for what the containers of the current user need, with YARN's ResourceManager as the one
   * who renews the tokens.
   *
   * @param conf of the cluster
   * @param fs what they read and write
   * @return the credentials of an application, not yet any application's
   * @throws RunException when the NameNode or the KMS gives none; the message says what to do
   * @throws IOException when the current user is unknown
   */
  public static ContainerTokens ask(Configuration conf, FileSystem fs) throws IOException {
    boolean kerberos = UserGroupInformation.isSecurityEnabled();
    if (!kerberos && !conf.getBoolean(ALWAYS_KEY, false)) {
      // A NameNode would warn in its log that somebody wants what it does not have.
      return new ContainerTokens(new Credentials(), true);
    }
    UserGroupInformation user = UserGroupInformation.getCurrentUser();
    // Who has a ticket gets new ones: those that he has as well may be old, or renewed by others.
    Credentials credentials = hasTicket(user) ? new Credentials() : kept(user.getCredentials());
    boolean own = credentials.numberOfTokens() == 0;
    try {
      // Services of which there is a token already are not asked.
      fs.addDelegationTokens(renewer(conf, kerberos), credentials);
    } catch (RunException e) {
      throw e;
    } catch (IOException e) {
      String why = String.valueOf(e.getMessage()).lines().findFirst().orElse("");
      throw new RunException(refusal(fs, why), e);
    }
    if (kerberos && credentials.numberOfTokens() == 0) {
      throw new RunException(refusal(fs, "it keeps none now"));
    }
    addPasses(conf, user, credentials);
    return new ContainerTokens(credentials, own);
  }

  private static boolean hasTicket(UserGroupInformation user) {
    UserGroupInformation real = user.getRealUser() == null ? user : user.getRealUser();
    return real.getAuthenticationMethod() == AuthenticationMethod.KERBEROS;
  }

  private static String refusal(FileSystem fs, String why) {
    return "HDFS at "
        + fs.getUri()
        + " gives no delegation tokens, without which containers are nobody to it ("
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
              + " is not set, so that nobody would renew the run's tokens: use the yarn-site.xml"
              + " of the cluster");
    }
    return UserGroupInformation.getCurrentUser().getShortUserName();
  }

  /** Without them the run goes on without hints, and says so itself. */
  private static void addPasses(
      Configuration conf, UserGroupInformation user, Credentials credentials) {
    try {
      ServiceAuthCookies.collect(conf, ClientSettings.from(conf), user, credentials);
    } catch (IOException | RuntimeException e) {
      LOG.info("The run cannot ask the hints service", e);
    }
  }

  /**
   * What an ApplicationMaster hands on to its workers: the tokens of HDFS and of the KMS, but not
   * the one by which it is an ApplicationMaster, nor others of YARN's, and no secrets.
   *
   * @param master all that the ApplicationMaster has; is not changed
   * @return empty on a cluster without Kerberos
   */
  public static Credentials ofWorkers(Credentials master) {
    return kept(new Credentials(master));
  }

  /** Leaves the tokens that are handed on, under the names that they have. */
  private static Credentials kept(Credentials all) {
    all.getAllTokens().removeIf(token -> !HANDED_ON.contains(token.getKind()));
    all.getAllSecretKeys().forEach(all::removeSecretKey);
    return all;
  }
}
