package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.workflow.session.TransferSlots.Reader;
import dev.weir.workflow.session.TransferSlots.Turn;
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
    return slots.wish(reader(number), List.of(holders)).stream().map(Turn::from).findFirst();
  }

  @Test
  void aNodeServesNoMoreThanItsReadersAndTheRestInTheirOrder() {
    assertThat(wish(1, "a")).contains("a");
    assertThat(wish(2, "a")).contains("a");
    assertThat(wish(3, "a")).isEmpty();
    assertThat(wish(4, "a")).isEmpty();

    assertThat(slots.over(reader(2), true)).containsExactly(new Turn(reader(3), "a"));
    assertThat(slots.over(reader(1), true)).containsExactly(new Turn(reader(4), "a"));
    assertThat(slots.over(reader(4), true)).isEmpty();
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
    assertThat(slots.over(reader(1), true)).containsExactly(new Turn(reader(3), "a"));
  }

  @Test
  void whoHasATurnIsGivenNoOther() {
    assertThat(wish(1, "a")).contains("a");
    assertThat(wish(1, "a", "b")).isEmpty();

    slots.over(reader(1), true);
    slots.over(reader(1), true);

    assertThat(wish(2, "a")).contains("a");
    assertThat(wish(3, "a")).contains("a");
    assertThat(wish(4, "a")).as("a turn ends once").isEmpty();
  }

  @Test
  void aFileThatNobodyIsKnownToHoldKeepsNobodyWaiting() {
    for (int i = 0; i < 10; i++) {
      assertThat(wish(i)).contains("");
    }
    assertThat(slots.over(reader(3), true)).isEmpty();
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
    assertThat(slots.wish(new Reader("w", 1), List.of("a"))).isNotEmpty();
    assertThat(slots.wish(new Reader("w", 2), List.of("a"))).isNotEmpty();
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
    assertThat(slots.over(reader(3), true)).isEmpty();
    assertThat(slots.over(reader(1), true)).containsExactly(new Turn(reader(4), "a"));
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
        for (Turn turn : slots.over(reader(i), true)) {
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
          Optional<Turn> turn = some.wish(reader, List.of(one)).stream().findFirst();
          if (turn.isPresent()) {
            reading.put(reader, turn.get().from());
          } else {
            waiting.add(reader);
          }
        } else if (!reading.isEmpty()) {
          Reader ended = reading.keySet().iterator().next();
          reading.remove(ended);
          some.over(ended, true)
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
        some.over(ended, true)
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

  private static final String CONTENT = "the content";

  /** A reader on a node of its own whose cache is open. */
  private Optional<Turn> share(TransferSlots some, int number, String... holders) {
    some.opened("w" + number, new TransferSlots.Cache("n" + number, "n" + number + ":1"));
    return some.wish(reader(number), new TransferSlots.Wish(CONTENT, List.of(holders))).stream()
        .findFirst();
  }

  private static Turn fromCache(int number, int of) {
    return new Turn(reader(number), "n" + of, "n" + of + ":1");
  }

  @Test
  void readersWhoseCachesAreOpenFormAChain() {
    TransferSlots one = new TransferSlots(1);

    assertThat(share(one, 1, "a")).contains(new Turn(reader(1), "a"));
    assertThat(share(one, 2, "a")).contains(fromCache(2, 1));
    assertThat(share(one, 3, "a")).contains(fromCache(3, 2));
    assertThat(one.over(reader(1), true)).isEmpty();
    assertThat(share(one, 4, "a"))
        .as("a node that serves nobody, HDFS first")
        .contains(new Turn(reader(4), "a"));
  }

  @Test
  void whoHasReadServesOthersUntilItIsGoneOrHasItNoMore() {
    TransferSlots one = new TransferSlots(1);
    share(one, 1, "a");
    one.over(reader(1), true);
    assertThat(wishPlain(one, 9, "a")).contains("a");

    assertThat(share(one, 2, "a")).contains(fromCache(2, 1));
    one.over(reader(2), false);
    one.notKept("w1", CONTENT);
    assertThat(share(one, 3, "a")).as("neither has it").isEmpty();
    assertThat(one.over(reader(9), true)).containsExactly(new Turn(reader(3), "a"));

    assertThat(share(one, 4, "a")).contains(fromCache(4, 3));
    assertThat(one.left("w4")).isEmpty();
    one.left("w3");
    assertThat(share(one, 5, "a")).as("no cache has it").contains(new Turn(reader(5), "a"));
  }

  private static Optional<String> wishPlain(TransferSlots some, int number, String... holders) {
    return some.wish(reader(number), List.of(holders)).stream().map(Turn::from).findFirst();
  }

  @Test
  void whoHasWaitedReadsFromWhoeverBeginsNow() {
    TransferSlots one = new TransferSlots(1);
    one.opened("w2", new TransferSlots.Cache("n2", "n2:1"));
    one.opened("w3", new TransferSlots.Cache("n3", "n3:1"));
    wishPlain(one, 1, "a");
    TransferSlots.Wish wish = new TransferSlots.Wish(CONTENT, List.of("a"));
    assertThat(one.wish(reader(2), wish)).isEmpty();
    assertThat(one.wish(reader(3), wish)).isEmpty();

    assertThat(one.over(reader(1), true))
        .containsExactly(new Turn(reader(2), "a"), fromCache(3, 2));
  }

  @Test
  void nobodyReadsFromItsOwnNodeNorWithoutAnOpenCache() {
    TransferSlots one = new TransferSlots(1);
    share(one, 1, "a");
    one.opened("w2", new TransferSlots.Cache("n1", "n1:2"));

    TransferSlots.Wish wish = new TransferSlots.Wish(CONTENT, List.of("a"));
    assertThat(one.wish(reader(2), wish)).as("on the node of the first").isEmpty();
    assertThat(one.wish(reader(3), wish)).as("gives nothing to others").isEmpty();
    assertThat(one.wish(reader(4), new TransferSlots.Wish("another", List.of("a")))).isEmpty();
  }

  @Test
  void whoWantsWhatItHadBeforeIsNoSourceOfItWhileItWaits() {
    TransferSlots one = new TransferSlots(1);
    share(one, 1, "a");
    one.over(reader(1), true);
    wishPlain(one, 9, "a");

    // Its cache has dropped the content without saying so.
    Reader again = new Reader("w1", 2);
    TransferSlots.Wish wish = new TransferSlots.Wish(CONTENT, List.of("a"));
    assertThat(one.wish(again, wish)).isEmpty();

    assertThat(share(one, 2, "a")).as("from one that waits itself").isEmpty();
    assertThat(one.over(reader(9), true))
        .containsExactly(new Turn(again, "a"), new Turn(reader(2), "n1", "n1:1"));
  }

  @Test
  void nobodyReadsFromOneThatReadsFromItBeItOverOthers() {
    TransferSlots one = new TransferSlots(1);
    share(one, 1, "a");
    one.over(reader(1), true);
    wishPlain(one, 9, "a");
    assertThat(share(one, 2, "a")).contains(fromCache(2, 1));
    assertThat(share(one, 3, "a")).contains(fromCache(3, 2));

    // Two had its turn when one had the content, which it has dropped and wants again.
    Reader again = new Reader("w1", 2);
    TransferSlots.Wish wish = new TransferSlots.Wish(CONTENT, List.of("a"));
    assertThat(one.wish(again, wish)).isEmpty();
    assertThat(one.over(reader(9), true)).containsExactly(new Turn(again, "a"));
  }

  @Test
  void whateverCachesDropTheirReadersFormNoRing() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      TransferSlots some = new TransferSlots(1 + random.nextInt(2));
      Map<Reader, Turn> reading = new HashMap<>();
      for (int i = 0; i < 6; i++) {
        some.opened("w" + i, new TransferSlots.Cache("n" + i, "n" + i + ":1"));
      }
      for (int step = 0; step < 200; step++) {
        List<Turn> turns;
        String worker = "w" + random.nextInt(6);
        Optional<Reader> its =
            reading.keySet().stream().filter(of -> of.worker().equals(worker)).findFirst();
        if (its.isEmpty()) {
          TransferSlots.Wish wish = new TransferSlots.Wish(CONTENT, List.of("a"));
          turns = some.wish(new Reader(worker, 0), wish);
        } else {
          reading.remove(its.get());
          turns = some.over(its.get(), random.nextInt(4) > 0);
        }
        turns.forEach(turn -> reading.put(turn.reader(), turn));
        assertThat(reading.keySet()).as("seed %d", seed).noneMatch(at -> isInRing(at, reading));
      }
    }
  }

  /** Whether what somebody reads comes round to it again. */
  private static boolean isInRing(Reader start, Map<Reader, Turn> reading) {
    Turn turn = reading.get(start);
    for (int steps = 0; turn != null && steps <= reading.size(); steps++) {
      if (turn.cache().isEmpty()) {
        return false;
      }
      turn = reading.get(new Reader("w" + turn.from().substring(1), 0));
    }
    return turn != null;
  }

  @Test
  void aChainTakesLittleLongerThanOneReader() {
    int readers = 19;
    TransferSlots some = new TransferSlots(2);
    Map<Integer, Integer> chain = new HashMap<>();
    Map<Integer, Integer> star = new HashMap<>();
    for (int i = 1; i <= readers; i++) {
      String from = share(some, i, "n0").orElseThrow().from();
      chain.put(i, Integer.parseInt(from.substring(1)));
      star.put(i, 0);
    }

    assertThat(ChainTime.of(star)).as("all from one").isGreaterThan(18.9);
    assertThat(ChainTime.of(chain)).as("%s", chain).isLessThan(1.2);
  }
}
