package dev.weir.service.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RecentChangesTest {

  private final RecentChanges changes = new RecentChanges();

  private RecentChanges.Page after(@Nullable String mark) {
    return Objects.requireNonNull(changes.after(mark));
  }

  private void close(int from, int to) {
    for (int i = from; i < to; i++) {
      changes.add(new Edit.Closed("/f" + i));
    }
  }

  @Test
  void returnsEditsAfterMark() {
    changes.begin();
    close(0, 1);
    RecentChanges.Page first = after(null);
    assertThat(first.missed()).isTrue();
    assertThat(first.paths()).isEmpty();
    changes.add(new Edit.Created("/a", Instant.EPOCH, 3));
    changes.add(new Edit.Renamed("/a", "/b"));
    changes.add(new Edit.Removed("/b", Instant.EPOCH));
    changes.add(new Edit.Hinted("/b", "pipeline"));
    RecentChanges.Page second = after(first.mark());
    assertThat(second.missed()).isFalse();
    assertThat(second.paths()).containsExactly("/a", "/a", "/b", "/b");
    assertThat(after(second.mark()))
        .isEqualTo(new RecentChanges.Page(second.mark(), false, List.of()));
  }

  @Test
  void limitsPageAndReportsDiscardedEdits() {
    changes.begin();
    String mark = after(null).mark();
    close(0, RecentChanges.MAX_PATHS + 2);
    RecentChanges.Page part = after(mark);
    assertThat(part.paths()).hasSize(RecentChanges.MAX_PATHS).startsWith("/f0");
    assertThat(after(part.mark()).paths())
        .containsExactly("/f" + RecentChanges.MAX_PATHS, "/f" + (RecentChanges.MAX_PATHS + 1));

    close(0, RecentChanges.MAX_KEPT);
    assertThat(after(mark).missed()).isTrue();
    assertThat(after(after(mark).mark()).paths()).isEmpty();
  }

  @Test
  void rejectsMarkOfAnotherTerm() {
    assertThat(changes.after(null)).isNull();
    changes.begin();
    String mark = after(null).mark();
    changes.end();
    assertThat(changes.after(mark)).isNull();
    changes.begin();
    close(0, 3);
    assertThat(after(mark).missed()).isTrue();
    assertThat(after(mark.substring(0, mark.indexOf(':')) + ":x").missed()).isTrue();
    assertThat(after("").missed()).isTrue();
  }
}
