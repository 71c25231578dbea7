package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxTest {

  @TempDir private Path temp;

  @Test
  void whatCameAfterTheCommandsEndIsNotTheNextOnes() throws Exception {
    Leavings leavings = new Leavings(temp.resolve("leavings"));
    Sandbox sandbox = Sandbox.create(temp.resolve("sandboxes"), "one");
    assertThat(sandbox.strays()).isEmpty();
    assertThat(sandbox.empty(leavings)).as("nothing is left in it").isTrue();
    sandbox.renew();
    assertThat(sandbox.strays()).isEmpty();
    Files.writeString(temp.resolve("sandboxes/one/late"), "of a process that went its own way");

    assertThat(sandbox.empty(leavings)).isFalse();

    assertThat(temp.resolve("sandboxes/one")).doesNotExist();
  }
}
