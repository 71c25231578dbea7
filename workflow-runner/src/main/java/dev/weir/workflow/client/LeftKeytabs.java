package dev.weir.workflow.client;

import dev.weir.workflow.staging.RunDirectories;
import dev.weir.workflow.staging.Staging;
import dev.weir.workflow.yarn.ApplicationStates;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.apache.hadoop.yarn.client.api.YarnClient;
import org.apache.hadoop.yarn.exceptions.ApplicationNotFoundException;
import org.apache.hadoop.yarn.exceptions.YarnException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes the keytabs that the user's killed runs and sessions have left in HDFS. Each submission
 * does that, because only clients may ask YARN which applications have ended.
 *
 * @param own the new application, whose keytab stays
 */
record LeftKeytabs(DistributedFileSystem fs, YarnClient yarn, ApplicationId own, Instant now) {

  private static final Logger LOG = LoggerFactory.getLogger(LeftKeytabs.class);

  /** No client takes longer from the upload of a keytab to the submission of its application. */
  private static final Duration LONGEST_SUBMISSION = Duration.ofDays(1);

  /** Deletes them on a cluster with Kerberos. Other clusters have no keytabs. */
  void deleteIfSecure() {
    if (UserGroupInformation.isSecurityEnabled()) {
      delete();
    }
  }

  /** Deletes them. Failures are logged, and the next submission tries again. */
  void delete() {
    try {
      FileStatus[] keytabs =
          fs.globStatus(
              new Path(
                  fs.getHomeDirectory(),
                  ".weir/{runs,sessions}/" + ApplicationId.appIdStrPrefix + "*/" + Staging.KEYTAB));
      for (FileStatus keytab : keytabs == null ? new FileStatus[0] : keytabs) {
        delete(keytab);
      }
    } catch (IOException | RuntimeException e) {
      LOG.warn("Cannot list the keytabs in {}", fs.getHomeDirectory(), e);
    }
  }

  private void delete(FileStatus keytab) {
    Path file = keytab.getPath();
    try {
      ApplicationId owner = ApplicationId.fromString(file.getParent().getName());
      if (!owner.equals(own) && hasEnded(owner, keytab.getModificationTime())) {
        fs.delete(file, false);
        LOG.info("Deleted the keytab of {}, which has ended", owner);
      }
    } catch (IOException | YarnException | RuntimeException e) {
      LOG.warn("Cannot delete {}, which its application may not need any more", file, e);
    }
  }

  /**
   * Whether an application has ended. One that YARN does not know has been forgotten, or is about
   * to be submitted, or belongs to another YARN cluster and may be live.
   */
  private boolean hasEnded(ApplicationId owner, long written) throws IOException, YarnException {
    try {
      return ApplicationStates.hasEnded(yarn.getApplicationReport(owner).getYarnApplicationState());
    } catch (ApplicationNotFoundException e) {
      Duration longest =
          owner.getClusterTimestamp() == own.getClusterTimestamp()
              ? LONGEST_SUBMISSION
              : RunDirectories.LONGEST_SESSION;
      return Instant.ofEpochMilli(written).plus(longest).isBefore(now);
    }
  }
}
