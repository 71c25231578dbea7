package dev.weir.workflow.client;

import dev.weir.workflow.staging.RunException;
import dev.weir.workflow.text.ErrorMessages;
import java.io.IOException;
import java.net.URI;
import java.util.Set;
import javax.security.auth.login.LoginException;
import javax.security.sasl.SaslException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.CommonConfigurationKeys;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.KerberosAuthException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.UserGroupInformation.AuthenticationMethod;
import org.apache.hadoop.security.authentication.client.AuthenticationException;
import org.apache.hadoop.security.authorize.AuthorizationException;
import org.apache.hadoop.security.token.SecretManager;
import org.apache.hadoop.util.functional.ConsumerRaisingIOE;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.ietf.jgss.GSSException;

/**
 * Checks within seconds whether a cluster answers. Hadoop's clients are made for clusters that
 * recover, and may retry for a quarter of an hour. A user who has mistyped an address should not
 * wait that long.
 */
final class ClusterProbe {

  private static final String HDFS_CLASS_KEY = "fs.hdfs.impl";
  private static final int CONNECT_MILLIS = 5_000;
  private static final int ANSWER_MILLIS = 15_000;
  private static final int YARN_MILLIS = 3_000;
  private static final int RETRY_MILLIS = 1_000;
  private static final int FAILOVERS = 4;

  /** Exceptions by which a server reports that authentication failed. */
  private static final Set<String> AUTHENTICATION_ERRORS =
      Set.of(
          AccessControlException.class.getName(),
          SaslException.class.getName(),
          SecretManager.InvalidToken.class.getName());

  private ClusterProbe() {}

  /**
   * Checks that HDFS and YARN answer, before reading.
   *
   * @throws RunException if the user has no Kerberos ticket where one is required, or if HDFS or
   *     YARN does not answer
   */
  static void toRead(URI hdfs, Configuration conf) throws IOException {
    probe(hdfs, conf, fs -> {});
  }

  /**
   * Checks that HDFS and YARN answer, before writing.
   *
   * @throws RunException as {@link #toRead}, and if HDFS does not accept files now
   */
  static void toWrite(URI hdfs, Configuration conf) throws IOException {
    probe(hdfs, conf, ClusterProbe::requireWritable);
  }

  private static void probe(URI hdfs, Configuration conf, ConsumerRaisingIOE<FileSystem> check)
      throws IOException {
    requireTicket(UserGroupInformation.isSecurityEnabled(), UserGroupInformation.getCurrentUser());
    Configuration failFast = failFast(conf);
    try (FileSystem fs = FileSystem.newInstance(hdfs, failFast)) {
      fs.getFileStatus(new Path("/"));
      check.accept(fs);
    } catch (RunException e) {
      throw e;
    } catch (IOException e) {
      throw unreachable("HDFS at " + hdfs, e);
    }
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(failFast);
      yarn.start();
      yarn.getYarnClusterMetrics();
    } catch (IOException | YarnException e) {
      throw unreachable(
          "YARN at " + conf.get(YarnConfiguration.RM_ADDRESS, YarnConfiguration.DEFAULT_RM_ADDRESS),
          e);
    }
  }

  /**
   * Checks that the user can authenticate. Hadoop's clients would report a missing ticket only
   * after many retries.
   *
   * @throws RunException if the user has neither a ticket nor a token
   */
  static void requireTicket(boolean kerberos, UserGroupInformation user) throws RunException {
    UserGroupInformation login = user.getRealUser() == null ? user : user.getRealUser();
    if (kerberos
        && login.getAuthenticationMethod() != AuthenticationMethod.KERBEROS
        && user.getTokens().isEmpty()) {
      throw new RunException(
          "The cluster wants Kerberos, and "
              + login.getShortUserName()
              + " has no ticket that is valid: run kinit, and try again");
    }
  }

  /**
   * Checks that HDFS accepts files.
   *
   * @throws RunException when it is in safe mode
   */
  static void requireWritable(FileSystem fs) throws IOException {
    if (fs instanceof DistributedFileSystem hdfs && hdfs.isInSafeMode()) {
      throw new RunException(
          "HDFS at "
              + fs.getUri()
              + " is in safe mode and accepts no files: if its NameNode was just started, wait"
              + " ('hdfs"
              + " dfsadmin -safemode wait') and run again; if it stays in safe mode, check 'hdfs"
              + " dfsadmin -safemode get' and the NameNode's web page, and once all DataNodes are"
              + " up, leave it with 'hdfs dfsadmin -safemode leave'");
    }
  }

  private static RunException unreachable(String who, Exception e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (isUnauthenticated(e)) {
      return new RunException(
          who
              + " refuses your authentication ("
              + ErrorMessages.firstLine(root)
              + "): run kinit, and check that hadoop.security.authentication in HADOOP_CONF_DIR is"
              + " the cluster's",
          e);
    }
    return new RunException(
        ("No answer from %s (%s): start the cluster, or name the one to use by "
                + "HADOOP_CONF_DIR or --cluster DIR")
            .formatted(who, ErrorMessages.firstLine(root)),
        e);
  }

  /** Returns whether a server answered, but refused the authentication. */
  static boolean isUnauthenticated(Throwable problem) {
    return ErrorMessages.chain(problem).anyMatch(ClusterProbe::reportsUnauthenticated);
  }

  /**
   * Returns whether one exception reports a failed authentication, by Hadoop's client or by a
   * server. A user who is authenticated but not permitted gets an {@link AuthorizationException},
   * or an exception of HDFS about its files.
   */
  private static boolean reportsUnauthenticated(Throwable problem) {
    if (problem instanceof RemoteException remote) {
      return AUTHENTICATION_ERRORS.contains(remote.getClassName());
    }
    return problem instanceof GSSException
        || problem instanceof SaslException
        || problem instanceof LoginException
        || problem instanceof KerberosAuthException
        || problem instanceof AuthenticationException
        || (problem instanceof AccessControlException
            && !(problem instanceof AuthorizationException));
  }

  private static Configuration failFast(Configuration conf) {
    Configuration failFast = new YarnConfiguration(conf);
    // Uses the plain HDFS client. The file system with hints would connect to ZooKeeper.
    failFast.setClass(HDFS_CLASS_KEY, DistributedFileSystem.class, FileSystem.class);
    failFast.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CONNECT_MILLIS);
    failFast.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    failFast.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 1);
    failFast.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, ANSWER_MILLIS);
    failFast.setInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, FAILOVERS);
    failFast.setInt(YarnConfiguration.CLIENT_FAILOVER_MAX_ATTEMPTS, FAILOVERS);
    failFast.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, YARN_MILLIS);
    failFast.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, RETRY_MILLIS);
    return failFast;
  }
}
