package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.awaitility.Awaitility.await;

import dev.weir.cluster.plan.ProgramLookup;
import dev.weir.montage.SkySpec;
import dev.weir.montage.Survey;
import dev.weir.montage.SurveyFiles;
import dev.weir.workflow.jobs.JobClient;
import dev.weir.workflow.jobs.JobState;
import dev.weir.workflow.jobs.JobStatus;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Nextflow with the plugin, in a session on a real cluster. */
class NextflowIT extends SessionRuns {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Path NEXTFLOW = ROOT.resolve("nextflow/launcher/nextflow");
  private static final Path EXAMPLE = ROOT.resolve("examples/nextflow");

  /** On a busy machine the starts of Nextflow, of a worker and of two tasks take a minute. */
  private static final Duration LONGEST = Duration.ofMinutes(4);

  NextflowIT() {
    super("nextflow");
  }

  @BeforeEach
  void startSessionForNextflow() throws Exception {
    startSession();
  }

  private Map<String, String> environment() {
    Map<String, String> environment = new HashMap<>();
    environment.put("HADOOP_CONF_DIR", cluster.dir().resolve("conf").toString());
    environment.put("WEIR_SESSION", session);
    environment.put("NEXTFLOW", NEXTFLOW.toString());
    environment.put("NXF_HOME", folder.resolve("home").toString());
    environment.put("NXF_ANSI_LOG", "false");
    return environment;
  }

  private List<String> command(String pipeline, String... options) {
    List<String> command =
        new ArrayList<>(
            List.of(
                NEXTFLOW.toString(),
                "-c",
                EXAMPLE.resolve("weir.config").toString(),
                "run",
                pipeline,
                "-work-dir",
                "hdfs:///tmp/nextflow/" + folder.getFileName()));
    command.addAll(List.of(options));
    return command;
  }

  private String write(String name, String pipeline) throws IOException {
    Path file = folder.resolve(name);
    Files.writeString(file, pipeline);
    return file.toString();
  }

  /** Runs Nextflow in the folder of the test. */
  private Process start(List<String> command, Path log) throws IOException {
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile());
    builder.environment().putAll(environment());
    return builder.start();
  }

  private String run(int code, List<String> command) throws IOException, InterruptedException {
    Path log = folder.resolve("nextflow.log");
    int ended = start(command, log).waitFor();
    String printed = Files.readString(log);
    assertThat(ended).as(printed).isEqualTo(code);
    return printed;
  }

  @Test
  void exampleMakesTheSameBytesAsTheLocalExecutor() throws Exception {
    compare("words");
  }

  @Test
  @Tag("nightly")
  void mosaicHasTheSameBytesAsWithTheLocalExecutor() throws Exception {
    assumeThat(ProgramLookup.missing(List.of("mProject", "mDiffFit"), System.getenv("PATH")))
        .isEmpty();
    Path survey = folder.resolve("survey");
    SurveyFiles.write(Survey.plan(new SkySpec(3, 150, 5)), survey);

    compare("montage", survey.toString());
  }

  @Test
  @Tag("nightly")
  void samplesOfRnaHaveTheSameCountsAsWithTheLocalExecutor() throws Exception {
    List<String> programs = List.of("bwa", "samtools", "wgsim", "salmon", "fastqc", "multiqc");
    assumeThat(ProgramLookup.missing(programs, System.getenv("PATH"))).isEmpty();

    compare("rnaseq");
  }

  private void compare(String... pipeline) throws Exception {
    List<String> command = new ArrayList<>(List.of(EXAMPLE.resolve("compare").toString()));
    command.addAll(List.of(pipeline));
    Shell.Ran ran = Shell.run(command, environment(), folder);

    assertThat(ran.code()).as(ran.toString()).isZero();
    assertThat(ran.out()).contains("the same with both executors");
  }

  @Test
  @Tag("nightly")
  void killedWorkflowIsResumed() throws Exception {
    Path mark = folder.resolve("mark");
    String pipeline =
        write(
            "killed.nf",
            """
            process FIRST {
                input: val x
                output: path 'first.txt'
                script: "echo first $x > first.txt"
            }
            process SECOND {
                errorStrategy 'retry'
                publishDir params.results, mode: 'copy'
                input: path first
                output: path 'second/*.txt'
                script:
                \"""
                until [ -e '%s' ]; do sleep 0.1; done
                if [ $task.attempt = 1 ]; then echo 'fails once' >&2; exit 7; fi
                mkdir second; sed s/first/second/ $first > second/a.txt
                \"""
            }
            workflow { SECOND(FIRST(Channel.of(1))) }
            """
                .formatted(mark));
    String results = folder.resolve("results").toString();
    Path log = folder.resolve("killed.log");
    Process killed = start(command(pipeline, "--results", results), log);
    JobClient client = sessions.client(session, JobClient.PATIENCE);
    await().atMost(LONGEST).until(() -> !unfinished(client, "SECOND").isEmpty());
    killed.destroyForcibly().waitFor();
    List<String> before = unfinished(client, "SECOND");

    Process resumed = start(command(pipeline, "--results", results, "-resume"), log);
    await()
        .atMost(LONGEST)
        .until(() -> unfinished(client, "SECOND").stream().anyMatch(id -> !before.contains(id)));
    Files.createFile(mark);

    assertThat(resumed.waitFor()).as(Files.readString(log)).isZero();
    assertThat(Files.readString(log)).contains("Cached process > FIRST", "Execution is retried");
    assertThat(folder.resolve("results/second/a.txt")).hasContent("second 1");
    assertThat(before).allMatch(id -> state(client, id) == JobState.CANCELLED);
  }

  private static List<String> unfinished(JobClient client, String process) throws Exception {
    return client.list().stream()
        .filter(job -> job.tag().equals(process) && !job.state().isFinal())
        .map(JobStatus::id)
        .toList();
  }

  private static JobState state(JobClient client, String id) {
    try {
      return client.status(id).state();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @Tag("nightly")
  void directivesWorkOrAreRefused() throws Exception {
    String pipeline =
        write(
            "directives.nf",
            """
            process MAKE {
                storeDir params.store
                scratch true
                cpus 1
                memory '100 MB'
                time '1 min'
                input: path x, stageAs: 'in/?.txt'
                output: tuple path('out'), path('in/1.txt')
                script: "mkdir -p out/deep; cat in/* > out/deep/all.txt"
            }
            process USE {
                debug true
                input: tuple path(dir), path(one)
                output: env(SIZE)
                script: "SIZE=\\$(wc -c < $one); echo FOUND \\$(cat $dir/deep/all.txt)"
            }
            process SLOW {
                time '2s'
                errorStrategy 'ignore'
                script: "sleep 60"
            }
            process FAST {
                accelerator 1
                script: "true"
            }
            workflow {
                USE(MAKE(Channel.fromPath(params.input).collect())).view { "SIZE $it" }
                SLOW()
            }
            workflow fast { FAST() }
            """);
    Files.writeString(folder.resolve("one.in"), "one");
    Files.writeString(folder.resolve("two.in"), "two");
    String store = "hdfs:///tmp/nextflow/" + folder.getFileName() + "/store";
    String[] options = {"--store", store, "--input", folder + "/*.in"};

    assertThat(run(0, command(pipeline, options)))
        .contains("FOUND", "one", "two", "SIZE 3")
        .contains("terminated with an error exit status (137)");
    assertThat(run(0, command(pipeline, options)))
        .contains("Stored process > MAKE")
        .contains("FOUND");
    List<String> refused = command(pipeline, options);
    refused.addAll(List.of("-entry", "fast"));
    assertThat(run(1, refused)).contains("no resource type 'yarn.io/gpu'");
  }
}
