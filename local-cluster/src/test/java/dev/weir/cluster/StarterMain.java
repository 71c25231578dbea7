package dev.weir.cluster;

import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HostKind;
import dev.weir.cluster.plan.LinkRate;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;

/** A process that starts a cluster and reports each step. Tests kill it during a step. */
final class StarterMain {
  private StarterMain() {}

  public static void main(String[] args) throws Exception {
    ClusterSpec.Builder spec = ClusterSpec.builder(TestJars.stock()).nodes(1).dir(Path.of(args[1]));
    if (HostKind.valueOf(args[0]) == HostKind.NAMESPACES) {
      spec.link(LinkRate.UNLIMITED);
    }
    LocalCluster.start(
        spec.build(),
        step -> {
          System.out.println(step.step() + " " + step.done() + "/" + step.total());
          System.out.flush();
        });
    new CountDownLatch(1).await();
  }
}
