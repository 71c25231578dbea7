package dev.weir.workflow.am;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.workflow.am.TransferSlots.Reader;
import dev.weir.workflow.am.TransferSlots.Turn;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class TransferSlotsTest {

  private final TransferSlots slots = new TransferSlots(2);

  private static Reader reader(int number) {
    return new Reader("w" + number, 1);
  }

  private Optional<String> wish(int number, String... holders) {
    return slots.wish(reader(number), List.of(holders)).map(Turn::from);
  }

  @Test
  void aNodeServesNoMoreThanItsReadersAndTheRestInTheirOrder() {
    assertThat(wish(1, "a")).contains("a");
    assertThat(wish(2, "a")).contains("a");
    assertThat(wish(3, "a")).isEmpty();
    assertThat(wish(4, "a")).isEmpty();

    assertThat(slots.over(reader(2))).containsExactly(new Turn(reader(3), "a"));
    assertThat(slots.over(reader(1))).containsExactly(new Turn(reader(4), "a"));
    assertThat(slots.over(reader(4))).isEmpty();
  }

  @Test
  void theNodeWithTheFewestReadersServesAmongEqualsTheNearest() {
    assertThat(wish(1, "a", "b")).contains("a");
    assertThat(wish(2, "a", "b")).contains("b");
    assertThat(wish(3, "b", "a")).contains("b");
    assertThat(wish(4, "b", "a")).contains("a");
    assertThat(wish(5, "b", "a")).isEmpty();
  }

  @Test
  void aCopyThatIsMadeMeanwhileServesWhoNamesItAndTheOthersKeepTheirPlaces() {
    wish(1, "a");
    wish(2, "a");
    wish(3, "a");
    wish(4, "a");

    assertThat(wish(4, "a", "new")).contains("new");
    assertThat(wish(3, "a")).isEmpty();
    assertThat(wish(5, "a")).isEmpty();
    assertThat(wish(3, "a")).as("said again").isEmpty();
    assertThat(slots.over(reader(1))).containsExactly(new Turn(reader(3), "a"));
  }

  @Test
  void whoHasATurnIsGivenNoOther() {
    assertThat(wish(1, "a")).contains("a");
    assertThat(wish(1, "a", "b")).isEmpty();

    slots.over(reader(1));
    slots.over(reader(1));

    assertThat(wish(2, "a")).contains("a");
    assertThat(wish(3, "a")).contains("a");
    assertThat(wish(4, "a")).as("a turn ends once").isEmpty();
  }

  @Test
  void aFileThatNobodyIsKnownToHoldKeepsNobodyWaiting() {
    for (int i = 0; i < 10; i++) {
      assertThat(wish(i)).contains("");
    }
    assertThat(slots.over(reader(3))).isEmpty();
  }

  @Test
  void whoWaitsForOneNodeDoesNotKeepOthersFromAnother() {
    wish(1, "a");
    wish(2, "a");
    assertThat(wish(3, "a")).isEmpty();
    assertThat(wish(4, "b")).contains("b");
  }

  @Test
  void whatAWorkerThatIsGoneHadIsFree() {
    assertThat(slots.wish(new Reader("w", 1), List.of("a"))).isPresent();
    assertThat(slots.wish(new Reader("w", 2), List.of("a"))).isPresent();
    assertThat(slots.wish(new Reader("w", 3), List.of("a"))).isEmpty();
    assertThat(wish(1, "a")).isEmpty();
    assertThat(wish(2, "a")).isEmpty();
    assertThat(wish(3, "a")).isEmpty();

    assertThat(slots.left("w"))
        .containsExactlyInAnyOrder(new Turn(reader(1), "a"), new Turn(reader(2), "a"));
    assertThat(slots.left("w")).isEmpty();
  }

  @Test
  void whoDoesNotWantToAnyMoreIsForgotten() {
    wish(1, "a");
    wish(2, "a");
    wish(3, "a");
    wish(4, "a");
    assertThat(slots.over(reader(3))).isEmpty();
    assertThat(slots.over(reader(1))).containsExactly(new Turn(reader(4), "a"));
  }

  @Test
  void nineteenReadersOfOneFileFormATreeAsItsCopiesCome() {
    int readers = 19;
    List<String> holders = new ArrayList<>(List.of("source"));
    Map<Integer, String> reading = new HashMap<>();
    List<Integer> waiting = new ArrayList<>();
    for (int i = 0; i < readers; i++) {
      waiting.add(i);
    }
    int rounds = 0;
    while (!waiting.isEmpty() || !reading.isEmpty()) {
      for (int i : List.copyOf(waiting)) {
        wish(i, holders.toArray(String[]::new))
            .ifPresent(
                from -> {
                  reading.put(i, from);
                  waiting.remove((Integer) i);
                });
      }
      Map<String, Integer> load = new HashMap<>();
      reading.values().forEach(from -> load.merge(from, 1, Integer::sum));
      assertThat(load.values()).allMatch(busy -> busy <= 2);
      // All end at once, and where one has read there is a copy then.
      List<Integer> ended = List.copyOf(reading.keySet());
      reading.clear();
      for (int i : ended) {
        for (Turn turn : slots.over(reader(i))) {
          int next = Integer.parseInt(turn.reader().worker().substring(1));
          reading.put(next, turn.from());
          waiting.remove((Integer) next);
        }
        holders.add("node" + i);
      }
      rounds++;
    }
    // Two read in the first; the next two begin when these end. One after the other it would be 10.
    assertThat(rounds).isLessThanOrEqualTo(5);
  }

  @Test
  void whateverHappensNoNodeServesTooManyAndNobodyIsForgotten() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      TransferSlots some = new TransferSlots(3);
      Map<Reader, String> reading = new HashMap<>();
      List<Reader> waiting = new ArrayList<>();
      for (int step = 0; step < 300; step++) {
        if (random.nextInt(5) < 3) {
          Reader reader = new Reader("w" + random.nextInt(4), step);
          String one = "n" + random.nextInt(3);
          Optional<Turn> turn = some.wish(reader, List.of(one));
          if (turn.isPresent()) {
            reading.put(reader, turn.get().from());
          } else {
            waiting.add(reader);
          }
        } else if (!reading.isEmpty()) {
          Reader ended = reading.keySet().iterator().next();
          reading.remove(ended);
          some.over(ended)
              .forEach(
                  turn -> {
                    assertThat(waiting.remove(turn.reader())).isTrue();
                    reading.put(turn.reader(), turn.from());
                  });
        }
        Map<String, Integer> load = new HashMap<>();
        reading.values().forEach(from -> load.merge(from, 1, Integer::sum));
        assertThat(load.values()).as("seed %d", seed).allMatch(busy -> busy <= 3);
      }
      while (!reading.isEmpty()) {
        Reader ended = reading.keySet().iterator().next();
        reading.remove(ended);
        some.over(ended)
            .forEach(
                turn -> {
                  waiting.remove(turn.reader());
                  reading.put(turn.reader(), turn.from());
                });
      }
      assertThat(waiting).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void aNodeThatServesNobodyIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TransferSlots(0));
  }
}
