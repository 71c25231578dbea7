package dev.weir.workflow.scheduler.state;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.record.StoredFile;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FileStateTest {

  private final FileState file = new FileState("f", 3_000);

  @Test
  void hostsWithAllOfAFileShareTheNumber() {
    file.stored(new StoredFile("f", 3_000, Map.of("a", 3_000L, "b", 3_000L, "c", 3_000L)), 0);

    assertThat(file.bytesByHost()).isEqualTo(Map.of("a", 3_000L, "b", 3_000L, "c", 3_000L));
    assertThat(file.bytesByHost().get("a"))
        .isSameAs(file.bytesByHost().get("b"))
        .isSameAs(file.bytesByHost().get("c"));
  }

  @Test
  void hostsWithPartOfAFileHaveTheirOwnNumber() {
    file.stored(new StoredFile("f", 3_000, Map.of("a", 3_000L, "b", 1_000L)), 0);

    assertThat(file.bytesByHost()).isEqualTo(Map.of("a", 3_000L, "b", 1_000L));

    file.stored(new StoredFile("f", 0, Map.of()), 0);

    assertThat(file.bytesByHost()).isEmpty();
  }
}
