package dev.weir.workflow.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.ConnectException;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.ipc.RemoteException;
import org.junit.jupiter.api.Test;

class HdfsRefusalsTest {

  private static RemoteException remote(Class<?> type, String message) {
    return new RemoteException(type.getName(), message + "\n\tat x");
  }

  @Test
  void permanentRefusalsHaveARemedy() {
    IOException refused =
        new IOException("cannot write", remote(NSQuotaExceededException.class, "quota=5"));

    assertThat(HdfsRefusals.explained(refused)).startsWith("cannot write: ").contains("-clrQuota");
    assertThat(HdfsRefusals.isPermanent(refused)).isTrue();
    assertThat(HdfsRefusals.isTemporary(refused)).isFalse();
  }

  @Test
  void temporaryRefusalsHaveARemedy() {
    for (IOException refused :
        new IOException[] {
          remote(SafeModeException.class, "Cannot create file"),
          new ConnectException("Call From a to b:8020 failed"),
          remote(IOException.class, "File /f could only be written to 0 of the 1 nodes.")
        }) {
      assertThat(HdfsRefusals.explained(refused)).contains("'hdfs ").doesNotContain("\n");
      assertThat(HdfsRefusals.isPermanent(refused)).isFalse();
      assertThat(HdfsRefusals.isTemporary(refused)).isTrue();
    }
  }

  @Test
  void unknownExceptionsAreReportedUnchanged() {
    assertThat(HdfsRefusals.explained(new IOException("no such thing"))).isEqualTo("no such thing");
    assertThat(HdfsRefusals.explained(new IOException())).isEqualTo("java.io.IOException");
    assertThat(HdfsRefusals.explained(null)).isEqualTo("the reason is unknown");
  }
}
