package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;

/** Compares the version of Weir in a daemon with that of this client. */
final class Versions {
  private Versions() {}

  /**
   * Returns the finding.
   *
   * @param bean the daemon's metrics MBean
   * @param own the version of this client
   */
  static Finding finding(String subject, JsonNode bean, String own) {
    String version = bean.path("tag.Version").asText("an older version");
    return version.equals(own)
        ? Finding.fine(subject, "runs Weir " + version)
        : Finding.note(
            subject,
            "runs Weir " + version + ", this client is " + own,
            "bring the jars to one version; daemons may be a version ahead of clients");
  }
}
