package dev.weir.workflow.sandbox;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SandboxTest {

  @TempDir private Path temp;

  @Test
  void filesWrittenAfterTheCommandsEndAreRemoved() throws Exception {
    DiscardedFiles discarded = new DiscardedFiles(temp.resolve("discarded"));
    Sandbox first = Sandbox.create(temp.resolve("sandboxes"), "one");
    assertThat(first.leftovers()).isEmpty();
    assertThat(first.empty(discarded)).as("nothing is left in it").isTrue();
    Sandbox second = first.renewed("two");
    assertThat(second.leftovers()).isEmpty();
    Files.writeString(temp.resolve("sandboxes/two/late"), "of a process that went its own way");

    assertThat(second.empty(discarded)).isFalse();

    assertThat(temp.resolve("sandboxes")).isEmptyDirectory();
  }

  /** Creates or removes a path that is too long for Java to remove. */
  private static void shell(Path directory, String script) throws Exception {
    Process shell =
        new ProcessBuilder("bash", "-c", script)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(shell.waitFor()).isZero();
  }

  @Test
  void otherFilesAreRemovedIfOnePathCannotBe() throws Exception {
    Sandbox sandbox = Sandbox.create(temp.resolve("sandboxes"), "one");
    sandbox.makeHeld();
    Files.createFile(sandbox.held().resolve("input-0"));
    // The directory listing may be ordered by age, so another entry must come after the long path.
    for (Path directory : List.of(sandbox.work(), sandbox.temp())) {
      Files.delete(directory);
      Files.createDirectory(directory);
    }
    shell(
        sandbox.work(),
        "name=$(printf %0200d 0); for i in {1..25}; do mkdir $name && cd -P $name || exit 1; done");
    try {
      sandbox.close();

      assertThat(sandbox.work()).exists();
      assertThat(sandbox.held()).doesNotExist();
      assertThat(sandbox.temp()).doesNotExist();
    } finally {
      shell(temp, "rm -rf sandboxes");
    }
  }

  @Test
  void pathsOfAnAttemptAreInvalidAfterIt() throws Exception {
    Sandboxes sandboxes =
        new Sandboxes(temp.resolve("sandboxes"), new DiscardedFiles(temp.resolve("discarded")));
    Sandbox first = sandboxes.acquire();
    assertThat(first.leftovers()).isEmpty();

    sandboxes.release(first);
    Sandbox second = sandboxes.acquire();

    assertThat(first.work().getParent()).doesNotExist();
    assertThat(second.work()).isEmptyDirectory();
    assertThat(second.temp()).isEmptyDirectory();
    assertThat(temp.resolve("sandboxes"))
        .isDirectoryContaining(file -> second.work().startsWith(file));
  }
}
