package dev.weir.bench.series;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.bench.series.RunOrder.Group;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class RunOrderTest {
  private static final List<String> SETUPS = List.of("a", "b", "c", "d", "e");
  private static final Group REDUCE = new Group("reduce", SETUPS);
  private static final Group GATHER = new Group("gather", SETUPS.subList(0, 3));

  @Test
  void allFirstRepetitionsComeFirstAndEachGroupsTogether() {
    List<PlannedRun> turns = RunOrder.of(List.of(REDUCE, GATHER), 2).runs();

    assertThat(turns).hasSize(16).doesNotHaveDuplicates();
    assertThat(turns.subList(0, 8)).allMatch(planned -> planned.repeat() == 1);
    assertThat(turns.subList(0, 5)).allMatch(planned -> planned.group().equals("reduce"));
    assertThat(turns.subList(5, 8)).allMatch(planned -> planned.group().equals("gather"));
    assertThat(turns.subList(8, 13)).allMatch(planned -> planned.group().equals("reduce"));
    assertThat(turns.subList(0, 5)).extracting(PlannedRun::setup).containsAll(SETUPS);
  }

  @Test
  void moreRepetitionsComeAfterThoseThereWere() {
    assertThat(RunOrder.of(List.of(REDUCE), 7).runs())
        .startsWith(RunOrder.of(List.of(REDUCE), 3).runs().toArray(PlannedRun[]::new));
  }

  @Test
  void whatIsRunBesideChangesNoOrder() {
    List<PlannedRun> alone = RunOrder.of(List.of(GATHER), 3).runs();

    assertThat(RunOrder.of(List.of(REDUCE, GATHER), 3).runs()).containsSubsequence(alone);
  }

  @Test
  void nextIsTheFirstThatWasNotMade() {
    RunOrder order = RunOrder.of(List.of(REDUCE, GATHER), 2);
    Set<PlannedRun> made = new HashSet<>();

    for (PlannedRun planned : order.runs()) {
      assertThat(order.next(made::contains)).contains(planned);
      made.add(planned);
    }
    assertThat(order.next(made::contains)).isEmpty();
    PlannedRun lost = order.runs().get(3);
    made.remove(lost);
    assertThat(order.next(made::contains)).contains(lost);
  }

  @Test
  void eachSetupIsAsOftenInEachPlaceAndAfterEachOther() {
    Map<String, Integer> places = new HashMap<>();
    Map<String, Integer> after = new HashMap<>();
    int repeat = 1000;
    List<PlannedRun> turns = RunOrder.of(List.of(REDUCE), repeat).runs();
    for (int i = 0; i < turns.size(); i++) {
      int place = i % SETUPS.size();
      places.merge(turns.get(i).setup() + place, 1, Integer::sum);
      if (place > 0) {
        after.merge(turns.get(i).setup() + turns.get(i - 1).setup(), 1, Integer::sum);
      }
    }

    assertThat(places).hasSize(25);
    assertThat(after).hasSize(20);
    List<Integer> counts = new ArrayList<>(places.values());
    counts.addAll(after.values());
    // 200 of each are expected; 5 standard deviations are 63.
    assertThat(counts).allMatch(count -> count > 137 && count < 263);
  }
}
