package dev.weir.workflow.am;

import dev.weir.workflow.protocol.FileSlot;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TemporaryName;
import java.io.IOException;
import java.util.List;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What lost workers may have left in the data directory. */
final class TemporaryFiles {

  private static final Logger LOG = LoggerFactory.getLogger(TemporaryFiles.class);

  private TemporaryFiles() {}

  static void removeOf(List<TaskReport> lostAttempts, Orders orders, DistributedFileSystem fs) {
    for (TaskReport attempt : lostAttempts) {
      for (FileSlot output : orders.slots(orders.task(attempt.task()).outputs())) {
        String path = TemporaryName.of(output, orders.label(attempt.attempt()));
        try {
          fs.delete(new Path(null, null, path), false);
        } catch (IOException e) {
          LOG.warn("Cannot remove {}", path, e);
        }
      }
    }
  }
}
