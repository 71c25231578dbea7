package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.net.URI;
import java.util.HashMap;
import java.util.Map;

/** Reads the web pages that all Hadoop daemons have, as JSON. */
@FunctionalInterface
interface DaemonPages {
  /**
   * Reads a page.
   *
   * @param daemon the address of the daemon's web server
   * @param page its path with its query, such as {@code /jmx?qry=java.lang:*}
   * @throws IOException if the page cannot be read
   */
  JsonNode read(URI daemon, String page) throws IOException;

  /** Returns the configuration of a running daemon. */
  default Map<String, String> settings(URI daemon) throws IOException {
    Map<String, String> settings = new HashMap<>();
    for (JsonNode property : read(daemon, "/conf").path("properties")) {
      settings.put(property.path("key").asText(), property.path("value").asText());
    }
    return settings;
  }

  /** Returns an MBean of a daemon; a missing node if there is none with that name. */
  default JsonNode bean(URI daemon, String name) throws IOException {
    return read(daemon, "/jmx?qry=" + name).path("beans").path(0);
  }
}
