package dev.weir.workflow.staging;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.weir.workflow.client.SessionStarter;
import dev.weir.workflow.client.WorkflowInputs;
import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.run.OneNodeHdfs;
import java.security.PrivilegedExceptionAction;
import java.time.Clock;
import java.util.List;
import java.util.Map;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.yarn.api.records.ApplicationId;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Tests the message for users without a home directory. */
class HomeDirectoryTest {

  private static final ApplicationId ID = ApplicationId.newInstance(1, 10);
  private static final String REMEDY =
      "bob has no home directory in HDFS (/user/bob) and may not create one: have an administrator"
          + " run 'hdfs dfs -mkdir -p /user/bob' and 'hdfs dfs -chown bob /user/bob'";

  @RegisterExtension static final OneNodeHdfs HDFS = OneNodeHdfs.plain();

  private static DistributedFileSystem as(String user) throws Exception {
    PrivilegedExceptionAction<FileSystem> connect =
        () -> FileSystem.newInstance(HDFS.fs().getUri(), HDFS.fs().getConf());
    return (DistributedFileSystem) UserGroupInformation.createRemoteUser(user).doAs(connect);
  }

  private static WorkflowInputs inputs(DistributedFileSystem fs, String dataDir) {
    Task task = new Task("cut", "cut", List.of(), List.of("a"), List.of(), 1);
    Workflow workflow = new Workflow("reading", List.of(task), Map.of("a", new DataFile("a", 5)));
    return new WorkflowInputs(fs, workflow, dataDir, Clock.systemUTC());
  }

  @Test
  void missingHomeDirectoryIsExplained() throws Exception {
    try (DistributedFileSystem bob = as("bob")) {
      Staging run = RunDirectories.own(bob).directory(ID.toString());
      Staging session = SessionStarter.staging(bob, ID);
      for (Staging staging : List.of(run, session)) {
        assertThatThrownBy(staging::create).isInstanceOf(RunException.class).hasMessage(REMEDY);
      }
      assertThatThrownBy(() -> inputs(bob, "/user/bob/weir/reading").makeMissing())
          .hasMessage(REMEDY);
      assertThatThrownBy(() -> inputs(bob, "/user/bobby/data").makeMissing())
          .hasMessageStartingWith("Cannot copy the inputs to HDFS: ");
    }
  }

  @Test
  void otherRefusalsAreUnchanged() throws Exception {
    Path home = new Path("/user/ann");
    HDFS.fs().mkdirs(home, new FsPermission((short) 0755));
    try (DistributedFileSystem ann = as("ann")) {
      Staging staging = SessionStarter.staging(ann, ID);
      assertThatThrownBy(staging::create)
          .isInstanceOf(AccessControlException.class)
          .hasMessageContaining("user=ann");
      HDFS.fs().setOwner(home, "ann", "ann");
      staging.create();
      assertThat(ann.exists(staging.directory())).isTrue();
    }
  }
}
