package dev.weir.cluster.plan;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The Linux capabilities of this process. */
public final class Privileges {
  private static final int NET_ADMIN = 12;
  private static final int SYS_ADMIN = 21;

  private Privileges() {}

  /**
   * Returns whether this process may create namespaces and links. In most containers not even root
   * may.
   */
  public static boolean mayMakeNamespaces() {
    try {
      return mayMakeNamespaces(Files.readAllLines(Path.of("/proc/self/status")));
    } catch (IOException e) {
      return false;
    }
  }

  static boolean mayMakeNamespaces(List<String> status) {
    return status.stream()
        .filter(line -> line.startsWith("CapEff:"))
        .map(line -> Long.parseUnsignedLong(line.substring("CapEff:".length()).strip(), 16))
        .anyMatch(bits -> has(bits, NET_ADMIN) && has(bits, SYS_ADMIN));
  }

  private static boolean has(long bits, int capability) {
    return (bits >>> capability & 1) == 1;
  }
}
