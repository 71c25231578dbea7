package dev.weir.cli.demo;

import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.montage.SkySpec;
import dev.weir.workflow.staging.Mode;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

/**
 * What the demo is to do.
 *
 * @param nodes how many nodes the cluster has
 * @param hosts what they are
 * @param link the rate of their links
 * @param sky what is observed
 * @param modes in which modes it is mosaicked, in this order
 * @param out where results go; made if need be
 */
record DemoSpec(int nodes, HostKind hosts, LinkRate link, SkySpec sky, List<Mode> modes, Path out) {

  DemoSpec {
    if (nodes < 1) {
      throw new IllegalArgumentException(
          "A cluster of " + nodes + " nodes runs nothing: ask for 1 or more");
    }
    modes = List.copyOf(modes);
    if (modes.isEmpty() || EnumSet.copyOf(modes).size() < modes.size()) {
      throw new IllegalArgumentException(
          "Modes " + modes + ": name at least one, and none of them twice");
    }
    out = out.toAbsolutePath().normalize();
  }
}
