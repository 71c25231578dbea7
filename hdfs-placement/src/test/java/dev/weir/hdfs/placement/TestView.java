package dev.weir.hdfs.placement;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A block that a test makes up, of a file {@code /f} with blocks of 1 MiB. */
record TestView(
    boolean isNewBlock,
    int replicas,
    int minReplicas,
    @Nullable TestSite writer,
    List<TestSite> chosen,
    Sites<TestSite> sites,
    List<TestSite> ableSites,
    String path,
    long blockSize,
    OptionalInt blockIndex)
    implements PlacementView<TestSite> {
  private static final long MIB = 1 << 20;

  static TestView newBlock(List<TestSite> sites, int replicas, @Nullable TestSite writer) {
    return new TestView(
        true,
        replicas,
        1,
        writer,
        List.of(),
        Sites.remembering(sites),
        sites,
        "/f",
        MIB,
        OptionalInt.empty());
  }

  static TestView copy(List<TestSite> sites, int replicas, List<TestSite> holders) {
    return new TestView(
        false,
        replicas,
        1,
        holders.get(0),
        holders,
        Sites.of(sites),
        sites,
        "/f",
        MIB,
        OptionalInt.empty());
  }

  @Override
  public boolean isAble(int number) {
    return ableSites.contains(sites.get(number));
  }

  TestView withMinReplicas(int count) {
    return new TestView(
        isNewBlock, replicas, count, writer, chosen, sites, ableSites, path, blockSize, blockIndex);
  }

  TestView withPath(String file) {
    return new TestView(
        isNewBlock,
        replicas,
        minReplicas,
        writer,
        chosen,
        sites,
        ableSites,
        file,
        blockSize,
        blockIndex);
  }

  TestView withIndex(int index) {
    return new TestView(
        isNewBlock,
        replicas,
        minReplicas,
        writer,
        chosen,
        sites,
        ableSites,
        path,
        blockSize,
        OptionalInt.of(index));
  }

  TestView withAble(List<TestSite> able) {
    return new TestView(
        isNewBlock,
        replicas,
        minReplicas,
        writer,
        chosen,
        sites,
        able,
        path,
        blockSize,
        blockIndex);
  }
}
