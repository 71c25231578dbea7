package dev.weir.workflow.client;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.run.OneNodeHdfs;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.api.io.TempDir;

/** Tests the shared of jars in a real HDFS. */
class SharedJarsTest {

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private final DistributedFileSystem fs = HDFS.fs();
  @TempDir private java.nio.file.Path temp;
  private List<java.nio.file.Path> jars;
  private final SharedJars shared = at(Duration.ZERO);

  private SharedJars at(Duration later) {
    return new SharedJars(fs, Clock.offset(Clock.systemUTC(), later));
  }

  @BeforeEach
  void clean() throws IOException {
    fs.delete(root(), true);
    jars = jars("1");
  }

  private List<java.nio.file.Path> jars(String content) throws IOException {
    return List.of(
        Files.writeString(temp.resolve("a.jar"), "a" + content),
        Files.writeString(temp.resolve("b.jar"), "b" + content));
  }

  private Path root() {
    return new Path(fs.getHomeDirectory(), ".weir/lib");
  }

  private List<FileStatus> files(Path where) throws IOException {
    return Arrays.asList(fs.listStatus(where));
  }

  @Test
  void equalJarsAreNotUploadedAgain() throws Exception {
    Path first = shared.put(jars);
    List<FileStatus> before = files(first);

    assertThat(shared.put(jars)).isEqualTo(first);

    assertThat(before)
        .extracting(file -> file.getPath().getName())
        .containsExactly("a.jar", "b.jar");
    // YARN identifies a file by its modification time.
    assertThat(files(first))
        .extracting(FileStatus::getModificationTime)
        .containsExactlyElementsOf(before.stream().map(FileStatus::getModificationTime).toList());
  }

  @Test
  void jarsWithOtherContentGetAnotherDirectory() throws Exception {
    Path first = shared.put(jars);

    Path second = shared.put(jars("2"));

    assertThat(second).isNotEqualTo(first);
    assertThat(files(first)).hasSize(2);
    assertThat(files(second)).hasSize(2);
  }

  @Test
  void deletedJarsAreUploadedAgain() throws Exception {
    Path place = shared.put(jars);
    fs.delete(new Path(place, "b.jar"), false);

    assertThat(shared.put(jars)).isEqualTo(place);

    assertThat(files(place)).hasSize(2);
  }

  @Test
  void concurrentRunsShareTheJars() throws Exception {
    ExecutorService starts = Executors.newFixedThreadPool(4);
    try {
      List<Future<Path>> places = new ArrayList<>();
      for (int i = 0; i < 8; i++) {
        places.add(starts.submit(() -> at(Duration.ZERO).put(jars)));
      }
      for (Future<Path> place : places) {
        assertThat(files(place.get())).hasSize(2);
      }
    } finally {
      starts.shutdownNow();
    }
    assertThat(files(root())).hasSize(1);
  }

  @Test
  void onlyOldDirectoriesBeyondTheLastTenAreDeleted() throws Exception {
    for (int i = 0; i < 12; i++) {
      shared.put(jars("old" + i));
    }
    fs.mkdirs(new Path(root(), ".unfinished"));
    shared.put(jars("last"));
    assertThat(files(root())).as("nothing is old").hasSize(14);

    Path last = at(Duration.ofDays(31)).put(jars("new"));

    assertThat(files(root())).hasSize(10).extracting(FileStatus::getPath).contains(last);
  }
}
