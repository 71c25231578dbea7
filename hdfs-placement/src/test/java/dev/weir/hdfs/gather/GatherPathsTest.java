package dev.weir.hdfs.gather;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.util.OptionalInt;
import org.apache.hadoop.fs.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class GatherPathsTest {
  private static final String ID = "00112233aabbccdd";

  @ParameterizedTest
  @ValueSource(strings = {"/d/x", "/x", "hdfs://h:1/d/e/.x", "/d/x.weir-gather-00112233aabbccdd"})
  void parsesTheDirectoryOfAGather(String target) throws Exception {
    GatherPaths paths = GatherPaths.of(new Path(target), ID);
    assertThat(GatherPaths.parse(paths.gather())).hasValue(paths);
    assertThat(GatherPaths.parse(paths.closed())).hasValue(paths);
    assertThat(paths.target()).isEqualTo(new Path(target));
    assertThat(paths.gather().getParent()).isEqualTo(paths.target().getParent());
    assertThat(paths.gather().getName()).startsWith(".");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/",
        "/d/.x.weir-gather-1",
        "/d/x.weir-gather-00112233aabbccdd",
        "/d/.weir-gather-00112233aabbccdd",
        "/d/.x.weir-gather-00112233aabbccdd/whole"
      })
  void otherDirectoriesAreNotGathers(String path) {
    assertThat(GatherPaths.parse(new Path(path))).isEmpty();
  }

  @Test
  void theRootIsRefusedAsTarget() {
    assertThatThrownBy(() -> GatherPaths.of(new Path("/"), ID)).hasMessageContaining("gather into");
  }

  @Test
  void parsesFileNames() throws Exception {
    GatherPaths paths = GatherPaths.of(new Path("/d/x"), ID);
    assertThat(GatherPaths.part(GatherPaths.part(paths.gather(), 7).getName()))
        .hasValue(new GatherPaths.Part(7, true));
    assertThat(GatherPaths.part(paths.attempt(9999, ID).getName()))
        .hasValue(new GatherPaths.Part(9999, false));
    assertThat(GatherPaths.part(GatherPaths.whole(paths.gather()).getName())).isEmpty();
    assertThat(GatherPaths.isGatherFile("whole")).isTrue();
    assertThat(GatherPaths.isGatherFile("part-00001")).isTrue();
    assertThat(GatherPaths.isGatherFile("mine")).isFalse();
  }

  @Test
  void refusesRegionsOutOfRange() throws Exception {
    assertThat(GatherPaths.requireRegion(3, OptionalInt.of(4))).isEqualTo(3);
    assertThat(GatherPaths.requireRegion(9999, OptionalInt.empty())).isEqualTo(9999);
    assertThatThrownBy(() -> GatherPaths.requireRegion(4, OptionalInt.of(4)))
        .hasMessageContaining("region 4")
        .hasMessageContaining("0 to 3");
    assertThatThrownBy(() -> GatherPaths.requireRegion(-1, OptionalInt.empty()))
        .hasMessageContaining("region -1");
  }

  @Test
  void manifestRoundTrip() throws Exception {
    Instant expires = Instant.parse("2030-01-31T12:00:00Z");
    for (OptionalInt regions : new OptionalInt[] {OptionalInt.empty(), OptionalInt.of(8)}) {
      GatherManifest manifest = new GatherManifest(ID, 5L << 32, regions, expires);
      assertThat(GatherManifest.fromJson(manifest.toJson(), "/x")).isEqualTo(manifest);
    }
    assertThat(new String(new GatherManifest(ID, 1, OptionalInt.of(8), expires).toJson(), UTF_8))
        .isEqualTo(
            "{\"id\":\"00112233aabbccdd\",\"region-bytes\":1,\"regions\":8,"
                + "\"expires\":\"2030-01-31T12:00:00Z\"}");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "{", "{}", "[]", "{\"id\":\"a\",\"region-bytes\":1,\"expires\":\"x\"}"})
  void anInvalidManifestIsRefusedWithItsPath(String json) {
    assertThatThrownBy(() -> GatherManifest.fromJson(json.getBytes(UTF_8), "/d/x"))
        .isInstanceOf(GatherException.class)
        .hasMessageContaining("user.weir.gather of /d/x");
  }

  @Test
  void anInvalidSpecIsRefused() {
    assertThatThrownBy(() -> GatherSpec.ofRegions(0)).hasMessageContaining("0 bytes");
    GatherSpec spec = GatherSpec.ofRegions(1);
    assertThatThrownBy(() -> spec.withRegions(10_001)).hasMessageContaining("larger regions");
    assertThatThrownBy(() -> spec.withReplication(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> spec.withBlockSize(-1)).hasMessageContaining("-1");
    assertThatThrownBy(() -> spec.withLifetime(java.time.Duration.ZERO))
        .hasMessageContaining("PT0S");
    assertThatThrownBy(() -> CommitOptions.PLAIN.withRegions(-1)).hasMessageContaining("-1");
  }
}
