package dev.weir.cluster;

import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.plan.ClusterPlan;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.security.GeneralSecurityException;
import java.security.PrivilegedExceptionAction;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;
import org.apache.hadoop.security.UserGroupInformation;

/** Creates the directories that every user of a fresh HDFS expects. */
final class HdfsSetup {
  private static final FsPermission OPEN = new FsPermission((short) 01777);

  private static final Path ZONE = new Path("/encrypted");
  private static final String ZONE_KEY = "local-cluster";

  private HdfsSetup() {}

  /**
   * Creates {@code /tmp} for all users and home directories; on a secure cluster also the
   * encryption zone {@code /encrypted} for all users.
   *
   * @param user HDFS's superuser, who need not be the Hadoop user of this process
   */
  static void makeDirectories(ClusterPlan plan, String user) throws IOException {
    Configuration plain = new Configuration(LocalCluster.configurationOf(plan));
    plain.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    if (plan.servers().secure()) {
      // Hadoop looks for them in ssl-client.xml on the class path, which this process lacks.
      KerberosConfig.sslClient(plan).forEach(plain::set);
    }
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
              makeEncryptionZone(plain, hdfs);
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

  private static void makeEncryptionZone(Configuration conf, FileSystem hdfs)
      throws IOException, GeneralSecurityException {
    HdfsAdmin admin = new HdfsAdmin(hdfs.getUri(), conf);
    KeyProvider keys = admin.getKeyProvider();
    keys.createKey(ZONE_KEY, KeyProvider.options(conf));
    keys.flush();
    hdfs.mkdirs(ZONE);
    admin.createEncryptionZone(ZONE, ZONE_KEY, EnumSet.noneOf(CreateEncryptionZoneFlag.class));
    hdfs.setPermission(ZONE, OPEN);
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
