package dev.weir.yarn.metrics;

import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableGaugeInt;

/** Counters, seen over JMX as {@code Hadoop:service=ResourceManager,name=WeirAsks}. */
public final class AskMetrics implements MetricsSource {

  public static final String NAME = "WeirAsks";

  /** What is counted besides the outcome for each key. */
  public enum Event {
    NAMES_REFUSED("Names of files that cannot be parsed or are too many"),
    FAILURES(
        "Heartbeats passed on without the names of files, or without what was kept back for them,"
            + " because of an error"),
    LOOKUPS_DONE("Look-ups that found the files"),
    LOOKUPS_LISTED("Look-ups, of those that found the files, that a directory's listing answered"),
    LOOKUPS_FAILED("Look-ups that did not: no such file, no permission, no answer"),
    LOOKUPS_REFUSED("Look-ups not made: too many were waiting, or none was answered lately"),
    LOCATIONS_FORGOTTEN("Answers on where files are that were dropped because the files changed"),
    CONTAINERS_ON_NAMED_NODES("Containers given on a node that was named for the files"),
    CONTAINERS_IN_NAMED_RACKS("Containers given in the rack of a node that was named"),
    CONTAINERS_ELSEWHERE("Containers given in another rack although nodes were named"),
    BYTES_ON_NAMED_NODES("Bytes of the files that are where their containers are"),
    BYTES_IN_NAMED_RACKS("Bytes of the files of containers in the rack of a named node"),
    BYTES_ELSEWHERE("Bytes of the files of containers in another rack"),
    BYTES_SAVED("Bytes that are where their containers are, and would not be by chance"),
    MILLIS_WAITED("Milliseconds from an ask that names files to its containers, in all"),
    WAITS_CUT("Waits for named nodes ended early because none of them will have room in time"),
    ASKS_WITH_INPUTS("Asks that name files only by the inputs of their application"),
    MASTERS_ON_NAMED_NODES("ApplicationMasters given a node that holds inputs"),
    MASTERS_ELSEWHERE("ApplicationMasters given another node although some hold inputs"),
    ALLOCATORS("Placement allocators made");

    private final String description;

    Event(String description) {
      this.description = description;
    }
  }

  private final MetricsRegistry registry =
      new MetricsRegistry(NAME).tag("Version", "The version of Weir", version());
  private final Map<AskOutcome, MutableCounterLong> outcomes = new EnumMap<>(AskOutcome.class);
  private final Map<Event, MutableCounterLong> events = new EnumMap<>(Event.class);
  private final MutableGaugeInt applications;
  private final MutableGaugeInt allocatorLoaded;

  private static String version() {
    return Objects.requireNonNullElse(
        AskMetrics.class.getPackage().getImplementationVersion(), "(unpackaged)");
  }

  public AskMetrics() {
    applications = registry.newGauge("Applications", "Applications with asks that name files", 0);
    allocatorLoaded =
        registry.newGauge(
            "AllocatorLoaded", "1 if all applications are given our placement allocator", 0);
    for (AskOutcome outcome : AskOutcome.values()) {
      if (outcome != AskOutcome.NOTHING) {
        outcomes.put(
            outcome, registry.newCounter("Asks" + camelCase(outcome), outcome.description(), 0L));
      }
    }
    for (Event event : Event.values()) {
      events.put(event, registry.newCounter(camelCase(event), event.description, 0L));
    }
  }

  /**
   * Makes the counters visible, in the place of those of a ResourceManager that was active before.
   */
  public void register(MetricsSystem system) {
    system.unregisterSource(NAME);
    system.register(NAME, "Asks that name files", this);
  }

  public void count(AskOutcome outcome) {
    MutableCounterLong counter = outcomes.get(outcome);
    if (counter != null) {
      counter.incr();
    }
  }

  public void count(Event event) {
    count(event, 1);
  }

  public void count(Event event, long times) {
    MutableCounterLong counter = events.get(event);
    if (counter != null && times > 0) {
      counter.incr(times);
    }
  }

  public void applications(int count) {
    applications.set(count);
  }

  public void allocatorLoaded(boolean loaded) {
    allocatorLoaded.set(loaded ? 1 : 0);
  }

  public long value(AskOutcome outcome) {
    MutableCounterLong counter = outcomes.get(outcome);
    return counter == null ? 0 : counter.value();
  }

  public long value(Event event) {
    MutableCounterLong counter = events.get(event);
    return counter == null ? 0 : counter.value();
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    registry.snapshot(collector.addRecord(NAME).setContext("weir"), all);
  }

  private static String camelCase(Enum<?> constant) {
    StringBuilder name = new StringBuilder();
    for (String word : constant.name().split("_", -1)) {
      name.append(word.charAt(0)).append(word.substring(1).toLowerCase(Locale.ROOT));
    }
    return name.toString();
  }
}
