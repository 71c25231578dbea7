package dev.weir.cluster.daemon;

import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.crypto.key.KeyProvider;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.HdfsConfiguration;
import org.apache.hadoop.hdfs.client.CreateEncryptionZoneFlag;
import org.apache.hadoop.hdfs.client.HdfsAdmin;

/**
 * Creates the directories of a fresh HDFS with Kerberos: {@code /tmp}, home directories, and the
 * encryption zone {@code /encrypted}. All users may write to the first and the last. The process
 * that starts the cluster cannot do it: all clients in a process authenticate in the same way.
 */
public final class SecureHdfsMain {
  private static final FsPermission OPEN = new FsPermission((short) 01777);
  private static final Path ZONE = new Path("/encrypted");
  private static final String ZONE_KEY = "local-cluster";

  private SecureHdfsMain() {}

  /**
   * Creates the directories, as the user of the ticket.
   *
   * @param args the superuser, and a user without special rights
   */
  public static void main(String[] args) throws Exception {
    Configuration conf = new HdfsConfiguration();
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    try (FileSystem hdfs = FileSystem.newInstance(conf)) {
      Path tmp = new Path("/tmp");
      hdfs.mkdirs(tmp);
      hdfs.setPermission(tmp, OPEN);
      hdfs.mkdirs(new Path("/user/" + args[0]));
      Path home = new Path("/user/" + args[1]);
      hdfs.mkdirs(home);
      hdfs.setOwner(home, args[1], "users");
      HdfsAdmin admin = new HdfsAdmin(hdfs.getUri(), conf);
      KeyProvider keys = admin.getKeyProvider();
      keys.createKey(ZONE_KEY, KeyProvider.options(conf));
      keys.flush();
      hdfs.mkdirs(ZONE);
      admin.createEncryptionZone(ZONE, ZONE_KEY, EnumSet.noneOf(CreateEncryptionZoneFlag.class));
      hdfs.setPermission(ZONE, OPEN);
    }
  }
}
