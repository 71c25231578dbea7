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

/**
 * The plugin's counters, shown over JMX as {@code Hadoop:service=ResourceManager,name=WeirAsks}.
 */
public final class AskMetrics implements MetricsSource {

  public static final String NAME = "WeirAsks";

  /** Events that are counted besides the outcome of each key. */
  public enum Event {
    NAMES_REFUSED("Resource names of files that cannot be parsed or are too many"),
    FAILURES(
        "Heartbeats passed on without the names of files, or without held asks,"
            + " because of an error"),
    LOOKUPS_DONE("Lookups that located the files"),
    LOOKUPS_FAILED("Failed lookups: no such file, no permission, or no answer"),
    LOOKUPS_REFUSED(
        "Lookups not made: too many were waiting, or the file system did not answer recently"),
    CONTAINERS_ON_NAMED_NODES("Containers allocated on a node that was named for the files"),
    CONTAINERS_IN_NAMED_RACKS("Containers allocated in the rack of a node that was named"),
    CONTAINERS_ELSEWHERE("Containers allocated in another rack although nodes were named"),
    BYTES_ON_NAMED_NODES("Bytes of the files that are on the node of their container"),
    BYTES_IN_NAMED_RACKS("Bytes of the files of containers in the rack of a named node"),
    BYTES_ELSEWHERE("Bytes of the files of containers in another rack"),
    BYTES_SAVED("Bytes on the container's node beyond what a random node would hold"),
    MILLIS_WAITED("Total milliseconds from an ask that names files to its containers"),
    WAITS_CUT(
        "Waits for named nodes ended early because no named node is expected to have room in time"),
    ASKS_WITH_INPUTS("Asks that name files only through the inputs of their application"),
    MASTERS_ON_NAMED_NODES("ApplicationMasters allocated on a node that holds inputs"),
    MASTERS_ELSEWHERE("ApplicationMasters allocated on another node although some hold inputs"),
    ALLOCATORS("Placement allocators created");

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
            "AllocatorLoaded",
            "1 if Weir's placement allocator is the default of all applications",
            0);
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
   * Registers the counters, replacing those of a ResourceManager that was active before in this
   * process.
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
