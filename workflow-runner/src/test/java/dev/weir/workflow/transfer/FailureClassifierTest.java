package dev.weir.workflow.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.net.ConnectException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.util.stream.Stream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.hdfs.protocol.DSQuotaExceededException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.token.SecretManager;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailureClassifierTest {

  private static final String STACK =
      "The NameSpace quota (directories and files) of directory /data is exceeded: quota=5\n"
          + "\tat org.apache.hadoop.hdfs.server.namenode.Directory.verify(Directory.java:1)";

  private static FailureClassifier classify(IOException cause) {
    return FailureClassifier.of(
        new IOException("cannot store the output /data/f: " + cause.getMessage(), cause),
        "n1 with /local/tasks");
  }

  static Stream<Arguments> refusals() {
    return Stream.of(
        Arguments.of(new NSQuotaExceededException(5, 6), "-clrQuota"),
        Arguments.of(new DSQuotaExceededException(5, 6), "-clrSpaceQuota"),
        Arguments.of(
            new RemoteException(NSQuotaExceededException.class.getName(), STACK), "-clrQuota"),
        Arguments.of(
            new IOException("closed", new DSQuotaExceededException(5, 6)), "-clrSpaceQuota"),
        Arguments.of(
            new RemoteException(
                "org.apache.hadoop.hdfs.protocol.FSLimitException$PathComponentTooLongException",
                "limit=255 length=260\n\tat x"),
            "shorter name"),
        Arguments.of(
            new RemoteException(
                "org.apache.hadoop.hdfs.protocol.FSLimitException$MaxDirectoryItemsExceededException",
                "limit=5 items=6\n\tat x"),
            "max-directory-items"),
        Arguments.of(
            new RemoteException(
                SecretManager.InvalidToken.class.getName(),
                "Token  has expired, current time: 12:10:20 expected renewal time: 12:06:54"),
            "--keytab"),
        Arguments.of(
            new RemoteException(FileAlreadyExistsException.class.getName(), "/data/f exists"),
            "(--data of a run, serv_path of a job)"),
        Arguments.of(
            new RemoteException(
                "org.apache.hadoop.HadoopIllegalArgumentException",
                "\".snapshot\" is a reserved name.\n\tat x"),
            "another name"),
        Arguments.of(
            new RemoteException(
                IOException.class.getName(),
                "Requested replication factor of 600 exceeds maximum of 512 for /data/f\n\tat x"),
            "another --replication"),
        Arguments.of(new AccessControlException("Permission denied: user=me"), "-chmod"));
  }

  @ParameterizedTest
  @MethodSource("refusals")
  void permanentRefusalNamesTheFileAndTheRemedy(IOException cause, String remedy) {
    FailureClassifier classify = classify(cause);

    assertThat(classify.result()).isEqualTo(Result.REFUSED);
    assertThat(classify.message())
        .startsWith("cannot store the output /data/f: ")
        .contains(remedy)
        .doesNotContain("\n", "\tat ");
  }

  @Test
  void fullLocalDiskIsAFailureOfTheNode() {
    for (IOException cause :
        new IOException[] {
          new IOException("No space left on device"),
          new FileSystemException("/local/tasks/a", null, "No space left on device"),
          new FileSystemException("/local/tasks/a", null, "Disk quota exceeded")
        }) {
      FailureClassifier classify = classify(cause);

      assertThat(classify.result()).isEqualTo(Result.NODE_UNFIT);
      assertThat(classify.message()).contains("/data/f", "n1 with /local/tasks is full");
    }
  }

  @Test
  void fullDiskOfAnotherNodeIsAnInfrastructureFailure() {
    FailureClassifier classify =
        classify(new RemoteException("java.io.IOException", "No space left on device"));

    assertThat(classify.result()).isEqualTo(Result.INFRASTRUCTURE);
  }

  @Test
  void brokenLocalDiskIsAFailureOfTheNode() {
    FailureClassifier classify =
        classify(new FileSystemException("/local/tasks/a", null, "Read-only file system"));

    assertThat(classify.result()).isEqualTo(Result.NODE_UNFIT);
    assertThat(classify.message()).contains("n1 with /local/tasks fails");
  }

  @Test
  void unreadableFileOfTheSandboxIsAFailureOfTheTask() {
    FailureClassifier classify = classify(new AccessDeniedException("/local/tasks/a/f"));

    assertThat(classify.result()).isEqualTo(Result.FAILED);
  }

  @Test
  void unavailableHdfsIsAnInfrastructureFailure() {
    FailureClassifier classify = classify(new ConnectException("Connection refused"));

    assertThat(classify.result()).isEqualTo(Result.INFRASTRUCTURE);
  }

  @Test
  void fullHdfsIsReportedWithRemedy() {
    FailureClassifier classify =
        classify(
            new RemoteException(
                "java.io.IOException",
                "File /data/f could only be written to 0 of the 1 minReplication nodes."));

    assertThat(classify.result()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(classify.message()).contains("hdfs dfsadmin -report");
  }

  @Test
  void lastingSafeModeIsReportedWithRemedy() {
    FailureClassifier classify =
        classify(new RemoteException(SafeModeException.class.getName(), "Cannot create file"));

    assertThat(classify.result()).isEqualTo(Result.INFRASTRUCTURE);
    assertThat(classify.message()).contains("-safemode leave");
  }

  @Test
  void unknownExceptionIsReportedUnchanged() {
    FailureClassifier classify = FailureClassifier.of(new IllegalStateException(), "n1");

    assertThat(classify)
        .isEqualTo(new FailureClassifier(Result.FAILED, "java.lang.IllegalStateException"));
  }
}
