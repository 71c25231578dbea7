package dev.weir.cli.demo;

import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import dev.weir.montage.SkySpec;
import dev.weir.workflow.staging.Mode;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.List;

/**
 * The parameters of the demo.
 *
 * @param sky the synthetic sky
 * @param modes the modes, in the order of the runs
 * @param out the directory of the results; created if it does not exist
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
