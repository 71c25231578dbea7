package dev.weir.workflow.session;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.staging.RunPlan;
import dev.weir.workflow.staging.Staging;
import java.io.IOException;
import java.net.URI;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathFilter;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.jspecify.annotations.NullMarked;

/**
 * The part of an HDFS that the memory of an ApplicationMaster depends on. It has the plan of a run,
 * which is a local file, and lists the files of its workflow, each of one block with three
 * replicas. No other operation is supported.
 */
@NullMarked
final class PlannedFiles extends DistributedFileSystem {
  private static final URI HERE = URI.create("hdfs://simulated:8020");
  private static final short REPLICAS = 3;
  private static final long BLOCK_BYTES = 128L << 20;

  private final FileSystem local;
  private final Path plan;
  private final List<String> nodes;
  private Map<String, DataFile> files = Map.of();
  private String dataDir = "";
  private Predicate<String> present = id -> false;

  /**
   * Creates a file system without files.
   *
   * @param plan the local file
   */
  PlannedFiles(java.nio.file.Path plan, int nodes) throws IOException {
    this.local = FileSystem.getLocal(new Configuration(false)).getRaw();
    this.plan = new Path(plan.toUri());
    this.nodes = IntStream.range(0, nodes).mapToObj(PlannedFiles::host).toList();
    setConf(new Configuration(false));
  }

  /**
   * Sets which files of the plan exist.
   *
   * @param which selects by id
   */
  void setPresent(RunPlan run, Predicate<String> which) {
    files = run.workflow().files();
    dataDir = run.dataDir();
    present = which;
  }

  /**
   * Returns the hosts of a file with its bytes. The numbers are new objects, as in a message; the
   * names are shared, as the NameNode's client shares them.
   */
  Map<String, Long> bytesByHost(String id) {
    long bytes = bytes(id);
    List<String> hosts = hosts(id);
    return Map.of(hosts.get(0), bytes, hosts.get(1), bytes, hosts.get(2), bytes);
  }

  /** Returns the length of a file. */
  long bytes(String id) {
    DataFile file = files.get(id);
    return file == null ? 0 : file.sizeBytes();
  }

  private List<String> hosts(String id) {
    int first = Math.floorMod(id.hashCode(), nodes.size());
    return List.of(
        nodes.get(first),
        nodes.get((first + 1) % nodes.size()),
        nodes.get((first + 2) % nodes.size()));
  }

  /** Returns the name of a node, counted from 0. */
  static String host(int node) {
    return String.format(Locale.ROOT, "node-%04d.cluster.example", node);
  }

  @Override
  public URI getUri() {
    return HERE;
  }

  @Override
  public Path makeQualified(Path path) {
    return path.makeQualified(HERE, new Path("/"));
  }

  @Override
  public FSDataInputStream open(Path path, int bufferSize) throws IOException {
    if (!path.getName().equals(Staging.PLAN)) {
      throw new UnsupportedOperationException("open " + path);
    }
    return local.open(plan, bufferSize);
  }

  @Override
  protected RemoteIterator<LocatedFileStatus> listLocatedStatus(Path path, PathFilter filter) {
    String directory = Path.getPathWithoutSchemeAndAuthority(path) + "/";
    Iterator<DataFile> listed =
        files.values().stream()
            .filter(file -> isIn(directory, dataDir + "/" + file.id()) && present.test(file.id()))
            .iterator();
    return new RemoteIterator<>() {
      @Override
      public boolean hasNext() {
        return listed.hasNext();
      }

      @Override
      public LocatedFileStatus next() {
        return located(listed.next());
      }
    };
  }

  private static boolean isIn(String directory, String path) {
    return path.startsWith(directory) && path.indexOf('/', directory.length()) < 0;
  }

  private LocatedFileStatus located(DataFile file) {
    String[] hosts = hosts(file.id()).toArray(new String[0]);
    String[] names = new String[hosts.length];
    for (int i = 0; i < hosts.length; i++) {
      names[i] = hosts[i] + ":9866";
    }
    Path path = new Path(null, null, dataDir + "/" + file.id());
    return new LocatedFileStatus(
        new FileStatus(file.sizeBytes(), false, REPLICAS, BLOCK_BYTES, 1, makeQualified(path)),
        new BlockLocation[] {new BlockLocation(names, hosts, 0, file.sizeBytes())});
  }
}
