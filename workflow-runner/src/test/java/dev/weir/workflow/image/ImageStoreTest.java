package dev.weir.workflow.image;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageStoreTest {

  /** A runtime whose store is a list of names, and whose log is a list of calls. */
  private static final String RUNTIME =
      """
      #!/bin/sh
      cd "$(dirname "$0")"
      echo "$1" >> calls
      case $1 in
        image) grep -qx "$4" images ;;
        load)
          grep -q ^archive "${3#--input=}" || { echo "no archive"; exit 125; }
          echo "Loaded image: own:1"
          echo own:1 >> images ;;
        tag) echo "$3" >> images ;;
        rmi) grep -vx "$2" images > left; mv left images ;;
        images)
          [ ! -e broken ] || { echo "no subuid"; exit 125; }
          cat images ;;
        build) cp "${4#docker-archive:}" "$3" ;;
      esac
      """;

  @TempDir private Path temp;
  private Path application;
  private Path archive;

  @BeforeEach
  void prepare() throws IOException {
    application = Files.createDirectories(temp.resolve("appcache/application_1_0001"));
    archive = Files.writeString(temp.resolve("tools.tar"), "archive");
    Files.createFile(temp.resolve("images"));
    Files.createFile(temp.resolve("calls"));
  }

  private RuntimeProgram runtime(ContainerRuntime kind) throws IOException {
    Path program = Files.writeString(temp.resolve("podman"), RUNTIME);
    assertThat(program.toFile().setExecutable(true)).isTrue();
    return new RuntimeProgram(kind, program, Map.of("PATH", "/usr/bin:/bin"));
  }

  private static void delete(Path directory) throws IOException {
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  private List<String> images() throws IOException {
    return Files.readAllLines(temp.resolve("images"));
  }

  private long calls(String name) throws IOException {
    return Files.readAllLines(temp.resolve("calls")).stream().filter(name::equals).count();
  }

  @Test
  void loadsEachContentOnce() throws IOException, InterruptedException {
    RuntimeProgram runtime = runtime(ContainerRuntime.PODMAN);
    Path copy = Files.copy(archive, temp.resolve("copy.tar"));
    Path other = Files.writeString(temp.resolve("other.tar"), "archive of another");
    try (ImageStore images = new ImageStore(application)) {
      String name = images.load(runtime, archive);

      assertThat(name).matches("localhost/weir/[0-9a-f]{32}/application_1_0001:[0-9a-f]{32}");
      assertThat(images.load(runtime, archive)).isEqualTo(name);
      assertThat(images.load(runtime, copy)).isEqualTo(name);
      assertThat(calls("load")).isEqualTo(1);
      assertThat(images()).as("without the name in the archive").containsExactly(name);
      assertThat(images.load(runtime, other)).isNotEqualTo(name);
    }
  }

  @Test
  void theLastWorkerRemovesImages() throws IOException, InterruptedException {
    RuntimeProgram runtime = runtime(ContainerRuntime.DOCKER);
    Files.writeString(temp.resolve("images"), "debian:12\n");
    ImageStore first = new ImageStore(application);
    String name = first.load(runtime, archive);
    Process another = holdAsWorker(application.resolve("weir-images/users"));
    try {
      first.close();
      assertThat(images()).containsExactly("debian:12", name);
    } finally {
      another.destroy();
      another.waitFor();
    }
    ImageStore last = new ImageStore(application);
    assertThat(last.load(runtime, archive)).isEqualTo(name);

    last.close();
    last.close();
    assertThat(images()).containsExactly("debian:12");
    assertThat(calls("load")).isEqualTo(1);
  }

  /** Holds the lock as another process, because a JVM cannot hold it twice. */
  private static Process holdAsWorker(Path lock) throws IOException {
    String program =
        """
        import fcntl, sys
        file = open(sys.argv[1])
        fcntl.lockf(file, fcntl.LOCK_SH)
        print("held", flush=True)
        sys.stdin.read()
        """;
    Process process = new ProcessBuilder("python3", "-c", program, lock.toString()).start();
    assertThat(process.inputReader(UTF_8).readLine()).isEqualTo("held");
    return process;
  }

  @Test
  void removesImagesOfApplicationsThatAreGone() throws IOException, InterruptedException {
    RuntimeProgram runtime = runtime(ContainerRuntime.PODMAN);
    ImageStore killed = new ImageStore(application);
    killed.load(runtime, archive);
    Path next = Files.createDirectory(application.resolveSibling("application_1_0002"));
    try (ImageStore images = new ImageStore(next)) {
      images.load(runtime, archive);
      assertThat(images()).hasSize(2);
    }
    delete(application);
    try (ImageStore images = new ImageStore(next)) {
      String name = images.load(runtime, archive);

      assertThat(images()).containsExactly(name);
    }
  }

  @Test
  void decompressesArchives() throws IOException, InterruptedException {
    Path compressed = temp.resolve("tools.tar.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(compressed))) {
      out.write("archive".getBytes(UTF_8));
    }
    Path broken = Files.writeString(temp.resolve("archive.tgz"), "no archive");
    try (ImageStore images = new ImageStore(application)) {
      assertThat(Path.of(images.load(runtime(ContainerRuntime.APPTAINER), compressed)))
          .hasContent("archive");
      assertThat(application.resolve("weir-images/part.tar")).doesNotExist();
      assertThatExceptionOfType(ContainerException.class)
          .isThrownBy(() -> images.load(runtime(ContainerRuntime.APPTAINER), broken))
          .withMessageContaining("the container image archive.tgz cannot be loaded");
    }
  }

  @Test
  void buildsImagesOfApptainer() throws IOException, InterruptedException {
    try (ImageStore images = new ImageStore(application)) {
      String built = images.load(runtime(ContainerRuntime.APPTAINER), archive);

      assertThat(Path.of(built)).hasContent("archive").startsWith(application);
      assertThat(built).endsWith(".sif");
    }
  }

  @Test
  void aRuntimeThatDoesNotWorkIsTheFaultOfTheNode() throws IOException, InterruptedException {
    RuntimeProgram runtime = runtime(ContainerRuntime.PODMAN);
    Path broken = Files.createFile(temp.resolve("broken"));
    try (ImageStore images = new ImageStore(application)) {
      for (int attempt = 0; attempt < 2; attempt++) {
        assertThatExceptionOfType(ContainerException.class)
            .isThrownBy(() -> images.load(runtime, archive))
            .withMessageContaining("does not work on this node: podman images exited with 125")
            .returns(Result.INFRASTRUCTURE, ContainerException::result);
      }
      Files.delete(broken);
      assertThat(images.load(runtime, archive)).isNotEmpty();
    }
    assertThat(images()).isEmpty();
  }

  @Test
  void anArchiveOfNoImageIsTheFaultOfTheTask() throws IOException {
    RuntimeProgram runtime = runtime(ContainerRuntime.PODMAN);
    Path other = Files.writeString(temp.resolve("other.tar"), "text");
    try (ImageStore images = new ImageStore(application)) {
      assertThatExceptionOfType(ContainerException.class)
          .isThrownBy(() -> images.load(runtime, other))
          .withMessage(
              "the container image other.tar cannot be loaded: podman load exited with 125: no"
                  + " archive: it must be an archive written by 'podman save' or 'docker save'")
          .returns(Result.FAILED, ContainerException::result);
    }
  }
}
