package dev.weir.workflow.session;

import dev.weir.workflow.hdfs.EncryptionZones;
import dev.weir.workflow.hdfs.InputLocations;
import dev.weir.workflow.jobserver.JobService;
import java.io.IOException;
import java.util.Map;
import java.util.Set;
import org.apache.hadoop.hdfs.DistributedFileSystem;

/** Looks up in HDFS where the inputs of single jobs are, and whether outputs are encrypted. */
record JobPlaces(DistributedFileSystem fs) implements JobService.HdfsPlaces {

  @Override
  public Map<String, Map<String, Long>> find(Set<String> paths) throws IOException {
    return InputLocations.find(fs, paths);
  }

  @Override
  public boolean mayBeEncrypted(Set<String> paths) throws IOException {
    return EncryptionZones.mayContain(fs, paths);
  }
}
