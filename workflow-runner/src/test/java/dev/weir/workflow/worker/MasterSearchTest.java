package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.staging.MasterAddress;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.util.functional.CallableRaisingIOE;
import org.junit.jupiter.api.Test;

class MasterSearchTest {

  private static final long TIMEOUT_MILLIS = 20_000;
  private static final long TIMEOUT_WITHOUT_ADDRESS_MILLIS = 60_000;
  private static final long SILENCE_MILLIS = 10_000;

  private final List<String> dialled = new ArrayList<>();
  private long nowNanos;
  private int attemptsAtFirst;
  private IOException failureOfFirst = new ConnectException("gone on purpose");

  private static MasterAddress address(String host) {
    return new MasterAddress(1, host, host.isEmpty() ? 0 : 1, "secret", TIMEOUT_MILLIS);
  }

  private MasterSearch search(CallableRaisingIOE<MasterAddress> directory) {
    return new MasterSearch(
        directory,
        (host, port) -> {
          if (host.equals("first")) {
            attemptsAtFirst++;
            throw failureOfFirst;
          }
          dialled.add(host);
          throw new IOException("refused on purpose");
        },
        millis -> nowNanos += TimeUnit.MILLISECONDS.toNanos(millis),
        () -> nowNanos,
        () -> 1,
        TIMEOUT_WITHOUT_ADDRESS_MILLIS,
        SILENCE_MILLIS,
        InetSocketAddress.createUnresolved("first", 1));
  }

  @Test
  void unreadableDirectoryIsReadUntilTheInitialTimeout() throws Exception {
    List<Long> reads = new ArrayList<>();

    assertThat(
            search(
                    () -> {
                      reads.add(TimeUnit.NANOSECONDS.toSeconds(nowNanos));
                      throw new IOException("safe mode on purpose");
                    })
                .find())
        .isNull();

    assertThat(reads).startsWith(1L, 2L, 3L).contains(29L, 30L, 35L, 40L).endsWith(60L, 65L);
    assertThat(reads).doesNotContain(31L);
  }

  @Test
  void announcedMasterIsTriedUntilTheTimeout() throws Exception {
    List<String> hosts = new ArrayList<>(List.of("old", "old", "new"));

    assertThat(search(() -> address(hosts.size() > 1 ? hosts.remove(0) : hosts.get(0))).find())
        .isNull();

    assertThat(dialled).startsWith("old", "old", "new", "new").hasSize(21);
    assertThat(TimeUnit.NANOSECONDS.toMillis(nowNanos)).isGreaterThan(TIMEOUT_MILLIS);
  }

  @Test
  void masterThatAcceptsNoWorkersYetIsNotTried() throws Exception {
    List<String> hosts = new ArrayList<>(List.of("", "", "new"));

    assertThat(search(() -> address(hosts.size() > 1 ? hosts.remove(0) : hosts.get(0))).find())
        .isNull();

    assertThat(dialled).hasSize(19).containsOnly("new");
  }

  @Test
  void searchEndsWithTheRun() throws Exception {
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
  void temporarilyUnreadableDirectoryIsReadAgain() throws Exception {
    int[] reads = {0};

    search(
            () -> {
              if (reads[0]++ < 30) {
                throw new IOException("safe mode on purpose");
              }
              throw new FileNotFoundException("over");
            })
        .find();

    assertThat(reads[0]).isEqualTo(31);
  }

  @Test
  void lastMasterIsTriedWhileItsSessionMayBeAlive() throws Exception {
    failureOfFirst = new SocketTimeoutException("cut on purpose");

    assertThat(
            search(
                    () -> {
                      throw new FileNotFoundException("no master.json");
                    })
                .find())
        .isNull();

    assertThat(TimeUnit.NANOSECONDS.toMillis(nowNanos)).isGreaterThan(SILENCE_MILLIS);
    assertThat(attemptsAtFirst).isEqualTo(11);
  }
}
