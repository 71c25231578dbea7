package dev.weir.yarn.lookup;

import dev.weir.hints.client.ClientSettings;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes what files are looked up with. */
public final class LocationLookupFactory {

  private static final Logger LOG = LoggerFactory.getLogger(LocationLookupFactory.class);

  private LocationLookupFactory() {}

  /**
   * The default file system; with a hints service also what hints say of files to come.
   *
   * @param clock milliseconds
   */
  public static LocationLookup from(Configuration conf, LongSupplier clock) {
    LocationLookup files = new HdfsLocationLookup(conf);
    try {
      ClientSettings settings = ClientSettings.from(conf);
      if (!settings.isEnabled()) {
        return files;
      }
      long block =
          conf.getLongBytes(
              HdfsClientConfigKeys.DFS_BLOCK_SIZE_KEY, HdfsClientConfigKeys.DFS_BLOCK_SIZE_DEFAULT);
      LOG.info("Files that are not there yet are asked for at {}", settings.urls());
      return new HintedLocationLookup(
          files,
          new HintsServiceExpectation(conf, settings, clock),
          block,
          () -> new HintsServiceChanges(conf, settings));
    } catch (RuntimeException | LinkageError e) {
      // Without the jar weir-hints-api, too: all that was there before goes on.
      LOG.warn("Files that are not there yet count as missing, whatever hints say of them", e);
      return files;
    }
  }
}
