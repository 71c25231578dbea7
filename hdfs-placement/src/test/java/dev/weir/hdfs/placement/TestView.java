package dev.weir.hdfs.placement;

import java.util.List;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/** A block of a file {@code /f} with blocks of 1 MiB, for tests. */
record TestView(
    boolean isNewBlock,
    int replicas,
    int minReplicas,
    @Nullable TestSite writer,
    List<TestSite> chosen,
    Sites<TestSite> sites,
    List<TestSite> eligibleSites,
    String path,
    long blockSize,
    OptionalInt blockIndex,
    boolean isBacklogged)
    implements PlacementView<TestSite> {
  private static final long MIB = 1 << 20;

  static TestView newBlock(List<TestSite> sites, int replicas, @Nullable TestSite writer) {
    return new TestView(
        true,
        replicas,
        1,
        writer,
        List.of(),
        Sites.cached(sites),
        sites,
        "/f",
        MIB,
        OptionalInt.empty(),
        false);
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
        OptionalInt.empty(),
        false);
  }

  @Override
  public int defaultReplication() {
    return 3;
  }

  @Override
  public boolean isEligible(int number) {
    return eligibleSites.contains(sites.get(number));
  }

  TestView withMinReplicas(int count) {
    return new TestView(
        isNewBlock,
        replicas,
        count,
        writer,
        chosen,
        sites,
        eligibleSites,
        path,
        blockSize,
        blockIndex,
        isBacklogged);
  }

  TestView withPath(String file) {
    return new TestView(
        isNewBlock,
        replicas,
        minReplicas,
        writer,
        chosen,
        sites,
        eligibleSites,
        file,
        blockSize,
        blockIndex,
        isBacklogged);
  }

  TestView withIndex(int index) {
    return new TestView(
        isNewBlock,
        replicas,
        minReplicas,
        writer,
        chosen,
        sites,
        eligibleSites,
        path,
        blockSize,
        OptionalInt.of(index),
        isBacklogged);
  }

  TestView withEligible(List<TestSite> eligible) {
    return new TestView(
        isNewBlock,
        replicas,
        minReplicas,
        writer,
        chosen,
        sites,
        eligible,
        path,
        blockSize,
        blockIndex,
        isBacklogged);
  }

  TestView withBacklog() {
    return new TestView(
        isNewBlock,
        replicas,
        minReplicas,
        writer,
        chosen,
        sites,
        eligibleSites,
        path,
        blockSize,
        blockIndex,
        true);
  }
}
