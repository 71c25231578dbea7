package dev.weir.service.rest;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;

/** The resources of all parts, with what they share: limits, problems, metrics. */
public final class RestApplication {
  /** Kept, because a logger that nobody keeps forgets its filter. */
  private static final Logger PROVIDERS =
      Logger.getLogger("org.glassfish.jersey.internal.inject.Providers");

  private RestApplication() {}

  /**
   * What Jersey serves below {@code /v1/}.
   *
   * @param resources one object for each resource
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
    Set<String> names = new HashSet<>();
    for (Object resource : resources) {
      config.register(resource);
      names.add(resource.getClass().getName());
    }
    PROVIDERS.setFilter(message -> isOfUse(message, names));
    return config;
  }

  /** Jersey says of each resource that is an object that it will be ignored, and then serves it. */
  private static boolean isOfUse(LogRecord message, Set<String> resources) {
    String text = String.valueOf(message.getMessage());
    return resources.stream().noneMatch(name -> text.contains(name + " "));
  }
}
