package org.apache.hadoop.fs;

import dev.weir.hdfs.FileAdvice;
import dev.weir.hdfs.FileAdvice.Values;
import dev.weir.hdfs.version.HintedServerDefaults;
import dev.weir.hints.store.ClientRules;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.EnumSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Options.ChecksumOpt;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.client.HdfsDataOutputStream;
import org.apache.hadoop.util.Progressable;

/**
 * The equivalent of {@link dev.weir.hdfs.WeirFileSystem} for programs that use {@link FileContext};
 * set it as {@code fs.AbstractFileSystem.hdfs.impl}. It is in this package because the constructor
 * of {@link Hdfs} is package-private.
 */
public class WeirHdfs extends Hdfs {
  private final FileAdvice advice;

  /** Called by Hadoop, which finds it by its parameters. */
  WeirHdfs(URI uri, Configuration conf) throws IOException, URISyntaxException {
    super(uri, conf);
    advice = FileAdvice.of(uri, conf, () -> getXAttrs(new Path("/")).get(ClientRules.ATTRIBUTE));
  }

  /**
   * Hadoop creates files with these values if the program names none. A hint never adds replicas
   * here, because they could not be withdrawn if a quota refused them.
   */
  @Override
  public FsServerDefaults getServerDefaults(Path path) throws IOException {
    FsServerDefaults stock = super.getServerDefaults(path);
    Values stockValues = new Values(stock.getReplication(), stock.getBlockSize());
    Values values = advice.values(getUriPath(path), stockValues);
    if (values.equals(stockValues)) {
      return stock;
    }
    short replication = (short) Math.min(values.replication(), stock.getReplication());
    return new HintedServerDefaults(stock, replication, values.blockSize());
  }

  @Override
  public HdfsDataOutputStream createInternal(
      Path path,
      EnumSet<CreateFlag> flags,
      FsPermission permission,
      int bufferSize,
      short replication,
      long blockSize,
      Progressable progress,
      ChecksumOpt checksum,
      boolean createParent)
      throws IOException {
    return advice.createOrFallBack(
        getUriPath(path),
        new Values(replication, blockSize),
        () -> {
          FsServerDefaults stock = super.getServerDefaults(path);
          return new Values(stock.getReplication(), stock.getBlockSize());
        },
        values ->
            super.createInternal(
                path,
                flags,
                permission,
                bufferSize,
                values.replication(),
                values.blockSize(),
                progress,
                checksum,
                createParent));
  }
}
