package dev.weir.workflow.hdfs;

import dev.weir.hints.DaemonThreadFactory;
import dev.weir.workflow.reuse.ReusableTasks;
import dev.weir.workflow.staging.RunPlan;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileChecksum;
import org.apache.hadoop.fs.Options.ChecksumCombineMode;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Obtains checksums of whole files from HDFS without reading them: the DataNodes combine the
 * checksums that they store beside their blocks.
 */
public final class FileSums implements ReusableTasks.Sums {

  private static final Logger LOG = LoggerFactory.getLogger(FileSums.class);
  private static final int THREADS = 8;

  /** Files written with another checksum type report another algorithm. */
  private static final String ALGORITHM = "COMPOSITE-CRC32C";

  private static final long MASK = 0xFFFF_FFFFL;

  private final DistributedFileSystem fs;
  private final RunPlan plan;

  public FileSums(DistributedFileSystem fs, RunPlan plan) {
    this.fs = fs;
    this.plan = plan;
  }

  /** Configures file systems to return such checksums. */
  public static void prepare(Configuration conf) {
    conf.set(
        HdfsClientConfigKeys.DFS_CHECKSUM_COMBINE_MODE_KEY,
        ChecksumCombineMode.COMPOSITE_CRC.name());
  }

  @Override
  public Map<String, Long> of(Collection<String> files) throws IOException, InterruptedException {
    LOG.info("Asking HDFS for the checksums of {} files", files.size());
    ExecutorService pool =
        Executors.newFixedThreadPool(THREADS, DaemonThreadFactory.named("checksums"));
    try {
      Map<String, Future<@Nullable Long>> pending = new LinkedHashMap<>();
      files.forEach(
          id -> pending.put(id, pool.submit(() -> sum(new Path(null, null, plan.path(id))))));
      Map<String, Long> sums = new LinkedHashMap<>();
      for (Map.Entry<String, Future<@Nullable Long>> file : pending.entrySet()) {
        Long sum = await(file.getKey(), file.getValue());
        if (sum != null) {
          sums.put(file.getKey(), sum);
        }
      }
      return sums;
    } finally {
      pool.shutdownNow();
    }
  }

  private static @Nullable Long await(String file, Future<@Nullable Long> sum)
      throws InterruptedException {
    try {
      return sum.get();
    } catch (ExecutionException e) {
      LOG.info(
          "Cannot obtain the checksum of {}; tasks that depend on it are run", file, e.getCause());
      return null;
    }
  }

  private @Nullable Long sum(Path file) throws IOException {
    FileChecksum sum = fs.getFileChecksum(file);
    return sum != null && sum.getAlgorithmName().equals(ALGORITHM)
        ? ByteBuffer.wrap(sum.getBytes()).getInt() & MASK
        : null;
  }
}
