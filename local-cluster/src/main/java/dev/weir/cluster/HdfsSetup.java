package dev.weir.cluster;

import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.plan.ClusterPlan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.PrivilegedExceptionAction;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Creates the directories that every user of a fresh HDFS expects. */
final class HdfsSetup {
  private static final FsPermission OPEN = new FsPermission((short) 01777);

  private HdfsSetup() {}

  /**
   * Creates {@code /tmp} for all users and home directories.
   *
   * @param user HDFS's superuser, who need not be the Hadoop user of this process
   */
  static void makeDirectories(ClusterPlan plan, String user) throws IOException {
    Configuration plain = new Configuration(LocalCluster.configurationOf(plan));
    plain.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    PrivilegedExceptionAction<Void> make =
        () -> {
          try (FileSystem hdfs = FileSystem.newInstance(plain)) {
            Path tmp = new Path("/tmp");
            hdfs.mkdirs(tmp);
            hdfs.setPermission(tmp, OPEN);
            hdfs.mkdirs(new Path("/user/" + user));
            if (plan.servers().secure()) {
              Path home = new Path("/user/" + KerberosConfig.ORDINARY_USER);
              hdfs.mkdirs(home);
              hdfs.setOwner(home, KerberosConfig.ORDINARY_USER, "users");
            }
            return null;
          }
        };
    try {
      superuser(plan, plain, user).doAs(make);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while creating HDFS directories");
    }
  }

  /** The user who starts the cluster; with Kerberos by its keys. */
  private static UserGroupInformation superuser(ClusterPlan plan, Configuration conf, String user)
      throws IOException {
    if (!plan.servers().secure()) {
      return UserGroupInformation.createRemoteUser(user);
    }
    UserGroupInformation.setConfiguration(conf);
    return UserGroupInformation.loginUserFromKeytabAndReturnUGI(
        KerberosConfig.principal(user), KerberosConfig.keytab(plan, user).toString());
  }
}
