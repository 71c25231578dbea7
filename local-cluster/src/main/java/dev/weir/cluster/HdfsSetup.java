package dev.weir.cluster;

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
   * Creates {@code /tmp} for all users and a home directory for one.
   *
   * @param user HDFS's superuser, who need not be the Hadoop user of this process
   */
  static void makeDirectories(Configuration conf, String user) throws IOException {
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
    try {
      UserGroupInformation.createRemoteUser(user).doAs(make);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new InterruptedIOException("Interrupted while creating HDFS directories");
    }
  }
}
