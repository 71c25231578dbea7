package dev.weir.workflow.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.weir.workflow.protocol.Message.TransferWish;
import dev.weir.workflow.session.TransferSlots.Grant;
import dev.weir.workflow.session.TransferSlots.Reader;
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

  /** The request of a reader that waits. */
  private static TransferWish wish(String content, List<String> holders) {
    return new TransferWish(1, content, holders, true);
  }

  private Optional<String> request(int number, String... holders) {
    return slots.request(reader(number), wish("", List.of(holders))).stream()
        .map(Grant::from)
        .findFirst();
  }

  @Test
  void nodeServesALimitedNumberOfReadersInOrder() {
    assertThat(request(1, "a")).contains("a");
    assertThat(request(2, "a")).contains("a");
    assertThat(request(3, "a")).isEmpty();
    assertThat(request(4, "a")).isEmpty();

    assertThat(slots.finished(reader(2), true)).containsExactly(new Grant(reader(3), "a"));
    assertThat(slots.finished(reader(1), true)).containsExactly(new Grant(reader(4), "a"));
    assertThat(slots.finished(reader(4), true)).isEmpty();
  }

  @Test
  void nodeWithFewestReadersServesThenTheNearest() {
    assertThat(request(1, "a", "b")).contains("a");
    assertThat(request(2, "a", "b")).contains("b");
    assertThat(request(3, "b", "a")).contains("b");
    assertThat(request(4, "b", "a")).contains("a");
    assertThat(request(5, "b", "a")).isEmpty();
  }

  @Test
  void newReplicaServesReadersThatReportIt() {
    request(1, "a");
    request(2, "a");
    request(3, "a");
    request(4, "a");

    assertThat(request(4, "a", "new")).contains("new");
    assertThat(request(3, "a")).isEmpty();
    assertThat(request(5, "a")).isEmpty();
    assertThat(request(3, "a")).as("reported twice").isEmpty();
    assertThat(slots.finished(reader(1), true)).containsExactly(new Grant(reader(3), "a"));
  }

  @Test
  void readerWithAGrantGetsNoOther() {
    assertThat(request(1, "a")).contains("a");
    assertThat(request(1, "a", "b")).isEmpty();

    slots.finished(reader(1), true);
    slots.finished(reader(1), true);

    assertThat(request(2, "a")).contains("a");
    assertThat(request(3, "a")).contains("a");
    assertThat(request(4, "a")).as("a grant ends once").isEmpty();
  }

  @Test
  void fileWithoutKnownHolderIsGrantedAtOnce() {
    for (int i = 0; i < 10; i++) {
      assertThat(request(i)).contains("");
    }
    assertThat(slots.finished(reader(3), true)).isEmpty();
  }

  @Test
  void waitForOneNodeBlocksNoOtherNode() {
    request(1, "a");
    request(2, "a");
    assertThat(request(3, "a")).isEmpty();
    assertThat(request(4, "b")).contains("b");
  }

  @Test
  void lostWorkerFreesItsGrants() {
    assertThat(slots.request(new Reader("w", 1), wish("", List.of("a")))).isNotEmpty();
    assertThat(slots.request(new Reader("w", 2), wish("", List.of("a")))).isNotEmpty();
    assertThat(slots.request(new Reader("w", 3), wish("", List.of("a")))).isEmpty();
    assertThat(request(1, "a")).isEmpty();
    assertThat(request(2, "a")).isEmpty();
    assertThat(request(3, "a")).isEmpty();

    assertThat(slots.lost("w"))
        .containsExactlyInAnyOrder(new Grant(reader(1), "a"), new Grant(reader(2), "a"));
    assertThat(slots.lost("w")).isEmpty();
  }

  @Test
  void withdrawnRequestIsForgotten() {
    request(1, "a");
    request(2, "a");
    request(3, "a");
    request(4, "a");
    assertThat(slots.finished(reader(3), true)).isEmpty();
    assertThat(slots.finished(reader(1), true)).containsExactly(new Grant(reader(4), "a"));
  }

  @Test
  void nineteenReadersOfOneFileFormATree() {
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
        request(i, holders.toArray(String[]::new))
            .ifPresent(
                from -> {
                  reading.put(i, from);
                  waiting.remove((Integer) i);
                });
      }
      Map<String, Integer> load = new HashMap<>();
      reading.values().forEach(from -> load.merge(from, 1, Integer::sum));
      assertThat(load.values()).allMatch(busy -> busy <= 2);
      // All transfers end at once, and each reader then has a copy.
      List<Integer> ended = List.copyOf(reading.keySet());
      reading.clear();
      for (int i : ended) {
        for (Grant grant : slots.finished(reader(i), true)) {
          int next = Integer.parseInt(grant.reader().worker().substring(1));
          reading.put(next, grant.from());
          waiting.remove((Integer) next);
        }
        holders.add("node" + i);
      }
      rounds++;
    }
    // Two transfers run first; the next two start when these end. One after another they would take
    // 10.
    assertThat(rounds).isLessThanOrEqualTo(5);
  }

  @Test
  void randomRequestsKeepLimitsAndAreAllGranted() {
    for (long seed = 0; seed < 50; seed++) {
      Random random = new Random(seed);
      TransferSlots some = new TransferSlots(3);
      Map<Reader, String> reading = new HashMap<>();
      List<Reader> waiting = new ArrayList<>();
      for (int step = 0; step < 300; step++) {
        if (random.nextInt(5) < 3) {
          Reader reader = new Reader("w" + random.nextInt(4), step);
          String one = "n" + random.nextInt(3);
          Optional<Grant> grant = some.request(reader, wish("", List.of(one))).stream().findFirst();
          if (grant.isPresent()) {
            reading.put(reader, grant.get().from());
          } else {
            waiting.add(reader);
          }
        } else if (!reading.isEmpty()) {
          Reader ended = reading.keySet().iterator().next();
          reading.remove(ended);
          some.finished(ended, true)
              .forEach(
                  grant -> {
                    assertThat(waiting.remove(grant.reader())).isTrue();
                    reading.put(grant.reader(), grant.from());
                  });
        }
        Map<String, Integer> load = new HashMap<>();
        reading.values().forEach(from -> load.merge(from, 1, Integer::sum));
        assertThat(load.values()).as("seed %d", seed).allMatch(busy -> busy <= 3);
      }
      while (!reading.isEmpty()) {
        Reader ended = reading.keySet().iterator().next();
        reading.remove(ended);
        some.finished(ended, true)
            .forEach(
                grant -> {
                  waiting.remove(grant.reader());
                  reading.put(grant.reader(), grant.from());
                });
      }
      assertThat(waiting).as("seed %d", seed).isEmpty();
    }
  }

  @Test
  void limitOfZeroIsRefused() {
    assertThatIllegalArgumentException().isThrownBy(() -> new TransferSlots(0));
  }

  private static final String CONTENT = "the content";

  /** Requests a file for a reader on its own node whose cache is open. */
  private Optional<Grant> share(TransferSlots some, int number, String... holders) {
    some.opened("w" + number, new TransferSlots.Cache("n" + number, "n" + number + ":1"));
    return some.request(reader(number), wish(CONTENT, List.of(holders))).stream().findFirst();
  }

  private static Grant fromCache(int number, int of) {
    return new Grant(reader(number), "n" + of, "n" + of + ":1");
  }

  @Test
  void readersWithOpenCachesFormAChain() {
    TransferSlots one = new TransferSlots(1);

    assertThat(share(one, 1, "a")).contains(new Grant(reader(1), "a"));
    assertThat(share(one, 2, "a")).contains(fromCache(2, 1));
    assertThat(share(one, 3, "a")).contains(fromCache(3, 2));
    assertThat(one.finished(reader(1), true)).isEmpty();
    assertThat(share(one, 4, "a"))
        .as("an idle node, HDFS first")
        .contains(new Grant(reader(4), "a"));
  }

  @Test
  void readerThatDoesNotWaitTakesTheLeastBusySource() {
    TransferSlots one = new TransferSlots(1);
    for (int number = 1; number <= 4; number++) {
      one.opened("w" + number, new TransferSlots.Cache("n" + number, "n" + number + ":1"));
    }
    requestWithoutCache(one, 9, "a");
    TransferWish request = new TransferWish(1, CONTENT, List.of("a"), false);

    assertThat(one.request(reader(1), request))
        .as("the only source, although it is busy")
        .containsExactly(new Grant(reader(1), "a"));
    assertThat(one.request(reader(2), request)).containsExactly(fromCache(2, 1));
    assertThat(one.request(reader(3), request)).containsExactly(fromCache(3, 2));
    one.finished(reader(9), true);
    one.finished(reader(1), true);
    assertThat(one.request(reader(4), request)).containsExactly(new Grant(reader(4), "a"));
  }

  @Test
  void readerServesOthersUntilItIsLostOrEvictsTheFile() {
    TransferSlots one = new TransferSlots(1);
    share(one, 1, "a");
    one.finished(reader(1), true);
    assertThat(requestWithoutCache(one, 9, "a")).contains("a");

    assertThat(share(one, 2, "a")).contains(fromCache(2, 1));
    one.finished(reader(2), false);
    one.notKept("w1", CONTENT);
    assertThat(share(one, 3, "a")).as("neither has the file").isEmpty();
    assertThat(one.finished(reader(9), true)).containsExactly(new Grant(reader(3), "a"));

    assertThat(share(one, 4, "a")).contains(fromCache(4, 3));
    assertThat(one.lost("w4")).isEmpty();
    one.lost("w3");
    assertThat(share(one, 5, "a")).as("no cache has the file").contains(new Grant(reader(5), "a"));
  }

  private static Optional<String> requestWithoutCache(
      TransferSlots some, int number, String... holders) {
    return some.request(reader(number), wish("", List.of(holders))).stream()
        .map(Grant::from)
        .findFirst();
  }

  @Test
  void waitingReaderReadsFromAReaderThatStarts() {
    TransferSlots one = new TransferSlots(1);
    one.opened("w2", new TransferSlots.Cache("n2", "n2:1"));
    one.opened("w3", new TransferSlots.Cache("n3", "n3:1"));
    requestWithoutCache(one, 1, "a");
    TransferWish request = wish(CONTENT, List.of("a"));
    assertThat(one.request(reader(2), request)).isEmpty();
    assertThat(one.request(reader(3), request)).isEmpty();

    assertThat(one.finished(reader(1), true))
        .containsExactly(new Grant(reader(2), "a"), fromCache(3, 2));
  }

  @Test
  void noReaderReadsFromItsOwnNodeOrWithoutACache() {
    TransferSlots one = new TransferSlots(1);
    share(one, 1, "a");
    one.opened("w2", new TransferSlots.Cache("n1", "n1:2"));

    TransferWish request = wish(CONTENT, List.of("a"));
    assertThat(one.request(reader(2), request)).as("the holder is on the same node").isEmpty();
    assertThat(one.request(reader(3), request)).as("its cache is closed").isEmpty();
    assertThat(one.request(reader(4), wish("another", List.of("a")))).isEmpty();
  }

  @Test
  void waitingReaderIsNoSourceOfTheFile() {
    TransferSlots one = new TransferSlots(1);
    share(one, 1, "a");
    one.finished(reader(1), true);
    requestWithoutCache(one, 9, "a");

    // Its cache has evicted the content without a report.
    Reader again = new Reader("w1", 2);
    TransferWish request = wish(CONTENT, List.of("a"));
    assertThat(one.request(again, request)).isEmpty();

    assertThat(share(one, 2, "a")).as("the holder waits itself").isEmpty();
    assertThat(one.finished(reader(9), true))
        .containsExactly(new Grant(again, "a"), new Grant(reader(2), "n1", "n1:1"));
  }

  @Test
  void noReaderReadsFromItsOwnReaders() {
    TransferSlots one = new TransferSlots(1);
    share(one, 1, "a");
    one.finished(reader(1), true);
    requestWithoutCache(one, 9, "a");
    assertThat(share(one, 2, "a")).contains(fromCache(2, 1));
    assertThat(share(one, 3, "a")).contains(fromCache(3, 2));

    // The second had its grant when the first had the content, which it evicted and wants again.
    Reader again = new Reader("w1", 2);
    TransferWish request = wish(CONTENT, List.of("a"));
    assertThat(one.request(again, request)).isEmpty();
    assertThat(one.finished(reader(9), true)).containsExactly(new Grant(again, "a"));
  }

  @Test
  void randomEvictionsFormNoRing() {
    for (long seed = 0; seed < 200; seed++) {
      Random random = new Random(seed);
      TransferSlots some = new TransferSlots(1 + random.nextInt(2));
      Map<Reader, Grant> reading = new HashMap<>();
      for (int i = 0; i < 6; i++) {
        some.opened("w" + i, new TransferSlots.Cache("n" + i, "n" + i + ":1"));
      }
      for (int step = 0; step < 200; step++) {
        List<Grant> grants;
        String worker = "w" + random.nextInt(6);
        Optional<Reader> its =
            reading.keySet().stream().filter(of -> of.worker().equals(worker)).findFirst();
        if (its.isEmpty()) {
          TransferWish request = wish(CONTENT, List.of("a"));
          grants = some.request(new Reader(worker, 0), request);
        } else {
          reading.remove(its.get());
          grants = some.finished(its.get(), random.nextInt(4) > 0);
        }
        grants.forEach(grant -> reading.put(grant.reader(), grant));
        assertThat(reading.keySet()).as("seed %d", seed).noneMatch(at -> isInRing(at, reading));
      }
    }
  }

  /** Returns whether the chain of sources of a reader leads back to it. */
  private static boolean isInRing(Reader start, Map<Reader, Grant> reading) {
    Grant grant = reading.get(start);
    for (int steps = 0; grant != null && steps <= reading.size(); steps++) {
      if (grant.cache().isEmpty()) {
        return false;
      }
      grant = reading.get(new Reader("w" + grant.from().substring(1), 0));
    }
    return grant != null;
  }

  @Test
  void chainTakesLittleLongerThanOneReader() {
    int readers = 19;
    TransferSlots some = new TransferSlots(2);
    Map<Integer, Integer> chain = new HashMap<>();
    Map<Integer, Integer> star = new HashMap<>();
    for (int i = 1; i <= readers; i++) {
      String from = share(some, i, "n0").orElseThrow().from();
      chain.put(i, Integer.parseInt(from.substring(1)));
      star.put(i, 0);
    }

    assertThat(ChainDuration.secondsOf(star)).as("all read from one node").isGreaterThan(18.9);
    assertThat(ChainDuration.secondsOf(chain)).as("%s", chain).isLessThan(1.2);
  }

  private List<Grant> fromCache(int number, String content, String... holders) {
    return slots.request(
        reader(number), new TransferWish(1, content, List.of(holders), true, true));
  }

  @Test
  void fileOfANodeIsReadFromACacheThere() {
    assertThat(fromCache(5, "file", "a")).containsExactly(new Grant(reader(5), ""));
    slots.opened("w1", new TransferSlots.Cache("a", "a:1"));
    slots.opened("w2", new TransferSlots.Cache("b", "b:1"));
    for (int number = 3; number <= 5; number++) {
      slots.opened("w" + number, new TransferSlots.Cache("c" + number, "c" + number + ":1"));
    }

    assertThat(fromCache(2, "file", "a")).containsExactly(new Grant(reader(2), "a", "a:1"));
    assertThat(fromCache(3, "file", "a")).containsExactly(new Grant(reader(3), "b", "b:1"));
    assertThat(fromCache(4, "other", "gone")).containsExactly(new Grant(reader(4), ""));
  }

  @Test
  void addressOfACacheNeedsNoSlot() {
    slots.opened("w1", new TransferSlots.Cache("a", "a:1"));
    for (int number = 2; number < 9; number++) {
      assertThat(fromCache(number, "", "a")).containsExactly(new Grant(reader(number), "a", "a:1"));
    }
    assertThat(fromCache(1, "", "a")).as("its own").containsExactly(new Grant(reader(1), ""));
  }

  @Test
  void readersOfAFileOnALostNodeAreToldSo() {
    slots.opened("w1", new TransferSlots.Cache("a", "a:1"));
    assertThat(fromCache(2, "x", "a")).hasSize(1);
    assertThat(fromCache(3, "y", "a")).hasSize(1);
    assertThat(fromCache(4, "z", "a")).isEmpty();

    assertThat(slots.lost("w1")).containsExactly(new Grant(reader(4), ""));
  }
}
