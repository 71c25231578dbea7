package dev.weir.service.rest;

import dev.weir.service.pages.BrowserPages;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;

/** The resources of all parts, with their shared limits, error mapping and metrics. */
public final class RestApplication {
  /** Held strongly: a logger that is garbage-collected loses its filter. */
  private static final Logger PROVIDERS =
      Logger.getLogger("org.glassfish.jersey.internal.inject.Providers");

  private RestApplication() {}

  /**
   * Returns what Jersey serves below {@code /v1/}.
   *
   * @param resources one object per resource
   */
  public static ResourceConfig of(
      Iterable<?> resources, RestSettings settings, RequestMetrics metrics) {
    ResourceConfig config = new ResourceConfig();
    config.addProperties(
        Map.of(
            ServerProperties.WADL_FEATURE_DISABLE, true,
            ServerProperties.RESPONSE_SET_STATUS_OVER_SEND_ERROR, true,
            ServerProperties.BV_FEATURE_DISABLE, true,
            ServerProperties.MOXY_JSON_FEATURE_DISABLE, true));
    config.register(new FailureMapper());
    config.register(new BodyLimit(settings.body()));
    config.register(metrics);
    config.register(new BrowserPages());
    Set<String> names = new HashSet<>();
    for (Object resource : resources) {
      config.register(resource);
      names.add(resource.getClass().getName());
    }
    PROVIDERS.setFilter(message -> isRelevant(message, names));
    return config;
  }

  /**
   * Returns false for Jersey's warning that it ignores a resource instance. Jersey serves it
   * nevertheless.
   */
  private static boolean isRelevant(LogRecord message, Set<String> resources) {
    String text = String.valueOf(message.getMessage());
    return resources.stream().noneMatch(name -> text.contains(name + " "));
  }
}
