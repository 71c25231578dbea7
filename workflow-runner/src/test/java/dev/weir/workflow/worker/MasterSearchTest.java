package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.run.MasterAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class MasterSearchTest {

  private static final long PATIENCE_MILLIS = 20_000;

  private final List<String> dialled = new ArrayList<>();
  private long nowNanos;

  private static MasterAddress address(String host) {
    return new MasterAddress(host, 1, "secret", PATIENCE_MILLIS);
  }

  private MasterSearch search(MasterSearch.Directory directory) {
    return new MasterSearch(
        directory,
        (host, port) -> {
          dialled.add(host);
          throw new IOException("refused on purpose");
        },
        millis -> nowNanos += TimeUnit.MILLISECONDS.toNanos(millis),
        () -> nowNanos);
  }

  @Test
  void whoIsSaidToBeThereIsTriedUntilTheTimeIsOver() throws Exception {
    List<String> hosts = new ArrayList<>(List.of("old", "old", "new"));

    assertThat(search(() -> address(hosts.size() > 1 ? hosts.remove(0) : hosts.get(0))).find())
        .isNull();

    assertThat(dialled).startsWith("old", "old", "new", "new").hasSize(21);
    assertThat(TimeUnit.NANOSECONDS.toMillis(nowNanos)).isGreaterThan(PATIENCE_MILLIS);
  }

  @Test
  void nobodyIsWaitedForWhenTheRunIsOver() throws Exception {
    assertThat(
            search(
                    () -> {
                      throw new FileNotFoundException("no master.json");
                    })
                .find())
        .isNull();

    assertThat(dialled).isEmpty();
    assertThat(TimeUnit.NANOSECONDS.toSeconds(nowNanos)).isEqualTo(1);
  }

  @Test
  void aDirectoryThatCannotBeReadNowIsReadAgain() throws Exception {
    int[] reads = {0};

    search(
            () -> {
              if (reads[0]++ < 50) {
                throw new IOException("safe mode on purpose");
              }
              throw new FileNotFoundException("over");
            })
        .find();

    assertThat(reads[0]).isEqualTo(51);
  }
}
