package dev.weir.bench.yarn;

import java.util.Locale;
import java.util.Map;

/** Whose ResourceManager, and how an application says where a file is. */
enum SchedulerVariant {
  /** Without the plugin; the application names the host that holds the file. */
  STOCK,
  /** With the plugin; the application names the file. */
  WEIR,
  /**
   * As stock, but with an allocator set that adds nothing to Hadoop's own: what it costs that the
   * scheduler looks for a class.
   */
  EMPTY;

  /** What an administrator sets in {@code yarn-site.xml} for the plugin. */
  static final Map<String, String> PLUGIN =
      Map.of(
          "yarn.resourcemanager.application-master-service.processors",
          "dev.weir.yarn.WeirAskProcessor",
          "yarn.scheduler.app-placement-allocator.class",
          "dev.weir.yarn.WeirPlacementAllocator");

  /** Of that what is set on this side. */
  Map<String, String> settings() {
    return switch (this) {
      case STOCK -> Map.of();
      case WEIR -> PLUGIN;
      case EMPTY ->
          Map.of("yarn.scheduler.app-placement-allocator.class", EmptyAllocator.class.getName());
    };
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
