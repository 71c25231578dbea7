package dev.weir.workflow.run;

import static java.util.Objects.requireNonNull;

import dev.weir.workflow.hdfs.ReadFailoverSettings;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.util.function.Consumer;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileUtil;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.MiniDFSCluster;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * An HDFS of one node for the tests of a class. Declare it as a static field with
 * {@code @RegisterExtension}.
 */
public final class OneNodeHdfs implements BeforeAllCallback, AfterAllCallback {

  private final Consumer<Configuration> settings;
  private @Nullable File directory;
  private @Nullable MiniDFSCluster cluster;
  private @Nullable DistributedFileSystem fs;

  private OneNodeHdfs(Consumer<Configuration> settings) {
    this.settings = settings;
  }

  /** Returns an HDFS with the settings of a run's clients. */
  public static OneNodeHdfs plain() {
    return with(conf -> {});
  }

  /** Returns an HDFS whose daemons and clients have these settings. */
  public static OneNodeHdfs with(Consumer<Configuration> settings) {
    return new OneNodeHdfs(settings);
  }

  /** Returns its file system, which is open during the tests. */
  public DistributedFileSystem fs() {
    return requireNonNull(fs, "the tests have not begun");
  }

  @Override
  public void beforeAll(ExtensionContext context) throws IOException {
    File made = Files.createTempDirectory("hdfs").toFile();
    directory = made;
    Configuration conf = ReadFailoverSettings.applyTo(new Configuration());
    conf.set(MiniDFSCluster.HDFS_MINIDFS_BASEDIR, made.getPath());
    settings.accept(conf);
    MiniDFSCluster started = new MiniDFSCluster.Builder(conf).numDataNodes(1).build();
    cluster = started;
    started.waitActive();
    fs = started.getFileSystem();
  }

  @Override
  public void afterAll(ExtensionContext context) throws IOException {
    if (fs != null) {
      fs.close();
    }
    if (cluster != null) {
      cluster.shutdown();
    }
    if (directory != null) {
      FileUtil.fullyDelete(directory);
    }
  }
}
