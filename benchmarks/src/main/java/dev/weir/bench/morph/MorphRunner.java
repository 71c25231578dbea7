package dev.weir.bench.morph;

import dev.weir.bench.disks.DiskRate;
import dev.weir.bench.disks.ThrottledDisks;
import dev.weir.bench.morph.MorphRun.LoadLevel;
import dev.weir.bench.morph.MorphSetup.Kind;
import dev.weir.bench.morph.MorphSetup.Replicas;
import dev.weir.bench.series.PlannedRun;
import dev.weir.cluster.LocalCluster;
import dev.weir.cluster.experiment.ClusterQuiescence;
import dev.weir.hdfs.WeirFileSystem;
import dev.weir.hdfs.read.StripedReadConfig;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Makes runs one after another on one cluster. Not thread-safe. */
final class MorphRunner implements AutoCloseable {
  private static final int BLOCKS_OF_STRIPE = 16;

  /** The accesses to each file, on average, before its replicas are decided. */
  private static final int TRAINING = 20;

  private final LocalCluster cluster;
  private final ThrottledDisks disks;
  private final Scale scale;
  private final ClusterQuiescence quiescence;
  private final CountedReplicas counted;
  private int runs;

  /**
   * The scale of the experiment.
   *
   * @param files their number
   * @param fileBytes the size of each
   * @param rate of each disk
   * @param time of the measurement of a level
   * @param threads of each level
   */
  record Scale(int files, long fileBytes, DiskRate rate, Duration time, List<Integer> threads) {
    /** The part of a disk that one replica of all files would fill. */
    private static final double FILL = 0.4;

    Scale {
      threads = List.copyOf(threads);
    }

    /** Returns the size of a disk. */
    long diskBytes() {
      return (long) (dataBytes() / FILL);
    }

    /** Returns the bytes of one replica of all files. */
    long dataBytes() {
      return files * fileBytes;
    }
  }

  MorphRunner(LocalCluster cluster, ThrottledDisks disks, Scale scale) {
    this.cluster = cluster;
    this.disks = disks;
    this.scale = scale;
    this.quiescence = new ClusterQuiescence(cluster);
    this.counted = new CountedReplicas(cluster);
  }

  /**
   * Makes a run.
   *
   * @param session its number
   * @throws IOException if files cannot be written or too many operations fail
   */
  MorphRun run(PlannedRun id, int session, MorphWorkload workload, MorphSetup setup)
      throws IOException, InterruptedException {
    Path directory = new Path("/morph/" + ++runs);
    AccessPattern pattern = AccessPattern.of(workload, scale.files(), id.repeat());
    int nodes = cluster.nodes().size();
    disks.unlimit();
    quiescence.await();
    try (FileSystem fs = fileSystem(setup.kind())) {
      try {
        MorphFiles files =
            new MorphFiles(
                fs,
                directory,
                new MorphFiles.Layout(
                    scale.fileBytes(), blockBytes(setup.kind()), setup.replicas(pattern, nodes)));
        LoadGenerator load = new LoadGenerator(files, pattern, disks);
        for (int file = 0; file < scale.files(); file++) {
          files.write(file, bytes -> {});
        }
        if (setup.kind().replicas() == Replicas.COUNTED) {
          load.train(TRAINING * scale.files(), -id.repeat());
          long budget = Math.round((setup.budget() - 1) * scale.dataBytes());
          counted.set(directory.toString(), budget, nodes);
        }
        quiescence.await();
        double capacity = files.capacity();
        List<LoadLevel> levels = measure(load, id.repeat());
        return new MorphRun(id, session, Math.max(capacity, files.capacity()), levels);
      } finally {
        disks.unlimit();
        if (setup.kind().replicas() == Replicas.COUNTED) {
          counted.unset(directory.toString());
        }
        fs.delete(directory, true);
      }
    }
  }

  private List<LoadLevel> measure(LoadGenerator load, int repeat)
      throws IOException, InterruptedException {
    disks.limit(scale.rate());
    List<LoadLevel> levels = new ArrayList<>();
    for (int threads : scale.threads()) {
      levels.add(load.measure(threads, scale.time(), repeat));
    }
    return levels;
  }

  /** Except for stripes, a file is one block as each file of the study is on one disk. */
  private long blockBytes(Kind kind) {
    return kind == Kind.STRIPE ? scale.fileBytes() / BLOCKS_OF_STRIPE : 2 * scale.fileBytes();
  }

  private FileSystem fileSystem(Kind kind) throws IOException {
    Configuration conf = new Configuration(cluster.configuration());
    conf.set("fs.hdfs.impl", WeirFileSystem.class.getName());
    conf.setBoolean(StripedReadConfig.ENABLED_KEY, kind.readsStriped());
    return FileSystem.newInstance(FileSystem.getDefaultUri(conf), conf);
  }

  @Override
  public void close() {
    quiescence.close();
  }
}
