package dev.weir.hdfs.placement;

import java.util.ArrayList;
import java.util.List;

/** A DataNode that a test makes up. */
record TestSite(String host, int port, String rack) implements Site {

  /** {@code count} sites dealt out to {@code racks} racks in turn. */
  static List<TestSite> sites(int count, int racks) {
    List<TestSite> sites = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sites.add(new TestSite("n" + i, 9866, "/rack" + i % racks));
    }
    return sites;
  }
}
