package dev.weir.workflow.protocol;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ranges of ports, and which port of a range a server gets. */
class PortRangeTest {

  @Test
  void rangesAreRead() {
    assertThat(PortRange.parse("k", "50100-50200")).isEqualTo(new PortRange("k", 50100, 50200));
    assertThat(PortRange.parse("k", "50100 - 50200").last()).isEqualTo(50200);
    assertThat(PortRange.parse("k", "7")).isEqualTo(new PortRange("k", 7, 7));
    assertThat(PortRange.parse("k", "")).isEqualTo(PortRange.ANY);
  }

  @ParameterizedTest
  @ValueSource(strings = {"x", "2-1", "0-5", "1-65536", "1-2,5", "-5"})
  void othersAreRefused(String value) {
    assertThatThrownBy(() -> PortRange.parse("weir.master.ports", value))
        .hasMessageContaining("weir.master.ports = " + value)
        .hasMessageContaining("50100-50200");
  }

  @Test
  void theFirstFreePortIsTaken() throws IOException {
    List<Integer> tried = new ArrayList<>();

    int port =
        new PortRange("k", 5, 9)
            .bind(
                on -> {
                  tried.add(on);
                  if (on < 7) {
                    throw new BindException("in use");
                  }
                  return on;
                });

    assertThat(port).isEqualTo(7);
    assertThat(tried).containsExactly(5, 6, 7);
  }

  @Test
  void withoutAFreePortTheErrorNamesTheKey() throws IOException {
    try (ServerSocket used = PortRange.ANY.bind(ServerSocket::new)) {
      int port = used.getLocalPort();

      assertThatThrownBy(
              () -> new PortRange("weir.worker.ports", port, port).bind(ServerSocket::new))
          .hasMessageContaining(
              "weir.worker.ports = " + port + "-" + port + " is free on this node");
    }
  }
}
