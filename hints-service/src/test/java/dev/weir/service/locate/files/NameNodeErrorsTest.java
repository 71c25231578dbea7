package dev.weir.service.locate.files;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.apache.hadoop.fs.InvalidPathException;
import org.apache.hadoop.ipc.RemoteException;
import org.apache.hadoop.ipc.RetriableException;
import org.junit.jupiter.api.Test;

class NameNodeErrorsTest {
  @Test
  void invalidNameIsNotFound() throws IOException {
    IOException refusal =
        new RemoteException(InvalidPathException.class.getName(), "Invalid path name /a:b");
    assertThat(NameNodeErrors.fault(refusal)).isEqualTo(PathFault.NOT_FOUND);
  }

  @Test
  void rethrowsFailuresNotAboutPath() {
    IOException refusal = new RemoteException(RetriableException.class.getName(), "starting");
    assertThatThrownBy(() -> NameNodeErrors.fault(refusal)).isSameAs(refusal);
  }
}
