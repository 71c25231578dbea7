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

  private final List<String> grants = new ArrayList<>();
  private final OutputIncastControl control =
      new OutputIncastControl(
          new TransferScheduler() {
            @Override
            public boolean appliesTo(long bytes, boolean shared) {
              return true;
            }

            @Override
            public Grant acquire(Request request, Holders holders) throws IOException {
              String group = holders.now().get(0);
              return new Grant(group, null, (whole, fromCache) -> grants.add(group + " " + whole));
            }
          },
          "n1");

  private void store(String group, long bytes, String... hosts) throws Exception {
    Map<String, Long> places = new HashMap<>();
    for (String host : hosts) {
      places.put(host, bytes);
    }
    control.store(group, bytes, () -> new DataStore.Stored(places, 1, 1));
  }

  @Test
  void largeOutputsOfAGroupAreStoredOneByOne() throws Exception {
    store("g", OutputIncastControl.LEAST_BYTES, "n2");
    store("g", OutputIncastControl.LEAST_BYTES, "n2");
    store("g", OutputIncastControl.LEAST_BYTES - 1, "n2");
    store("", OutputIncastControl.LEAST_BYTES, "n2");

    assertThat(grants).containsExactly("g true", "g true");
  }

  @Test
  void outputsOnTheOwnNodeDoNotWait() throws Exception {
    store("g", OutputIncastControl.LEAST_BYTES, "n1");
    store("g", OutputIncastControl.LEAST_BYTES, "n1");
    assertThat(grants).as("the target was unknown for the first output").containsExactly("g true");

    store("h", OutputIncastControl.LEAST_BYTES, "n1");
    assertThat(grants)
        .as("another group may have another target")
        .containsExactly("g true", "h true");
  }

  @Test
  void outputsWaitAgainWhenTheyGoToAnotherNodeAgain() throws Exception {
    store("g", OutputIncastControl.LEAST_BYTES, "n1");
    store("g", OutputIncastControl.LEAST_BYTES, "n2");
    store("g", OutputIncastControl.LEAST_BYTES, "n1", "n2");
    store("g", OutputIncastControl.LEAST_BYTES, "n1");

    assertThat(grants).containsExactly("g true", "g true", "g true");
  }

  @Test
  void grantEndsWithAFailure() {
    assertThatThrownBy(
            () ->
                control.store(
                    "g",
                    OutputIncastControl.LEAST_BYTES,
                    () -> {
                      throw new IOException("no room");
                    }))
        .hasMessage("no room");
    assertThat(grants).containsExactly("g false");
  }
}
