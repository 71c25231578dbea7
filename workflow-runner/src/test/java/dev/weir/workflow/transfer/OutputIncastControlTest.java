package dev.weir.workflow.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OutputIncastControlTest {

  private final List<String> turns = new ArrayList<>();
  private final OutputIncastControl lanes =
      new OutputIncastControl(
          new TransferScheduler() {
            @Override
            public boolean appliesTo(long bytes) {
              return true;
            }

            @Override
            public Grant acquire(Request request, Holders holders) throws IOException {
              String lane = holders.now().get(0);
              return new Grant(lane, null, (whole, fromCache) -> turns.add(lane + " " + whole));
            }
          },
          "n1");

  private void store(String lane, long bytes, String... hosts) throws Exception {
    Map<String, Long> places = new HashMap<>();
    for (String host : hosts) {
      places.put(host, bytes);
    }
    lanes.store(lane, bytes, () -> new DataStore.Stored(places, 1, 1));
  }

  @Test
  void largeOutputsOfALaneTakeTurns() throws Exception {
    store("g", OutputIncastControl.LEAST_BYTES, "n2");
    store("g", OutputIncastControl.LEAST_BYTES, "n2");
    store("g", OutputIncastControl.LEAST_BYTES - 1, "n2");
    store("", OutputIncastControl.LEAST_BYTES, "n2");

    assertThat(turns).containsExactly("g true", "g true");
  }

  @Test
  void nobodyWaitsForALinkThatIsNotCrossed() throws Exception {
    store("g", OutputIncastControl.LEAST_BYTES, "n1");
    store("g", OutputIncastControl.LEAST_BYTES, "n1");
    assertThat(turns).as("the first one did not know").containsExactly("g true");

    store("h", OutputIncastControl.LEAST_BYTES, "n1");
    assertThat(turns).as("another lane may go elsewhere").containsExactly("g true", "h true");
  }

  @Test
  void outputsWaitAgainWhenTheyGoToAnotherNode() throws Exception {
    store("g", OutputIncastControl.LEAST_BYTES, "n1");
    store("g", OutputIncastControl.LEAST_BYTES, "n2");
    store("g", OutputIncastControl.LEAST_BYTES, "n1", "n2");
    store("g", OutputIncastControl.LEAST_BYTES, "n1");

    assertThat(turns).containsExactly("g true", "g true", "g true");
  }

  @Test
  void aTurnEndsWithAFailure() {
    assertThatThrownBy(
            () ->
                lanes.store(
                    "g",
                    OutputIncastControl.LEAST_BYTES,
                    () -> {
                      throw new IOException("no room");
                    }))
        .hasMessage("no room");
    assertThat(turns).containsExactly("g false");
  }
}
