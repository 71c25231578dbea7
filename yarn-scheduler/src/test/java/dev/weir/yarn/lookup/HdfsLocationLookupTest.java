package dev.weir.yarn.lookup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.yarn.ManualClock;
import dev.weir.yarn.metrics.AskMetrics;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocalFileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.security.UserGroupInformation;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Lookups in the local file system, whose files are all on localhost. */
class HdfsLocationLookupTest {

  @TempDir Path dir;

  private final HdfsLocationLookup lookup = new HdfsLocationLookup(new Configuration(false));

  @Test
  void sumsFiles() throws Exception {
    String a = file("a", 10);
    String b = file("b", 20);

    assertThat(bytes(a, b)).isEqualTo(Map.of("localhost", 30L));
  }

  @Test
  void aDirectoryStandsForItsFiles() throws Exception {
    file("in/a", 10);
    file("in/b", 20);
    file("in/deeper/c", 40);

    assertThat(bytes(dir.resolve("in").toString())).isEqualTo(Map.of("localhost", 30L));
  }

  @Test
  void missingFilesDoNotAffectOthers() throws Exception {
    assertThat(bytes(dir.resolve("missing").toString(), file("a", 10)))
        .isEqualTo(Map.of("localhost", 10L));
  }

  @Test
  void reportsMissingPaths() throws Exception {
    String missing = dir.resolve("missing").toString();

    assertThat(lookup.locate(user(), List.of(missing, file("a", 10))).missing())
        .containsExactly(missing);
  }

  @Test
  void aPatternStandsForItsMatches() throws Exception {
    file("x1/part-1", 1);
    file("x1/part-2", 2);
    file("x1/other", 4);
    file("x2/part-1", 8);
    file("y/part-1", 16);
    file("x3/part-9/deep", 32);

    assertThat(bytes(dir + "/x*/part-[12]")).isEqualTo(Map.of("localhost", 11L));
    assertThat(bytes(dir + "/{x1,y}/part-1")).isEqualTo(Map.of("localhost", 17L));
    assertThat(bytes(dir + "/x?/part-9")).isEqualTo(Map.of("localhost", 32L));
    assertThatThrownBy(() -> bytes(dir + "/z*")).isInstanceOf(FileNotFoundException.class);
  }

  @Test
  void aFileMayBeNamedLikeAPattern() throws Exception {
    file("a1", 1);

    assertThat(bytes(file("a[1]", 2))).isEqualTo(Map.of("localhost", 2L));
    assertThat(bytes(dir + "/a\\[1\\]*")).isEqualTo(Map.of("localhost", 2L));
  }

  @Test
  void aPatternWithManyMatchesIsSampled() throws Exception {
    for (int i = 0; i < HdfsLocationLookup.MAX_FILES + 10; i++) {
      file("many/" + i, 1);
    }

    assertThat(bytes(dir + "/many/*"))
        .isEqualTo(Map.of("localhost", (long) HdfsLocationLookup.MAX_FILES));
  }

  @Test
  void aPatternWithManyMatchesLeavesRoomForTheNext() throws Exception {
    for (int i = 0; i < HdfsLocationLookup.MAX_FILES + 10; i++) {
      file("many/" + i, 1);
    }
    file("few/1", 7);

    assertThat(lookup.locate(user(), List.of(dir + "/many/*", dir + "/few/*")))
        .isEqualTo(
            new LocationResult.Found(Map.of("localhost", HdfsLocationLookup.MAX_FILES + 7L)));
  }

  @Test
  void unreadEntriesAreNotMissing() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.file.impl", Endless.class, FileSystem.class);
    HdfsLocationLookup endless = new HdfsLocationLookup(conf);

    assertThat(endless.locate(user(), List.of("/many/none-*")))
        .isEqualTo(new LocationResult.Found(Map.of()));
  }

  @Test
  void aNameOfManyDirectoriesIsSampled() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.file.impl", Endless.class, FileSystem.class);
    int directories = 2 * HdfsLocationLookup.MAX_OF_NAME / HdfsLocationLookup.MAX_FILES;
    List<String> paths = IntStream.range(0, directories).mapToObj(i -> "/many/" + i).toList();

    LocationResult.Found found = new HdfsLocationLookup(conf).locate(user(), paths);

    assertThat(found.missing()).isEmpty();
    assertThat(found.bytesByHost().get("h1"))
        .isBetween(HdfsLocationLookup.MAX_OF_NAME * 9L / 10, (long) HdfsLocationLookup.MAX_OF_NAME);
  }

  @Test
  void anInvalidPatternIsAnAnswer() throws Exception {
    String bad = dir + "/[x";
    String open = dir + "/{a/b,c";
    LocationCache cache =
        new LocationCache(
            lookup, Runnable::run, new ManualClock(), new AskMetrics(), LocationCache.MAX_WEIGHT);

    for (int i = 0; i < LookupCircuitBreaker.FAILURE_THRESHOLD; i++) {
      for (String pattern : List.of(bad + i, open + i)) {
        FilesResourceName name = new FilesResourceName(List.of(pattern), 0, 0);
        assertThat(cache.locate(user(), name))
            .as(pattern)
            .isEqualTo(new LocationResult.Unknown(LocationResult.Why.BAD_PATTERN));
      }
    }
    assertThat(cache.stalled(user(), 1)).isFalse();
    assertThat(lookup.locate(user(), List.of(file("a", 10), bad)).missing()).containsExactly(bad);
  }

  @Test
  void failsIfAllPathsAreMissing() {
    assertThatThrownBy(() -> bytes(dir.resolve("missing").toString()))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("missing");
  }

  /** A file system with endless directories. */
  public static final class Endless extends LocalFileSystem {
    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      if (BoundedGlob.is(path.getName())) {
        throw new FileNotFoundException(path.toString());
      }
      return new FileStatus(0, true, 1, 1, 0, path);
    }

    @Override
    public RemoteIterator<FileStatus> listStatusIterator(org.apache.hadoop.fs.Path path) {
      RemoteIterator<LocatedFileStatus> files = listLocatedStatus(path);
      return new RemoteIterator<>() {
        @Override
        public boolean hasNext() throws IOException {
          return files.hasNext();
        }

        @Override
        public FileStatus next() throws IOException {
          return files.next();
        }
      };
    }

    @Override
    public RemoteIterator<LocatedFileStatus> listLocatedStatus(org.apache.hadoop.fs.Path path) {
      AtomicInteger next = new AtomicInteger();
      return new RemoteIterator<>() {
        @Override
        public boolean hasNext() {
          return true;
        }

        @Override
        public LocatedFileStatus next() {
          org.apache.hadoop.fs.Path file =
              new org.apache.hadoop.fs.Path(path, Integer.toString(next.getAndIncrement()));
          return new LocatedFileStatus(
              new FileStatus(1, false, 1, 1, 0, file),
              new BlockLocation[] {
                new BlockLocation(new String[] {"h1:9866"}, new String[] {"h1"}, 0, 1)
              });
        }
      };
    }
  }

  @Test
  void callsAsTheUser() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.file.impl", RecordsUser.class, FileSystem.class);
    file("a", 1);

    new HdfsLocationLookup(conf).bytesByHost("alice", List.of(dir.resolve("a").toString()));

    assertThat(dir.resolve("a.user")).hasContent("alice");
  }

  /** Writes the name of the calling user beside a file. */
  public static final class RecordsUser extends LocalFileSystem {
    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      Files.writeString(
          Path.of(path.toUri().getPath() + ".user"),
          UserGroupInformation.getCurrentUser().getShortUserName());
      return super.getFileStatus(path);
    }
  }

  @Test
  void connectionsHaveAShortIdleTime() throws Exception {
    Configuration conf = new Configuration(false);
    conf.setClass("fs.file.impl", ReportsIdleTime.class, FileSystem.class);

    assertThatThrownBy(
            () -> new HdfsLocationLookup(conf).bytesByHost("alice", List.of(file("a", 1))))
        .hasMessage("idle for 1000 ms");
  }

  /** Reports the configured idle time of connections. */
  public static final class ReportsIdleTime extends LocalFileSystem {
    @Override
    public FileStatus getFileStatus(org.apache.hadoop.fs.Path path) throws IOException {
      throw new IOException(
          "idle for " + getConf().getInt("ipc.client.connection.maxidletime", 10_000) + " ms");
    }
  }

  private Map<String, Long> bytes(String... paths) throws Exception {
    return lookup.bytesByHost(user(), List.of(paths));
  }

  private static String user() throws IOException {
    return UserGroupInformation.getLoginUser().getShortUserName();
  }

  private String file(String name, int size) throws IOException {
    Path file = dir.resolve(name);
    Files.createDirectories(file.getParent());
    Files.write(file, new byte[size]);
    return file.toString();
  }
}
