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
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.conf.YarnConfiguration;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.ietf.jgss.GSSException;

/**
 * Finds out within seconds whether a cluster answers. Hadoop's clients are made for clusters that
 * come back, and may try for a quarter of an hour; a person who has mistyped an address should not.
 */
final class ClusterProbe {

  private static final String HDFS_CLASS_KEY = "fs.hdfs.impl";
  private static final int CONNECT_MILLIS = 5_000;
  private static final int ANSWER_MILLIS = 15_000;
  private static final int YARN_MILLIS = 3_000;
  private static final int RETRY_MILLIS = 1_000;
  private static final int FAILOVERS = 4;

  /** What a server calls it. */
  private static final Set<String> UNPROVEN =
      Set.of(
          AccessControlException.class.getName(),
          SaslException.class.getName(),
          SecretManager.InvalidToken.class.getName());

  private ClusterProbe() {}

  /**
   * Asks HDFS and YARN something small, before something is read.
   *
   * @throws RunException when the user has no ticket where one is wanted, or one of them does not
   *     answer
   * @throws IOException when the current user is unknown
   */
  static void toRead(URI hdfs, Configuration conf) throws IOException {
    with(hdfs, conf, fs -> {});
  }

  /**
   * Asks HDFS and YARN something small, before something is written.
   *
   * @throws RunException as {@link #toRead}, and when HDFS takes no files now
   * @throws IOException when the current user is unknown
   */
  static void toWrite(URI hdfs, Configuration conf) throws IOException {
    with(hdfs, conf, ClusterProbe::requireWritable);
  }

  /** What is asked of HDFS besides. */
  private interface Question {
    void ask(FileSystem fs) throws IOException;
  }

  private static void with(URI hdfs, Configuration conf, Question question) throws IOException {
    requireTicket(UserGroupInformation.isSecurityEnabled(), UserGroupInformation.getCurrentUser());
    Configuration impatient = impatient(conf);
    try (FileSystem fs = FileSystem.newInstance(hdfs, impatient)) {
      fs.getFileStatus(new Path("/"));
      question.ask(fs);
    } catch (RunException e) {
      throw e;
    } catch (IOException e) {
      throw silent("HDFS at " + hdfs, e);
    }
    try (YarnClient yarn = YarnClient.createYarnClient()) {
      yarn.init(impatient);
      yarn.start();
      yarn.getYarnClusterMetrics();
    } catch (IOException | YarnException e) {
      throw silent(
          "YARN at " + conf.get(YarnConfiguration.RM_ADDRESS, YarnConfiguration.DEFAULT_RM_ADDRESS),
          e);
    }
  }

  /**
   * Sees whether the user can prove who he is: Hadoop's clients would tell of it in many words, and
   * after many tries.
   *
   * @param kerberos whether the cluster wants to know
   * @throws RunException when he has neither a ticket nor a token
   */
  static void requireTicket(boolean kerberos, UserGroupInformation user) throws RunException {
    UserGroupInformation proof = user.getRealUser() == null ? user : user.getRealUser();
    if (kerberos
        && proof.getAuthenticationMethod() != AuthenticationMethod.KERBEROS
        && user.getTokens().isEmpty()) {
      throw new RunException(
          "The cluster wants Kerberos, and "
              + proof.getShortUserName()
              + " has no ticket that is valid: run kinit, and try again");
    }
  }

  /**
   * Sees whether HDFS takes files.
   *
   * @throws RunException when it is in safe mode
   * @throws IOException when it does not answer
   */
  static void requireWritable(FileSystem fs) throws IOException {
    if (fs instanceof DistributedFileSystem hdfs && hdfs.isInSafeMode()) {
      throw new RunException(
          "HDFS at "
              + fs.getUri()
              + " is in safe mode and takes no files: if its NameNode has just been started, wait"
              + " ('hdfs dfsadmin -safemode wait') and run again; if it stays so, see what 'hdfs"
              + " dfsadmin -safemode get' and the NameNode's web page say, and when all DataNodes are"
              + " there, end it by 'hdfs dfsadmin -safemode leave'");
    }
  }

  private static RunException silent(String who, Exception e) {
    Throwable root = e;
    while (root.getCause() != null) {
      root = root.getCause();
    }
    if (isUnproven(e)) {
      return new RunException(
          who
              + " does not believe who you are ("
              + ErrorMessages.firstLine(root)
              + "): run kinit, and see that hadoop.security.authentication is the cluster's in"
              + " HADOOP_CONF_DIR",
          e);
    }
    return new RunException(
        "No answer from "
            + who
            + " ("
            + ErrorMessages.firstLine(root)
            + "): start the cluster, or name the one to use by HADOOP_CONF_DIR or --cluster DIR",
        e);
  }

  /** It has answered, and did not want to talk. */
  static boolean isUnproven(Throwable problem) {
    return ErrorMessages.chain(problem).anyMatch(ClusterProbe::saysUnproven);
  }

  /**
   * What Hadoop's client says when no proof will do, and what a server says of one that has none.
   * Who is known, and may not do it, is told so by an {@link AuthorizationException}, or by an
   * exception of HDFS itself about its files.
   */
  private static boolean saysUnproven(Throwable problem) {
    if (problem instanceof RemoteException remote) {
      return UNPROVEN.contains(remote.getClassName());
    }
    return problem instanceof GSSException
        || problem instanceof SaslException
        || problem instanceof LoginException
        || problem instanceof KerberosAuthException
        || problem instanceof AuthenticationException
        || (problem instanceof AccessControlException
            && !(problem instanceof AuthorizationException));
  }

  private static Configuration impatient(Configuration conf) {
    Configuration impatient = new YarnConfiguration(conf);
    // Hints play no part in this; their file system would begin to look for ZooKeeper.
    impatient.setClass(HDFS_CLASS_KEY, DistributedFileSystem.class, FileSystem.class);
    impatient.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_TIMEOUT_KEY, CONNECT_MILLIS);
    impatient.setInt(CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_KEY, 1);
    impatient.setInt(
        CommonConfigurationKeysPublic.IPC_CLIENT_CONNECT_MAX_RETRIES_ON_SOCKET_TIMEOUTS_KEY, 1);
    impatient.setInt(CommonConfigurationKeys.IPC_CLIENT_RPC_TIMEOUT_KEY, ANSWER_MILLIS);
    impatient.setInt(HdfsClientConfigKeys.Failover.MAX_ATTEMPTS_KEY, FAILOVERS);
    impatient.setInt(YarnConfiguration.CLIENT_FAILOVER_MAX_ATTEMPTS, FAILOVERS);
    impatient.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_MAX_WAIT_MS, YARN_MILLIS);
    impatient.setInt(YarnConfiguration.RESOURCEMANAGER_CONNECT_RETRY_INTERVAL_MS, RETRY_MILLIS);
    return impatient;
  }
}
