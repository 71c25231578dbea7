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
  private static final Rule GROUP = rule("/data/part-*", through(1));
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
  void filesThatAreWrittenToOneNodeShareALane() {
    IncastGroups lanes = IncastGroups.of(List.of(GROUP, SPREAD, LAZY, LOCAL), () -> true);
    assertThat(lanes.of("/data/part-1")).isNotEmpty().isEqualTo(lanes.of("/data/part-2"));
    assertThat(lanes.of("/data/spread-1")).as("goes to one of several nodes").isEmpty();
    assertThat(lanes.of("/data/lazy-1")).as("stays with its writer").isEmpty();
    assertThat(lanes.of("/data/local-1")).isEmpty();
    assertThat(lanes.of("/data/other")).isEmpty();
  }

  @Test
  void filesOfAGroupThatStayAreCopiedToItLater() {
    AtomicBoolean inForce = new AtomicBoolean(true);
    IncastGroups lanes = IncastGroups.of(List.of(GROUP, SPREAD, LAZY, LOCAL), inForce::get);
    assertThat(lanes.isCopied("/data/lazy-1")).isTrue();
    assertThat(lanes.isCopied("/data/part-1")).as("is there when it is written").isFalse();
    assertThat(lanes.isCopied("/data/local-1")).as("goes anywhere").isFalse();
    assertThat(lanes.isCopied("/data/other")).isFalse();
    inForce.set(false);
    assertThat(lanes.isCopied("/data/lazy-1")).isFalse();
  }

  @Test
  void nobodyWaitsForFilesThatGoElsewhereBecauseHintsAreNotInForce() {
    AtomicBoolean inForce = new AtomicBoolean();
    IncastGroups lanes = IncastGroups.of(List.of(GROUP), inForce::get);
    assertThat(lanes.of("/data/part-1")).isEmpty();
    inForce.set(true);
    assertThat(lanes.of("/data/part-1")).isNotEmpty();
    assertThat(IncastGroups.NONE.of("/data/part-1")).isEmpty();
  }

  @Test
  void workersAreToldTheLanesOfOutputs() {
    RunOrders orders =
        new RunOrders(
            "",
            Plans.of(10, Plans.task("t", List.of("part-0"), List.of("part-1", "x"))),
            "run-1",
            IncastGroups.of(List.of(GROUP), () -> true));
    var order = orders.order(new Effect.Start("w", "t", 1, List.of("part-1", "x")));
    assertThat(order.outputs()).extracting(FileSlot::lane).containsExactly("lane:g", "");
    assertThat(order.inputs()).extracting(FileSlot::lane).containsExactly("");
  }
}
