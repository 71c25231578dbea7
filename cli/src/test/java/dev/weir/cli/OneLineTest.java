package dev.weir.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class OneLineTest {
  @Test
  void keepsAMessageOfOurOwnWhole() {
    assertThat(OneLine.of(new IOException("a.json: /tasks/0\n  give it an id")))
        .isEqualTo("a.json: /tasks/0\n  give it an id");
  }

  @Test
  void dropsAServersStackTrace() {
    assertThat(
            OneLine.of(new RemoteException("java.io.IOException", "no space\n\tat a.B.c(B.java)")))
        .isEqualTo("no space");
    assertThat(
            OneLine.of(
                new AccessControlException("Permission denied: user=bob\n\tat a.B.c(B.java)\n")))
        .as("what the client makes of it")
        .isEqualTo("Permission denied: user=bob");
  }

  @Test
  void namesTheKindWhereThereIsNoMessage() {
    assertThat(OneLine.of(new IllegalStateException((String) null)))
        .startsWith("IllegalStateException");
    assertThat(OneLine.of(new IllegalStateException(null, new IOException("disk full"))))
        .isEqualTo("IllegalStateException: disk full");
  }
}
