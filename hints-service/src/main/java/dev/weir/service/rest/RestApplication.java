package dev.weir.service.rest;

import java.util.Map;
import org.glassfish.jersey.server.ResourceConfig;
import org.glassfish.jersey.server.ServerProperties;

/** The resources of all parts, with what they share: limits, problems, metrics. */
public final class RestApplication {
  private RestApplication() {}

  /**
   * What Jersey serves below {@code /v1/}.
   *
   * @param resources one object for each resource
   */
  public static ResourceConfig of(
      Iterable<?> resources, RestSettings settings, CallMetrics metrics) {
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
    resources.forEach(config::register);
    return config;
  }
}
