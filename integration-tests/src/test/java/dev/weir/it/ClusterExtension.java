package dev.weir.it;

import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.plan.ClusterSpec;
import dev.weir.cluster.plan.HadoopJars;
import dev.weir.cluster.plan.HostKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * One cluster for all tests of this build: four nodes on two racks with Weir's plugins. The first
 * test that needs it starts it. Its nodes are network namespaces if the user is root, else loopback
 * addresses. A test that stops a node or a daemon must restart it.
 */
public final class ClusterExtension implements BeforeAllCallback, ParameterResolver {
  private static final Namespace NAMESPACE = Namespace.create(ClusterExtension.class);

  @Override
  public void beforeAll(ExtensionContext context) {
    cluster(context);
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == LocalCluster.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return cluster(context);
  }

  private static LocalCluster cluster(ExtensionContext context) {
    return context
        .getRoot()
        .getStore(NAMESPACE)
        .computeIfAbsent(LocalCluster.class, key -> start(), LocalCluster.class);
  }

  /** Network namespaces if the user is root, else loopback addresses. */
  public static HostKind hosts() {
    return "root".equals(System.getProperty("user.name")) ? HostKind.NAMESPACES : HostKind.LOOPBACK;
  }

  private static LocalCluster start() {
    try {
      HadoopJars jars = HadoopJars.ofDistribution(Distribution.built().home());
      return LocalCluster.start(
          ClusterSpec.builder(jars).nodes(4).racks(2).hosts(hosts()).build(),
          progress -> System.out.println("local cluster: " + progress));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
