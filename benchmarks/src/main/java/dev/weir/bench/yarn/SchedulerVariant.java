package dev.weir.bench.yarn;

import java.util.Map;

/**
 * Whether the ResourceManager has the plugin, and how an application names the location of a file.
 */
enum SchedulerVariant {
  /** Without the plugin; the application names the host with the file. */
  STOCK,
  /** With the plugin; the application names the file. */
  WEIR,
  /**
   * As stock, but with an allocator that adds nothing to Hadoop's own, to measure the cost of
   * configuring one.
   */
  EMPTY;

  /** Returns the settings of {@code yarn-site.xml}. */
  Map<String, String> settings() {
    return switch (this) {
      case STOCK -> Map.of();
      case WEIR ->
          Map.of(
              "yarn.resourcemanager.application-master-service.processors",
              "dev.weir.yarn.WeirAskProcessor",
              "yarn.scheduler.app-placement-allocator.class",
              "dev.weir.yarn.WeirPlacementAllocator");
      case EMPTY ->
          Map.of("yarn.scheduler.app-placement-allocator.class", EmptyAllocator.class.getName());
    };
  }
}
