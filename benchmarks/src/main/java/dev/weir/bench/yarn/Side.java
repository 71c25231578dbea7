package dev.weir.bench.yarn;

import java.util.Locale;
import java.util.Map;

/** Whose ResourceManager, and how an application says where a file is. */
enum Side {
  /** Without the plugin; the application names the host that holds the file. */
  STOCK,
  /** With the plugin; the application names the file. */
  WEIR;

  /** What an administrator sets in {@code yarn-site.xml} for the plugin. */
  static final Map<String, String> PLUGIN =
      Map.of(
          "yarn.resourcemanager.application-master-service.processors",
          "dev.weir.yarn.WeirAskProcessor",
          "yarn.scheduler.app-placement-allocator.class",
          "dev.weir.yarn.WeirPlacementAllocator");

  /** Of that what is set on this side. */
  Map<String, String> settings() {
    return this == WEIR ? PLUGIN : Map.of();
  }

  String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
