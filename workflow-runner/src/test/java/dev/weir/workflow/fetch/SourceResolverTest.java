package dev.weir.workflow.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.model.DataFile;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.FetchTasks;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.staging.RunException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileSystem;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceResolverTest {

  @TempDir private Path temp;
  private final FileServer server = new FileServer(new byte[1000]);

  SourceResolverTest() throws IOException {}

  @AfterEach
  void stop() {
    server.close();
  }

  private static Workflow workflow(Map<String, String> urls) {
    List<Task> own =
        List.of(
            new Task("align", "align", List.of("true"), List.copyOf(urls.keySet()), List.of(), 1));
    Map<String, FetchCommand> sources = new LinkedHashMap<>();
    Map<String, DataFile> files = new LinkedHashMap<>();
    urls.forEach(
        (file, url) -> {
          sources.put(file, new FetchCommand(url, ""));
          files.put(file, DataFile.ofUnknownSize(file, ""));
        });
    return new Workflow("w", FetchTasks.added(own, sources), files);
  }

  private SourceResolver.Resolved resolve(Map<String, String> urls, @Nullable Path upload, int most)
      throws IOException, InterruptedException {
    return new SourceResolver(
            FileSystem.getLocal(new Configuration(false)),
            temp.resolve("data").toString(),
            upload,
            most)
        .resolve(workflow(urls));
  }

  private static List<String> ids(SourceResolver.Resolved resolved) {
    return resolved.workflow().tasks().stream().map(Task::id).toList();
  }

  @Test
  void learnsSizesAndVersions() throws Exception {
    SourceResolver.Resolved resolved = resolve(Map.of("a", server.url("/file")), null, 5);
    assertThat(resolved.workflow().files().get("a")).isEqualTo(new DataFile("a", 1000));
    assertThat(resolved.workflow().tasks().get(1).command())
        .containsExactly("weir:fetch", server.url("/file"), "version=\"1\"");
    assertThat(resolved.secrets()).isEmpty();
  }

  @Test
  void dropsWhatNeedNotBeFetched() throws Exception {
    Path data = Files.createDirectories(temp.resolve("data"));
    Path upload = Files.createDirectories(temp.resolve("upload"));
    Files.write(data.resolve("same"), new byte[1000]);
    Files.write(data.resolve("other"), new byte[999]);
    Files.write(upload.resolve("uploaded"), new byte[1]);
    Path local = Files.write(temp.resolve("local"), new byte[1]);
    SourceResolver.Resolved resolved =
        resolve(
            Map.of(
                "same", server.url("/file"),
                "other", server.url("/file"),
                "uploaded", server.url("/missing"),
                "local", local.toUri().toString()),
            upload,
            5);
    assertThat(ids(resolved)).containsExactly("align", "fetch-other");
    assertThat(resolved.local()).isEqualTo(Map.of("local", local));
  }

  @Test
  void asksServerThatDoesNotAnswerForOneFileOnly() throws Exception {
    assertThat(connections("one", "two", "three")).isEqualTo(connections("one"));
  }

  /** Returns how often a server that closes each connection is asked for files. */
  private int connections(String... files) throws Exception {
    AtomicInteger connections = new AtomicInteger();
    try (ServerSocket closing = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      Thread accepting =
          new Thread(
              () -> {
                while (!closing.isClosed()) {
                  try {
                    closing.accept().close();
                    connections.incrementAndGet();
                  } catch (IOException e) {
                    return;
                  }
                }
              });
      accepting.start();
      Map<String, String> urls = new LinkedHashMap<>();
      for (String file : files) {
        urls.put(file, "http://127.0.0.1:" + closing.getLocalPort() + "/" + file);
      }
      assertThat(ids(resolve(urls, null, 1))).hasSize(1 + files.length);
    }
    return connections.get();
  }

  @Test
  void takesSecretsOutOfUrls() throws Exception {
    String url = server.url("/file?sig=hidden").replace("//", "//ann:pass@");
    SourceResolver.Resolved resolved = resolve(Map.of("a", url), null, 5);
    assertThat(resolved.workflow().tasks().get(1).command())
        .containsExactly(
            "weir:fetch", server.url("/file?..."), "version=\"1\"", "secret=WEIR_SOURCE_1");
    assertThat(resolved.secrets()).isEqualTo(Map.of("WEIR_SOURCE_1", url));
    assertThat(resolved.workflow().toString()).doesNotContain("hidden", "pass");
    SourceResolver.Resolved again =
        new SourceResolver(FileSystem.getLocal(new Configuration(false)), temp.toString(), null, 5)
            .resolve(resolved.workflow());
    assertThat(again.workflow()).isEqualTo(resolved.workflow());
  }

  @Test
  void standInsHaveNoSecretsEither() {
    String url = "https://ann:pass@host/file?sig=hidden";
    SourceResolver.Resolved resolved = SourceResolver.unread(workflow(Map.of("a", url)));
    assertThat(resolved.workflow().tasks().get(1).command())
        .containsExactly("weir:fetch", "https://host/file?...");
    assertThat(resolved.workflow().toString()).doesNotContain("hidden", "pass");
  }

  @Test
  void filesThatDifferInAHiddenQueryAreTwo() throws Exception {
    assertThat(unversioned("http://localhost:1/get?id=1"))
        .isNotEqualTo(unversioned("http://localhost:1/get?id=2"));
  }

  private List<String> unversioned(String url) throws IOException, InterruptedException {
    return resolve(Map.of("a", url), null, 5).workflow().tasks().get(1).command();
  }

  @Test
  void namesFileUrlAndTaskOfWhatIsMissing() {
    server.status = 404;
    String url = server.url("/file?sig=hidden").replace("//", "//ann:pass@");
    assertThatExceptionOfType(RunException.class)
        .isThrownBy(() -> resolve(Map.of("a", url, "b", "file:/no/such/file"), null, 5))
        .withMessageStartingWith("The workflow 'w' cannot start: 2 inputs cannot be fetched:")
        .withMessageContaining(
            "\n  'a' from "
                + server.url("/file?...")
                + " (read by task 'align'): HTTP 404 Not Found: correct the URL")
        .withMessageContaining("\n  'b' from file:/no/such/file (read by task 'align'): there is")
        .withMessageNotContaining("hidden")
        .withMessageNotContaining("pass");
  }

  @Test
  void leavesToTheNodesWhatItCannotCheck() throws Exception {
    SourceResolver.Resolved resolved =
        resolve(
            Map.of(
                "a", "nosuch://bucket/a",
                "b", "http://localhost:1/b",
                "c", "s3a://bucket/c",
                "d", "hdfs://no-such-host.invalid/d"),
            null,
            5);
    assertThat(ids(resolved)).hasSize(5);
    assertThat(resolved.workflow().files()).containsEntry("a", DataFile.ofUnknownSize("a", ""));
  }

  @Test
  void noMoreThanThePermittedNumberRunAtATime() throws Exception {
    Map<String, String> urls = new LinkedHashMap<>();
    for (int i = 0; i < 7; i++) {
      urls.put("f" + i, server.url("/file"));
    }
    List<Task> fetches = new ArrayList<>(resolve(urls, null, 3).workflow().tasks());
    fetches.remove(0);
    assertThat(fetches).filteredOn(task -> task.after().isEmpty()).hasSize(3);
    assertThat(fetches.stream().flatMap(task -> task.after().stream()).toList())
        .hasSize(4)
        .doesNotHaveDuplicates();
  }
}
