package dev.weir.yarn;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** With the local file system, which says that all is on localhost. */
class HdfsLocationLookupTest {

  @TempDir Path dir;

  private final HdfsLocationLookup lookup = new HdfsLocationLookup(new Configuration(false));

  @Test
  void addsUpFiles() throws Exception {
    String a = file("a", 10);
    String b = file("b", 20);

    assertThat(bytes(a, b)).isEqualTo(Map.of("localhost", 30L));
  }

  @Test
  void aDirectoryStandsForTheFilesInIt() throws Exception {
    file("in/a", 10);
    file("in/b", 20);
    file("in/deeper/c", 40);

    assertThat(bytes(dir.resolve("in").toString())).isEqualTo(Map.of("localhost", 30L));
  }

  @Test
  void whatIsMissingDoesNotSpoilTheRest() throws Exception {
    assertThat(bytes(dir.resolve("missing").toString(), file("a", 10)))
        .isEqualTo(Map.of("localhost", 10L));
  }

  @Test
  void failsWhenAllIsMissing() {
    assertThatThrownBy(() -> bytes(dir.resolve("missing").toString()))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("missing");
  }

  @Test
  void asksAsTheUser() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.file.impl", WhoAmI.class, FileSystem.class);
    file("a", 1);

    new HdfsLocationLookup(conf).bytesByHost("alice", List.of(dir.resolve("a").toString()));

    assertThat(dir.resolve("a.user")).hasContent("alice");
  }

  /** Leaves beside a file the name of the user who asked for it. */
  public static final class WhoAmI extends LocalFileSystem {
    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      Files.writeString(
          Path.of(path.toUri().getPath() + ".user"),
          UserGroupInformation.getCurrentUser().getShortUserName());
      return super.getFileStatus(path);
    }
  }

  private Map<String, Long> bytes(String... paths) throws Exception {
    return lookup.bytesByHost(
        UserGroupInformation.getLoginUser().getShortUserName(), List.of(paths));
  }

  private String file(String name, int size) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[size]);
    return file.toString();
  }
}
