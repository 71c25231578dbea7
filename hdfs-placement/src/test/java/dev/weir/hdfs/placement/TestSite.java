package dev.weir.hdfs.placement;

import java.util.ArrayList;
import java.util.List;

/** A DataNode for tests. */
record TestSite(String host, int port, String rack) implements Site {

  /** Creates sites on racks, round robin. */
  static List<TestSite> sites(int count, int racks) {
    List<TestSite> sites = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      sites.add(new TestSite("n" + i, 9866, "/rack" + i % racks));
    }
    return sites;
  }
}
