package dev.weir.cluster;

import dev.weir.cluster.config.KerberosConfig;
import dev.weir.cluster.daemon.SecureHdfsMain;
import dev.weir.cluster.plan.ClusterException;
import dev.weir.cluster.plan.ClusterPlan;
import dev.weir.cluster.process.LogTail;
import dev.weir.cluster.process.ProcessLauncher;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Path;
import java.security.PrivilegedExceptionAction;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;

/** Creates the directories that every user of a fresh HDFS expects. */
final class HdfsSetup {
  private static final String LOG = "hdfs-directories";
  private static final FsPermission OPEN = new FsPermission((short) 01777);

  private HdfsSetup() {}

  /**
   * Creates {@code /tmp} for all users and home directories.
   *
   * @param launcher starts a process where HDFS requires Kerberos
   * @param user HDFS's superuser, who need not be the Hadoop user of this process
   * @param limit how long that process may take
   */
  static void makeDirectories(
      ClusterPlan plan, ProcessLauncher launcher, String user, Duration limit) throws IOException {
    try {
      if (plan.servers().secure()) {
        makeWithKerberos(plan, launcher, user, limit);
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
            var tmp = new org.apache.hadoop.fs.Path("/tmp");
            hdfs.mkdirs(tmp);
            hdfs.setPermission(tmp, OPEN);
            hdfs.mkdirs(new org.apache.hadoop.fs.Path("/user/" + user));
            return null;
          }
        };
    UserGroupInformation.createRemoteUser(user).doAs(make);
  }

  private static void makeWithKerberos(
      ClusterPlan plan, ProcessLauncher launcher, String user, Duration limit)
      throws IOException, InterruptedException {
    Path log = plan.files().log(LOG);
    Process process =
        launcher
            .java(
                ClusterPlan.MASTER,
                SecureHdfsMain.class.getName(),
                List.of(user, KerberosConfig.ORDINARY_USER))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    await(process, limit, log);
  }

  /**
   * Waits for the end of the process that creates the directories. It never outlives this call.
   *
   * @param limit the longest to wait
   * @param log the output of the process
   * @throws ClusterException if it fails or takes longer
   */
  static void await(Process process, Duration limit, Path log)
      throws ClusterException, InterruptedException {
    try {
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        throw failure("not done after " + limit.toSeconds() + " s", log);
      }
      if (process.exitValue() != 0) {
        throw failure("exit code " + process.exitValue(), log);
      }
    } finally {
      // First the process itself: a shell whose command is killed would go on with its next one.
      List<ProcessHandle> children = process.descendants().toList();
      process.destroyForcibly();
      children.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static ClusterException failure(String why, Path log) {
    return new ClusterException(
        "Cannot create the directories of HDFS ("
            + why
            + "); the end of the log "
            + log
            + ":\n"
            + LogTail.of(log));
  }
}
