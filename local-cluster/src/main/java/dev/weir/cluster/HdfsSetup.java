package dev.weir.cluster;

import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.daemon.SecureHdfsMain;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.process.ProcessLauncher;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.security.PrivilegedExceptionAction;
import java.util.List;
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
   * @param launcher starts a process where HDFS requires Kerberos
   * @param user HDFS's superuser, who need not be the Hadoop user of this process
   */
  static void makeDirectories(ClusterPlan plan, ProcessLauncher launcher, String user)
      throws IOException {
    try {
      if (plan.servers().secure()) {
        makeWithKerberos(launcher, user);
      } else {
        make(LocalCluster.configurationOf(plan), user);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while creating HDFS directories");
    }
  }

  private static void make(Configuration conf, String user)
      throws IOException, InterruptedException {
    Configuration plain = new Configuration(conf);
    plain.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    PrivilegedExceptionAction<Void> make =
        () -> {
          try (FileSystem hdfs = FileSystem.newInstance(plain)) {
            Path tmp = new Path("/tmp");
            hdfs.mkdirs(tmp);
            hdfs.setPermission(tmp, OPEN);
            hdfs.mkdirs(new Path("/user/" + user));
            return null;
          }
        };
    UserGroupInformation.createRemoteUser(user).doAs(make);
  }

  private static void makeWithKerberos(ProcessLauncher launcher, String user)
      throws IOException, InterruptedException {
    Process process =
        launcher
            .java(
                ClusterPlan.MASTER,
                SecureHdfsMain.class.getName(),
                List.of(user, KerberosConfig.ORDINARY_USER))
            .redirectErrorStream(true)
            .start();
    String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (process.waitFor() != 0) {
      throw new ClusterException("Cannot create the directories of HDFS:\n" + output.strip());
    }
  }
}
