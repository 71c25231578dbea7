package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.weir.it.Distribution;
import dev.weir.it.ThisMachine;
import dev.weir.workflow.model.FetchCommand;
import dev.weir.workflow.model.FetchTasks;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.wfformat.WfFormatWriter;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.stream.Stream;
import org.apache.hadoop.fs.LocatedFileStatus;
import org.apache.hadoop.fs.RemoteIterator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Runs whose inputs are elsewhere, and whose end is told to a webhook. */
@Tag("nightly")
class SourcesIT extends MarkedRuns {

  private static final Duration DEADLINE = Duration.ofMinutes(2);
  private static final byte[] CONTENT = new byte[3_000_000];

  static {
    new Random(7).nextBytes(CONTENT);
  }

  private final ExecutorService threads = Executors.newCachedThreadPool();
  private final List<String> requests = Collections.synchronizedList(new ArrayList<>());
  private final List<String> notices = Collections.synchronizedList(new ArrayList<>());
  private volatile boolean isBroken = true;
  private HttpServer server;

  SourcesIT() {
    super("sources");
  }

  @BeforeEach
  void serve() throws Exception {
    server = HttpServer.create(new InetSocketAddress(0), 0);
    server.setExecutor(threads);
    server.createContext("/data", this::answer);
    server.createContext(
        "/hook",
        exchange -> {
          notices.add(new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8));
          exchange.sendResponseHeaders(200, -1);
          exchange.close();
        });
    server.start();
  }

  @AfterEach
  void stop() {
    server.stop(0);
    threads.shutdownNow();
  }

  /** Serves {@code CONTENT} to one user; the first transfer breaks in the middle. */
  private void answer(HttpExchange exchange) throws IOException {
    String range = String.valueOf(exchange.getRequestHeaders().getFirst("Range"));
    requests.add(exchange.getRequestMethod() + " " + range);
    boolean isKnown =
        String.valueOf(exchange.getRequestHeaders().getFirst("Authorization")).startsWith("Basic ")
            && "sig=SIGN5".equals(exchange.getRequestURI().getQuery());
    exchange.getResponseHeaders().add("ETag", "\"1\"");
    if (!isKnown) {
      exchange.sendResponseHeaders(403, -1);
    } else if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.getResponseHeaders().add("Content-Length", String.valueOf(CONTENT.length));
      exchange.sendResponseHeaders(200, -1);
    } else {
      int from =
          range.startsWith("bytes=")
              ? Integer.parseInt(range.substring("bytes=".length(), range.indexOf('-')))
              : 0;
      if (from > 0) {
        exchange
            .getResponseHeaders()
            .add(
                "Content-Range",
                "bytes " + from + "-" + (CONTENT.length - 1) + "/" + CONTENT.length);
      }
      exchange.sendResponseHeaders(from > 0 ? 206 : 200, CONTENT.length - from);
      int to = isBroken ? CONTENT.length / 2 : CONTENT.length;
      isBroken = false;
      OutputStream body = exchange.getResponseBody();
      body.write(Arrays.copyOfRange(CONTENT, from, to));
      body.flush();
    }
    exchange.close();
  }

  private String url(String path) throws IOException {
    return "http://" + ThisMachine.address(cluster) + ":" + server.getAddress().getPort() + path;
  }

  private static String sha256() throws Exception {
    return "sha256:"
        + HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(CONTENT));
  }

  private Workflow workflow(String name, String script, Map<String, FetchCommand> sources) {
    Workflow own =
        new ShellWorkflow(name)
            .task("sum", script, List.copyOf(sources.keySet()), List.of("sum.txt"))
            .build();
    return new Workflow(name, FetchTasks.added(own.tasks(), sources), own.files());
  }

  private Process weir(Workflow workflow, String... more) throws IOException {
    Path file = folder.resolve("workflow.json");
    WfFormatWriter.write(workflow, file);
    List<String> command =
        new ArrayList<>(List.of(Distribution.built().weir().toString(), "run", file.toString()));
    command.addAll(List.of("--cluster", cluster.dir().toString(), "--workers", "2"));
    command.addAll(List.of("--data", runs.path("in", ".")));
    command.addAll(List.of("--out", folder.resolve("out").toString()));
    command.addAll(List.of(more));
    return new ProcessBuilder(command)
        .redirectErrorStream(true)
        .redirectOutput(folder.resolve("printed").toFile())
        .start();
  }

  private String printed() throws IOException {
    return Files.readString(folder.resolve("printed"));
  }

  @Test
  void nodesFetchInputsOnceAndSecretsStayOutOfFiles() throws Exception {
    runs.put("other", Map.of("local.txt", "ACGT\n".getBytes(StandardCharsets.UTF_8)));
    Map<String, FetchCommand> sources = new LinkedHashMap<>();
    sources.put(
        "reads.dat",
        new FetchCommand(url("/data/reads?sig=SIGN5").replace("//", "//ann:pass5@"), sha256()));
    sources.put(
        "local.txt",
        new FetchCommand(runs.files().fs().getUri() + runs.path("other", "local.txt"), ""));
    Workflow workflow =
        workflow("fetched", "cksum < reads.dat > sum.txt; cat local.txt >> sum.txt", sources);

    Process process = weir(workflow, "--notify", url("/hook/TOKEN5"));

    assertThat(process.waitFor()).as(printed()).isZero();
    assertThat(runs.text("in", "sum.txt")).contains(" " + CONTENT.length + "\n").contains("ACGT");
    assertThat(requests)
        .hasSize(3)
        .startsWith("HEAD null", "GET null")
        .element(2)
        .asString()
        .matches("GET bytes=[1-9][0-9]*-");
    await().atMost(DEADLINE).until(() -> notices.size() == 1);
    assertThat(notices.get(0)).contains("\"state\":\"SUCCEEDED\"", "\"tasks\":3");
    assertNoFileHas("SIGN5", "pass5", "TOKEN5");

    assertThat(weir(workflow).waitFor()).as(printed()).isZero();
    assertThat(requests).as("a check only").hasSize(4).last().isEqualTo("HEAD null");
  }

  @Test
  void aMissingSourceIsReportedBeforeTheStart() throws Exception {
    Map<String, FetchCommand> sources =
        Map.of("reads.dat", new FetchCommand(url("/data/reads?sig=wrong"), ""));

    Process process = weir(workflow("lacking", "true > sum.txt", sources));

    assertThat(process.waitFor()).isEqualTo(1);
    assertThat(printed())
        .contains("'reads.dat' from " + url("/data/reads?...") + " (read by task 'sum'): HTTP 403")
        .doesNotContain("wrong", "application_");
  }

  @Test
  void aDetachedRunTellsAWebhookOfItsFailure() throws Exception {
    Workflow workflow =
        new ShellWorkflow("broken").task("bad", "exit 3", List.of(), List.of("x")).build();

    assertThat(weir(workflow, "--detach", "--notify", url("/hook/TOKEN5")).waitFor())
        .as(printed())
        .isZero();

    await().atMost(DEADLINE).until(() -> !notices.isEmpty());
    assertThat(notices.get(0))
        .contains("\"state\":\"FAILED\"", "\"failed-attempts\":3", "\"failure\":\"Task bad: ");
  }

  /** Logs, records, reports, plans and journals have no secret. */
  private void assertNoFileHas(String... secrets) throws IOException {
    List<Path> local = new ArrayList<>();
    for (Path directory : List.of(cluster.dir(), folder.resolve("out"))) {
      try (Stream<Path> files = Files.walk(directory)) {
        files
            .filter(Files::isRegularFile)
            .filter(
                file ->
                    directory.endsWith("out")
                        || file.toString().matches(".*(\\.log|\\.out|std(out|err)|syslog)"))
            .forEach(local::add);
      }
    }
    assertThat(local).isNotEmpty();
    for (Path file : local) {
      assertThat(Files.readString(file, StandardCharsets.ISO_8859_1))
          .as(file.toString())
          .doesNotContain(secrets);
    }
    RemoteIterator<LocatedFileStatus> own =
        runs.files()
            .fs()
            .listFiles(
                new org.apache.hadoop.fs.Path(runs.files().fs().getHomeDirectory(), ".weir/runs"),
                true);
    while (own.hasNext()) {
      LocatedFileStatus file = own.next();
      try (InputStream in = runs.files().fs().open(file.getPath())) {
        assertThat(new String(in.readAllBytes(), StandardCharsets.ISO_8859_1))
            .as(file.getPath().toString())
            .doesNotContain(secrets);
      }
    }
  }
}
