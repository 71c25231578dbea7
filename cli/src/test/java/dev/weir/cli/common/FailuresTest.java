package dev.weir.cli.common;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.security.AccessControlException;
import org.junit.jupiter.api.Test;

class FailuresTest {
  @Test
  void keepsOwnMessagesWhole() {
    assertThat(Failures.inOneLine(new IOException("a.json: /tasks/0\n  give it an id")))
        .isEqualTo("a.json: /tasks/0\n  give it an id");
  }

  @Test
  void dropsAServersStackTrace() {
    assertThat(
            Failures.inOneLine(
                new RemoteException("java.io.IOException", "no space\n\tat a.B.c(B.java)")))
        .isEqualTo("no space");
    assertThat(
            Failures.inOneLine(
                new AccessControlException("Permission denied: user=bob\n\tat a.B.c(B.java)\n")))
        .as("an exception as the client rethrows it")
        .isEqualTo("Permission denied: user=bob");
  }

  @Test
  void namesTheProblemWithALocalFile() {
    assertThat(Failures.inOneLine(new NoSuchFileException("/nosuch")))
        .isEqualTo("/nosuch: no such file or directory");
    assertThat(Failures.inOneLine(new AccessDeniedException("/root/x")))
        .isEqualTo("/root/x: permission denied");
    assertThat(Failures.inOneLine(new FileSystemException("/x", null, "No space left on device")))
        .isEqualTo("/x: No space left on device");
  }

  @Test
  void namesTheExceptionIfThereIsNoMessage() {
    assertThat(Failures.inOneLine(new IllegalStateException((String) null)))
        .startsWith("IllegalStateException");
    assertThat(Failures.inOneLine(new IllegalStateException(null, new IOException("disk full"))))
        .isEqualTo("IllegalStateException: disk full");
  }
}
