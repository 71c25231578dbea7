package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

class PatienceTest {

  private final List<Long> pauses = new ArrayList<>();
  private final Patience patience = new Patience(Duration.ofSeconds(20), pauses::add);
  private int tries;

  private static IOException safeMode() {
    return new RemoteException(SafeModeException.class.getName(), "Cannot create file /f");
  }

  @Test
  void safeModeIsWaitedFor() throws Exception {
    String result =
        patience.through(
            () -> {
              tries++;
              if (tries < 4) {
                throw safeMode();
              }
              return "done";
            });

    assertThat(result).isEqualTo("done");
    assertThat(pauses).containsExactly(100L, 200L, 400L);
  }

  @Test
  void thePatienceEnds() {
    assertThatThrownBy(
            () ->
                patience.run(
                    () -> {
                      tries++;
                      throw new IOException("cannot store", safeMode());
                    }))
        .hasMessage("cannot store");
    assertThat(pauses.stream().mapToLong(Long::longValue).sum()).isBetween(20_000L, 25_000L);
    assertThat(pauses).allMatch(pause -> pause <= 5_000);
    assertThat(tries).isEqualTo(pauses.size() + 1);
  }

  @Test
  void nothingElseIsWaitedFor() {
    assertThatThrownBy(
            () ->
                patience.run(
                    () -> {
                      throw new IOException("full");
                    }))
        .hasMessage("full");
    assertThat(pauses).isEmpty();
  }
}
