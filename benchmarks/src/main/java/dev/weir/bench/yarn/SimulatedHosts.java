package dev.weir.bench.yarn;

import java.util.List;
import org.apache.hadoop.net.DNSToSwitchMapping;

/**
 * Nodes with a number and an address, so that no name has to be resolved, and forty per rack.
 * Hadoop instantiates this class by its name.
 */
public final class SimulatedHosts implements DNSToSwitchMapping {
  private static final int PER_RACK = 40;
  private static final int PER_NET = 250;

  static String host(int node) {
    return "10.77." + node / PER_NET + "." + (1 + node % PER_NET);
  }

  static String rack(int node) {
    return "/rack-" + node / PER_RACK;
  }

  private static int node(String host) {
    String[] parts = host.split("\\.", -1);
    return Integer.parseInt(parts[2]) * PER_NET + Integer.parseInt(parts[3]) - 1;
  }

  @Override
  public List<String> resolve(List<String> names) {
    return names.stream()
        .map(name -> name.startsWith("10.77.") ? rack(node(name)) : "/default-rack")
        .toList();
  }

  @Override
  public void reloadCachedMappings() {
    // Nothing is cached.
  }

  @Override
  public void reloadCachedMappings(List<String> names) {
    // Nothing is cached.
  }
}
