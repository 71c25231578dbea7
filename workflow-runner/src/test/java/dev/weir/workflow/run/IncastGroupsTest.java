package dev.weir.workflow.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.Hint;
import dev.weir.hints.HintPresets;
import dev.weir.hints.PathPattern;
import dev.weir.hints.Placement;
import dev.weir.hints.Rule;
import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.scheduler.Effect;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

/** Which outputs are stored a few at a time. */
class IncastGroupsTest {
  private static final Rule GATHERED = rule("/data/part-*", through(1));
  private static final Rule SPREAD = rule("/data/spread-*", through(4));
  private static final Rule LAZY = rule("/data/lazy-*", HintPresets.reduce("g"));
  private static final Rule LOCAL = rule("/data/local-*", HintPresets.pipeline());

  private static Hint through(int spread) {
    return Hint.builder().placement(new Placement.Collocate("g", spread)).build();
  }

  private static Rule rule(String pattern, Hint hint) {
    return new Rule(PathPattern.parse(pattern), hint);
  }

  @Test
  void filesWrittenToOneNodeShareAGroup() {
    IncastGroups groups = IncastGroups.of(List.of(GATHERED, SPREAD, LAZY, LOCAL), () -> true);
    assertThat(groups.of("/data/part-1")).isNotEmpty().isEqualTo(groups.of("/data/part-2"));
    assertThat(groups.of("/data/spread-1")).as("written to one of several nodes").isEmpty();
    assertThat(groups.of("/data/lazy-1")).as("stays with its writer").isEmpty();
    assertThat(groups.of("/data/local-1")).isEmpty();
    assertThat(groups.of("/data/other")).isEmpty();
  }

  @Test
  void filesHaveNoGroupIfHintsAreNotInForce() {
    AtomicBoolean inForce = new AtomicBoolean();
    IncastGroups groups = IncastGroups.of(List.of(GATHERED), inForce::get);
    assertThat(groups.of("/data/part-1")).isEmpty();
    inForce.set(true);
    assertThat(groups.of("/data/part-1")).isNotEmpty();
    assertThat(IncastGroups.NONE.of("/data/part-1")).isEmpty();
  }

  @Test
  void ordersHaveTheGroupsOfOutputs() {
    RunOrders orders =
        new RunOrders(
            "",
            Plans.of(10, Plans.task("t", List.of("part-0"), List.of("part-1", "x"))),
            "run-1",
            IncastGroups.of(List.of(GATHERED), () -> true));
    var order = orders.order(new Effect.Start("w", "t", 1, List.of("part-1", "x")));
    assertThat(order.outputs()).extracting(FileSlot::lane).containsExactly("lane:g", "");
    assertThat(order.inputs()).extracting(FileSlot::lane).containsExactly("");
  }
}
