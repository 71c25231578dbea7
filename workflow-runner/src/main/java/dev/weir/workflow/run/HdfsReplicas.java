package dev.weir.workflow.run;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Asks the NameNode for the locations of files. For any thread. */
final class HdfsReplicas implements LateReplicaTracker.Places {

  private final FileSystem fs;
  private final UnaryOperator<String> paths;

  /**
   * Creates the lookup of a run's files.
   *
   * @param paths gives the absolute path of the file with an id, without scheme
   */
  HdfsReplicas(FileSystem fs, UnaryOperator<String> paths) {
    this.fs = fs;
    this.paths = paths;
  }

  @Override
  public Optional<Map<String, Long>> of(String file) throws IOException {
    try {
      Path path = new Path(null, null, paths.apply(file));
      Map<String, Long> bytes = new HashMap<>();
      for (BlockLocation block : fs.getFileBlockLocations(path, 0, Long.MAX_VALUE)) {
        for (String host : block.getHosts()) {
          bytes.merge(host, block.getLength(), Long::sum);
        }
      }
      return Optional.of(bytes);
    } catch (FileNotFoundException e) {
      return Optional.empty();
    }
  }
}
