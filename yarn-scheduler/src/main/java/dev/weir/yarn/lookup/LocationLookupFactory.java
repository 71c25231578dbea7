package dev.weir.yarn.lookup;

import dev.weir.hints.client.http.ClientSettings;
import java.util.function.LongSupplier;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.client.HdfsClientConfigKeys;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

public final class LocationLookupFactory {

  private static final Logger LOG = LoggerFactory.getLogger(LocationLookupFactory.class);

  private LocationLookupFactory() {}

  /**
   * Creates a lookup in the default file system. With a hints service it also locates files that do
   * not exist yet.
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
      LOG.info("Locations of files that do not exist yet are requested from {}", settings.urls());
      return new HintedLocationLookup(
          files, new HintsServiceExpectation(conf, settings, clock), block);
    } catch (RuntimeException | LinkageError e) {
      // Also thrown if weir-hints-api is missing; existing files are still located.
      LOG.warn("Files that do not exist yet count as missing, regardless of hints", e);
      return files;
    }
  }
}
