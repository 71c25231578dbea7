package dev.weir.workflow.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class FetchCommandTest {

  private static final String SHA256 = "sha256:" + "0a".repeat(32);

  private static Task task(String id, List<String> inputs, List<String> outputs) {
    return new Task(id, "work", List.of("run"), inputs, outputs, 1);
  }

  @Test
  void wordsRoundTrip() {
    FetchCommand all =
        new FetchCommand("https://host/a b".replace(' ', '+'), SHA256, "\"e=1\"", "S");
    assertThat(FetchCommand.of(all.words())).contains(all);
    FetchCommand plain = new FetchCommand("s3a://bucket/a", "");
    assertThat(plain.words()).containsExactly("weir:fetch", "s3a://bucket/a");
    assertThat(FetchCommand.of(plain.words())).contains(plain);
    assertThat(FetchCommand.of(List.of("sh", "-c", "x"))).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"a.fa", "/a.fa", "mailto:ann@host", "https://", "https://host/a b"})
  void refusesWhatIsNoUrl(String url) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FetchCommand(url, ""))
        .withMessageContaining("is no URL of a file");
  }

  @ParameterizedTest
  @ValueSource(strings = {"sha256:12", "crc:12345678", "md5", "sha1:x"})
  void refusesMalformedChecksums(String checksum) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new FetchCommand("https://ann:secret@host/a", checksum))
        .withMessageContaining("'" + checksum + "' of https://host/a is malformed");
  }

  @Test
  void inputsAreFetchedThatTasksReadAndNoTaskWrites() {
    List<Task> own =
        List.of(
            task("fetch-d_in", List.of("d/in", "made"), List.of("out")),
            task("make", List.of(), List.of("made")));
    Map<String, FetchCommand> sources = new LinkedHashMap<>();
    for (String file : List.of("d/in", "made", "out", "unused")) {
      sources.put(file, new FetchCommand("https://host/" + file, ""));
    }
    List<Task> all = FetchTasks.added(own, sources);
    assertThat(all).hasSize(3).startsWith(own.get(0), own.get(1));
    assertThat(all.get(2).id()).isEqualTo("fetch-d_in_");
    assertThat(all.get(2).outputs()).containsExactly("d/in");
    assertThat(all.get(2).needs().singleCopy()).isTrue();
    assertThat(all.get(2).command()).containsExactly("weir:fetch", "https://host/d/in");
  }
}
