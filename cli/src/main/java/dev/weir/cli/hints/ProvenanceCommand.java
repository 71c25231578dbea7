package dev.weir.cli.hints;

import com.fasterxml.jackson.databind.JsonNode;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Json;
import dev.weir.cli.common.OptionSection;
import dev.weir.cli.common.Sizes;
import dev.weir.hints.client.HintsClient;
import dev.weir.hints.client.http.ServiceCall;
import dev.weir.workflow.client.RunName;
import dev.weir.workflow.delivery.RunRecordSpool;
import dev.weir.workflow.delivery.ServiceRunRecordSink;
import dev.weir.workflow.provenance.Lineage;
import dev.weir.workflow.provenance.LineageText;
import dev.weir.workflow.provenance.ProvJson;
import dev.weir.workflow.provenance.ProvenanceJson;
import dev.weir.workflow.text.PrintableText;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;

@Command(
    name = "provenance",
    description = "Shows which commands and inputs made a file in HDFS, or exports a run.",
    mixinStandardHelpOptions = true,
    customSynopsis = "weir provenance [OPTIONS] (FILE | --run=RUN | --deliver)",
    footer = {
      "",
      "Records of your runs that the service has not received yet are delivered first.",
      "",
      "Examples:",
      "  weir provenance weir/montage/mosaic.fits",
      "  weir provenance weir/montage/mosaic.fits --prov > mosaic.prov.json",
      "  weir provenance --run application_1795276800000_0001 --wfformat > run.json",
      "",
      ServiceOptions.CODES
    })
@OptionSection(heading = "What to show", options = "--run --owner --depth --all")
@OptionSection(heading = "Output", options = "--prov --wfformat --json")
@OptionSection(heading = "Actions", options = "--deliver --forget")
@OptionSection(heading = "Where", options = "--server --cluster")
public final class ProvenanceCommand implements Callable<Integer> {
  private static final Logger LOG = LoggerFactory.getLogger(ProvenanceCommand.class);

  private static final double MILLIS = 1000;
  private static final String FULL_ID = "application_\\d+_\\d+";
  private static final int MOST_RUNS = 1000;

  @ArgGroup(exclusive = true, multiplicity = "1")
  private Subject subject = new Subject();

  @Option(names = "--prov", description = "Print W3C PROV, as PROV-JSON.")
  private boolean prov;

  @Option(names = "--wfformat", description = "With --run: print the run in WfFormat 1.6.")
  private boolean wfformat;

  @Option(
      names = "--forget",
      description = "With --run: remove the run from the service. Files in HDFS are not deleted.")
  private boolean forget;

  @Option(
      names = "--owner",
      paramLabel = "USER",
      description =
          "With --run: owner of the run (default: you; only administrators may name others).")
  private @Nullable String owner;

  @Option(names = "--all", description = "List all files, even if many are alike.")
  private boolean all;

  @Option(
      names = "--depth",
      paramLabel = "N",
      description = "How many commands to go back (default: all).")
  private int depth;

  private static final class Subject {
    @Parameters(paramLabel = "FILE", description = "A file in HDFS.", arity = "1")
    private @Nullable String file;

    @Option(
        names = "--run",
        paramLabel = "RUN",
        description = "The run: its id, a prefix of the id, its number, or 'last'.")
    private @Nullable String run;

    @Option(
        names = "--deliver",
        description =
            "Only deliver records that the service has not received or has refused, and print their"
                + " number.")
    private boolean deliver;
  }

  @Mixin private ServiceOptions service;

  @Override
  public Integer call() throws IOException {
    return service.run(this::run);
  }

  private int run(HintsClient client, HdfsPaths paths) throws IOException {
    if (subject.run != null && subject.run.isBlank()) {
      throw new ParameterException(
          service.spec().commandLine(), "--run is empty: name the run, or write 'last'");
    }
    if (subject.deliver) {
      return deliver(client, paths);
    }
    deliverQuietly(client, paths);
    String run = subject.run;
    String file = subject.file;
    if (run != null && prov) {
      throw new ParameterException(
          service.spec().commandLine(),
          "--prov describes files: write weir provenance FILE --prov");
    }
    if (run != null) {
      return tellRun(client, id(client, run));
    }
    if (file == null || wfformat || forget || owner != null) {
      throw new ParameterException(
          service.spec().commandLine(),
          "--wfformat, --forget and --owner are of runs: write --run RUN with them");
    }
    ServiceCall call = ServiceCall.of("GET", "/v1/provenance").query("path", paths.resolve(file));
    JsonNode answer = client.send(call).json();
    if (prov) {
      service.out().println(Json.pretty(ProvJson.of(ProvenanceJson.read(answer, Lineage.class))));
      return ExitCode.DONE;
    }
    return service.tell(
        answer, json -> LineageText.of(ProvenanceJson.read(json, Lineage.class), all, depth));
  }

  /**
   * Returns the id of a run that is named as in {@code weir status}, among those that the service
   * knows; the name itself if none matches.
   */
  private String id(HintsClient client, String name) throws IOException {
    if (name.matches(FULL_ID)) {
      return name;
    }
    List<String> ids = new ArrayList<>();
    client
        .send(call("GET", "/v1/runs").query("limit", Integer.toString(MOST_RUNS)))
        .json()
        .path("runs")
        .forEach(run -> ids.add(run.path("id").asText()));
    List<String> meant = ids.contains(name) ? List.of(name) : RunName.meant(name, ids);
    if (meant.size() > 1) {
      throw RunName.ambiguous(name, meant);
    }
    return meant.isEmpty() ? name : meant.get(0);
  }

  private int deliver(HintsClient client, HdfsPaths paths) throws IOException {
    RunRecordSpool spool = RunRecordSpool.ofHome(paths.fileSystem());
    RunRecordSpool.Delivered refused = spool.deliverRefused(ServiceRunRecordSink.over(client));
    RunRecordSpool.Delivered waiting = spool.deliver(ServiceRunRecordSink.over(client), () -> true);
    refused.problems().forEach(service::warn);
    waiting.problems().forEach(service::warn);
    int runs = refused.runs() + waiting.runs();
    service.out().println(runs + (runs == 1 ? " run" : " runs") + " delivered");
    boolean isAll = refused.problems().isEmpty() && waiting.problems().isEmpty();
    return isAll ? ExitCode.DONE : ExitCode.FAILED;
  }

  /** Delivers records. A failure is ignored, because the answer of the service is useful anyway. */
  private void deliverQuietly(HintsClient client, HdfsPaths paths) {
    try {
      RunRecordSpool.ofHome(paths.fileSystem())
          .deliver(ServiceRunRecordSink.over(client), () -> true)
          .problems()
          .forEach(service::warn);
    } catch (IOException e) {
      LOG.debug("What waits in the spool is not delivered now", e);
    }
  }

  private int tellRun(HintsClient client, String run) throws IOException {
    String path = "/v1/runs/" + URLEncoder.encode(run, StandardCharsets.UTF_8);
    if (forget) {
      client.send(call("DELETE", path));
      service
          .out()
          .println(
              "Run " + PrintableText.of(run) + " is forgotten; its files are where they were.");
      return ExitCode.DONE;
    }
    if (wfformat) {
      return export(client, call("GET", path + "/wfformat"));
    }
    return service.tell(client.send(call("GET", path)).json(), ProvenanceCommand::words);
  }

  /**
   * Prints an export through a temporary file, because it may be larger than memory and a partial
   * one is useless.
   */
  private int export(HintsClient client, ServiceCall call) throws IOException {
    Path file = Files.createTempFile("weir-run-", ".json");
    try {
      client.save(call, file);
      try (InputStream in = new BufferedInputStream(Files.newInputStream(file))) {
        Json.copyPretty(in, service.out());
      }
      service.out().println();
      return ExitCode.DONE;
    } finally {
      Files.deleteIfExists(file);
    }
  }

  private ServiceCall call(String method, String path) {
    ServiceCall call = ServiceCall.of(method, path);
    return owner == null ? call : call.query("owner", owner);
  }

  /** Returns the effort of a run; empty if the record lacks it. */
  private static String effort(JsonNode run) {
    long cpuMillis = run.path("cpu-millis").asLong();
    long memory = run.path("peak-memory-bytes").asLong();
    if (cpuMillis == 0 && memory == 0) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "  took      %.1f s of processors%s%n",
        cpuMillis / MILLIS,
        memory == 0 ? "" : ", at most " + Sizes.of(memory) + " of memory at a time");
  }

  private static String name(JsonNode run, String key) {
    return PrintableText.of(run.path(key).asText());
  }

  private static String words(JsonNode run) {
    String failure = run.path("failure").asText("");
    return String.format(
        Locale.ROOT,
        "%s of %s%n  workflow  %s%s, mode %s%n  data      %s%n  state     %s%s%n"
            + "  time      %s to %s%n  tasks     %d of %d done, %d attempts%n"
            + "  read      %s local, %s remote; wrote %s%n%s",
        name(run, "id"),
        name(run, "owner"),
        name(run, "workflow"),
        run.path("stand-in").asBoolean() ? ", stand-ins" : "",
        name(run, "mode"),
        name(run, "data-dir"),
        run.path("state").asText().toLowerCase(Locale.ROOT),
        failure.isEmpty() ? "" : ": " + PrintableText.of(failure),
        run.path("started").asText(),
        run.path("ended").asText("now; last heard of " + run.path("heard").asText()),
        run.path("tasks-done").asLong(),
        run.path("tasks").asLong(),
        run.path("attempts").asLong(),
        Sizes.of(run.path("input-bytes-local").asLong()),
        Sizes.of(run.path("input-bytes-remote").asLong()),
        Sizes.of(run.path("output-bytes").asLong()),
        effort(run));
  }
}
