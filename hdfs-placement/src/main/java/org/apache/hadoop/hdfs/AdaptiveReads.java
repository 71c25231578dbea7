package org.apache.hadoop.hdfs;

import dev.weir.hdfs.read.ChunkBudget;
import dev.weir.hdfs.read.ReadContext;
import dev.weir.hdfs.read.StripedReadConfig;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.apache.hadoop.hdfs.client.HdfsDataInputStream;
import org.apache.hadoop.hdfs.protocol.DatanodeInfo;
import org.apache.hadoop.hdfs.protocol.LocatedBlocks;
import org.apache.hadoop.net.NetUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Replaces the streams of a file system by ones that read large files from several replicas while
 * this is faster. Thread-safe.
 */
public final class AdaptiveReads {
  private static final Logger LOG = LoggerFactory.getLogger(AdaptiveReads.class);

  private final ReadContext context;
  private final FileSystem.Statistics statistics;
  private final Predicate<DatanodeInfo> isLocal;
  private final AtomicLong streams = new AtomicLong();

  AdaptiveReads(
      ReadContext context, FileSystem.Statistics statistics, Predicate<DatanodeInfo> isLocal) {
    this.context = context;
    this.statistics = statistics;
    this.isLocal = isLocal;
  }

  /** Reads the settings; values that cannot be read leave all streams as they are. */
  public static AdaptiveReads of(Configuration conf, FileSystem.Statistics statistics) {
    StripedReadConfig config;
    try {
      config = StripedReadConfig.of(conf);
    } catch (IllegalArgumentException e) {
      LOG.warn("Reading each file from one replica, because of a setting", e);
      config = StripedReadConfig.disabled();
    }
    boolean byHostName =
        conf.getBoolean(
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME,
            HdfsClientConfigKeys.DFS_CLIENT_USE_DN_HOSTNAME_DEFAULT);
    return new AdaptiveReads(
        new ReadContext(config, ChunkBudget.ofProcess(), System::nanoTime),
        statistics,
        node -> isLocal(node, byHostName));
  }

  /** The given stream, which has read nothing, or another one of the same file in its place. */
  public FSDataInputStream adapt(FSDataInputStream in) {
    if (!context.config().isEnabled() || !(in instanceof HdfsDataInputStream)) {
      return in;
    }
    try {
      return in.getWrappedStream() instanceof DFSInputStream stock && isEligible(stock)
          ? replace(in, stock)
          : in;
    } catch (IOException | RuntimeException | LinkageError e) {
      LOG.debug("Reading {} from one replica", in, e);
      return in;
    }
  }

  private FSDataInputStream replace(FSDataInputStream in, DFSInputStream stock) throws IOException {
    HdfsDataInputStream adaptive =
        stock.dfsClient.createWrappedInputStream(
            new AdaptiveInputStream(stock, this, streams.incrementAndGet()));
    try {
      in.close();
    } catch (IOException e) {
      LOG.debug("Cannot close the replaced stream of {}", stock.src, e);
    }
    return adaptive;
  }

  /** Subclasses read erasure-coded files; the blocks of an open file change. */
  private boolean isEligible(DFSInputStream stock) {
    LocatedBlocks blocks = stock.getLocatedBlocks();
    return stock.getClass() == DFSInputStream.class
        && blocks.getErasureCodingPolicy() == null
        && !blocks.isUnderConstruction()
        && blocks.isLastBlockComplete()
        && blocks.getFileLength() >= context.config().minBytes();
  }

  ReadContext context() {
    return context;
  }

  FileSystem.Statistics statistics() {
    return statistics;
  }

  Predicate<DatanodeInfo> isLocal() {
    return isLocal;
  }

  private static boolean isLocal(DatanodeInfo node, boolean byHostName) {
    InetSocketAddress address = NetUtils.createSocketAddr(node.getXferAddr(byHostName));
    try {
      return !address.isUnresolved() && DFSUtilClient.isLocalAddress(address);
    } catch (IOException e) {
      return false;
    }
  }
}
