package dev.weir.workflow.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.staging.RunException;
import java.io.File;
import java.io.IOException;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.apache.hadoop.hdfs.MiniDFSNNTopology;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Mount tables over two NameNodes, of which the first has the home directories as /homes. */
class MountedHdfsTest {
  private static final String VIEW = "org.apache.hadoop.fs.viewfs.ViewFileSystemOverloadScheme";
  private static final String VIEW_DFS = "org.apache.hadoop.hdfs.ViewDistributedFileSystem";

  @TempDir private static File folder;
  private static MiniDFSCluster cluster;
  private static String first;
  private static String second;
  private static String user;

  @BeforeAll
  static void start() throws Exception {
    Configuration conf = new Configuration();
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, folder.getPath());
    cluster =
        new MiniDFSCluster.Builder(conf)
            .nnTopology(MiniDFSNNTopology.simpleFederatedTopology(2))
            .numDataNodes(0)
            .build();
    first = cluster.getURI(0).toString();
    second = cluster.getURI(1).toString();
    user = UserGroupInformation.getCurrentUser().getShortUserName();
    cluster.getFileSystem(0).mkdirs(new Path("/homes/" + user));
    cluster.getFileSystem(1).mkdirs(new Path("/archive"));
  }

  @AfterAll
  static void stop() {
    cluster.shutdown();
  }

  @AfterEach
  void forget() throws IOException {
    FileSystem.closeAll();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", VIEW, VIEW_DFS})
  void theHomeDirectoryDeterminesTheFileSystem(String overload) throws Exception {
    try (DistributedFileSystem fs = MountedHdfs.ofHome(mounted(overload)).orElseThrow()) {
      assertThat(fs.getUri()).hasToString(first);
      assertThat(fs).isExactlyInstanceOf(DistributedFileSystem.class);
      assertThat(fs.getHomeDirectory()).hasToString(first + "/homes/" + user);
      assertThat(MountedHdfs.pathIn(fs, "/user/" + user)).isEqualTo("/homes/" + user);
      assertThat(MountedHdfs.pathIn(fs, "/user/" + user + "/new/data"))
          .isEqualTo("/homes/" + user + "/new/data");
      assertThat(MountedHdfs.pathIn(fs, "data")).isEqualTo("/homes/" + user + "/data");
    }
  }

  @Test
  void aPathOfAnotherFileSystemIsRefused() throws Exception {
    try (DistributedFileSystem fs = MountedHdfs.ofHome(mounted("")).orElseThrow()) {
      assertThatThrownBy(() -> MountedHdfs.pathIn(fs, "/old/data"))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("/old/data is " + second + "/archive/data by the mount table")
          .hasMessageContaining(first);
      assertThatThrownBy(() -> MountedHdfs.pathIn(fs, "/nowhere/data"))
          .isInstanceOf(RunException.class)
          .hasMessageContaining("viewfs://all/nowhere/data");
    }
  }

  @Test
  void resolvesPatternsByTheirExistingDirectories() throws Exception {
    FileSystem view = FileSystem.get(mounted(""));

    assertThat(MountedHdfs.resolve(view, new Path("/old/**"))).hasToString(second + "/archive/**");
    assertThat(MountedHdfs.resolve(view, new Path("/**"))).hasToString("viewfs://all/**");
    assertThat(MountedHdfs.resolve(cluster.getFileSystem(0), new Path("/old/**")))
        .hasToString(first + "/old/**");
  }

  @Test
  void withoutAMountTableTheDefaultFileSystemIsUsed() throws Exception {
    Configuration conf = new Configuration();
    conf.set("fs.defaultFS", second);
    DistributedFileSystem fs = MountedHdfs.ofHome(conf).orElseThrow();

    assertThat(fs.getUri()).hasToString(second);
    assertThat(MountedHdfs.pathIn(fs, "data")).isEqualTo("/user/" + user + "/data");
    assertThat(MountedHdfs.ofHome(new Configuration())).isEmpty();
  }

  /** A client's configuration; an overload scheme mounts under the first NameNode's own name. */
  private static Configuration mounted(String overload) {
    Configuration conf = new Configuration();
    String table = overload.isEmpty() ? "all" : cluster.getURI(0).getAuthority();
    if (!overload.isEmpty()) {
      conf.set("fs.hdfs.impl", overload);
      conf.setBoolean("fs.viewfs.ignore.port.in.mount.table.name", false);
      conf.set("fs.viewfs.overload.scheme.target.hdfs.impl", DistributedFileSystem.class.getName());
    }
    conf.set("fs.defaultFS", (overload.isEmpty() ? "viewfs://" : "hdfs://") + table);
    conf.set("fs.viewfs.mounttable." + table + ".link./user", first + "/homes");
    conf.set("fs.viewfs.mounttable." + table + ".link./old", second + "/archive");
    return conf;
  }
}
