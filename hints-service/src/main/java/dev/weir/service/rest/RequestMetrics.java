package dev.weir.service.rest;

import java.io.Closeable;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import javax.ws.rs.container.ContainerRequestContext;
import javax.ws.rs.container.ContainerRequestFilter;
import javax.ws.rs.container.ContainerResponseContext;
import javax.ws.rs.container.ContainerResponseFilter;
import javax.ws.rs.container.ResourceInfo;
import javax.ws.rs.core.Context;
import org.apache.hadoop.metrics2.MetricsCollector;
import org.apache.hadoop.metrics2.MetricsSource;
import org.apache.hadoop.metrics2.MetricsSystem;
import org.apache.hadoop.metrics2.lib.MetricsRegistry;
import org.apache.hadoop.metrics2.lib.MutableCounterLong;
import org.apache.hadoop.metrics2.lib.MutableRate;
import org.jspecify.annotations.Nullable;

/**
 * Counts and times requests by call and outcome: {@code PutHintSetOk}, {@code PutHintSetRefused},
 * {@code PutHintSetUnavailable}, {@code PutHintSetFailed}, {@code PutHintSet}.
 */
public final class RequestMetrics
    implements ContainerRequestFilter, ContainerResponseFilter, MetricsSource, Closeable {
  private static final String NAME = "WeirRequests";
  private static final String STARTED = RequestMetrics.class.getName();

  private final MetricsRegistry registry = new MetricsRegistry(NAME);
  private final Map<String, MutableCounterLong> counters = new ConcurrentHashMap<>();
  private final Map<String, MutableRate> rates = new ConcurrentHashMap<>();
  private final MetricsSystem system;

  /** The name of the source; a second server in the same process needs another one. */
  private final String name;

  @Context private @Nullable ResourceInfo matched;

  public RequestMetrics(MetricsSystem system) {
    this.system = system;
    this.name =
        system.getSource(NAME) == null ? NAME : NAME + "-" + Integer.toHexString(hashCode());
    system.register(name, "Requests to the hints service, by call and outcome", this);
  }

  @Override
  public void filter(ContainerRequestContext request) {
    request.setProperty(STARTED, System.nanoTime());
  }

  @Override
  public void filter(ContainerRequestContext request, ContainerResponseContext response) {
    String call = call();
    counter(call + outcome(response.getStatus())).incr();
    if (request.getProperty(STARTED) instanceof Long started) {
      rate(call).add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - started));
    }
  }

  @Override
  public void getMetrics(MetricsCollector collector, boolean all) {
    registry.snapshot(collector.addRecord(registry.info()), true);
  }

  @Override
  public void close() {
    system.unregisterSource(name);
  }

  private String call() {
    if (matched == null || matched.getResourceMethod() == null) {
      return "Unmatched";
    }
    String method = matched.getResourceMethod().getName();
    return method.substring(0, 1).toUpperCase(Locale.ROOT) + method.substring(1);
  }

  private static String outcome(int status) {
    if (status < 400) {
      return "Ok";
    }
    if (status < 500) {
      return "Refused";
    }
    return status == 503 ? "Unavailable" : "Failed";
  }

  private MutableCounterLong counter(String counter) {
    return counters.computeIfAbsent(counter, key -> registry.newCounter(key, key, 0L));
  }

  private MutableRate rate(String call) {
    return rates.computeIfAbsent(call, key -> registry.newRate(key, key, false));
  }
}
