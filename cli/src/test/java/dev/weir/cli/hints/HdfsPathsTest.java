package dev.weir.cli.hints;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HdfsPathsTest {
  @Test
  void relativePathIsInTheHomeDirectory() throws Exception {
    Configuration configuration = new Configuration();
    configuration.set("fs.defaultFS", "hdfs://127.0.0.1:1");
    configuration.set("fs.hdfs.impl", "org.apache.hadoop.hdfs.DistributedFileSystem");
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    HdfsPaths paths = new HdfsPaths(configuration);
    assertThat(paths.resolve("data/*.fits")).isEqualTo("/user/" + user + "/data/*.fits");
    assertThat(paths.resolve(".")).isEqualTo("/user/" + user);
  }

  /** Without a cluster, the local file system is the default. */
  @Test
  void relativePathIsInTheHomeDirectoryWithoutACluster() throws Exception {
    Configuration configuration = new Configuration(false);
    String user = UserGroupInformation.getCurrentUser().getShortUserName();
    assertThat(new HdfsPaths(configuration).resolve("data")).isEqualTo("/user/" + user + "/data");
    configuration.set("dfs.user.home.dir.prefix", "/home");
    assertThat(new HdfsPaths(configuration).resolve("data")).isEqualTo("/home/" + user + "/data");
  }

  @Test
  void pathOfAnotherFileSystemIsUnchanged() throws Exception {
    HdfsPaths paths = new HdfsPaths(new Configuration(false));
    assertThat(paths.resolve("hdfs://ns1/a/../b")).isEqualTo("hdfs://ns1/a/../b");
  }

  @ParameterizedTest
  @CsvSource({
    "/a/,/a",
    "/,/",
    "//a//b,/a/b",
    "/a/./b/../c,/a/c",
    "/..,/",
    "/a/**,/a/**",
    "/a b,/a b"
  })
  void absolutePathIsNormalized(String path, String expected) throws Exception {
    assertThat(new HdfsPaths(new Configuration(false)).resolve(path)).isEqualTo(expected);
  }
}
