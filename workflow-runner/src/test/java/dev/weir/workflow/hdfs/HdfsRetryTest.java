package dev.weir.workflow.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchIOException;

import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.ServerSocket;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.apache.hadoop.ipc.StandbyException;
import org.junit.jupiter.api.Test;

class HdfsRetryTest {

  private final List<Long> pauses = new ArrayList<>();
  private final HdfsRetry retry = new HdfsRetry(Duration.ofSeconds(20), pauses::add);
  private int tries;

  private static IOException safeMode() {
    return new RemoteException(SafeModeException.class.getName(), "Cannot create file /f");
  }

  @Test
  void safeModeIsAwaited() throws Exception {
    String result =
        retry.through(
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
  void timeoutEndsTheRetries() {
    assertThatThrownBy(
            () ->
                retry.run(
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
  void unavailableNameNodeIsAwaited() throws Exception {
    int closedPort;
    try (ServerSocket socket = new ServerSocket(0)) {
      closedPort = socket.getLocalPort();
    }
    Configuration conf = new Configuration(false);
    conf.set("fs.hdfs.impl", DistributedFileSystem.class.getName());
    conf.setInt("ipc.client.connect.max.retries", 0);
    IOException refused;
    try (FileSystem away =
        FileSystem.newInstance(URI.create("hdfs://127.0.0.1:" + closedPort), conf)) {
      refused = catchIOException(() -> away.exists(new Path("/f")));
    }
    List<IOException> passing =
        List.of(
            refused,
            new IOException("cannot store the output", refused),
            new RemoteException(StandbyException.class.getName(), "state is standby"),
            new RemoteException(RetriableException.class.getName(), "not yet"),
            new SocketTimeoutException("Call From a to b:8020 failed on socket timeout"));

    retry.run(
        () -> {
          tries++;
          if (tries <= passing.size()) {
            throw passing.get(tries - 1);
          }
        });

    assertThat(pauses).hasSameSizeAs(passing);
  }

  @Test
  void unavailableDataNodeIsNotAwaited() {
    assertThat(HdfsOutages.isUnavailable(new ConnectException("Connection refused"))).isFalse();
    assertThat(HdfsOutages.isUnavailable(new SocketTimeoutException("8000 millis timeout")))
        .isFalse();
    assertThat(HdfsOutages.isUnavailable(new EOFException("Unexpected EOF"))).isFalse();
  }

  @Test
  void durationOfCallsCounts() {
    AtomicLong minutes = new AtomicLong();
    HdfsRetry ofMinutes =
        new HdfsRetry(
            Duration.ofMinutes(15),
            pauses::add,
            HdfsOutages::isUnavailable,
            () -> TimeUnit.MINUTES.toNanos(minutes.get()));

    assertThatThrownBy(
            () ->
                ofMinutes.run(
                    () -> {
                      tries++;
                      minutes.addAndGet(5);
                      throw new RemoteException(RetriableException.class.getName(), "not yet");
                    }))
        .isInstanceOf(RemoteException.class);
    assertThat(tries).isEqualTo(4);
  }

  @Test
  void otherFailuresAreNotRetried() {
    assertThatThrownBy(
            () ->
                retry.run(
                    () -> {
                      throw new IOException("full");
                    }))
        .hasMessage("full");
    assertThat(pauses).isEmpty();
  }
}
