package dev.weir.workflow.pegasus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.WorkflowException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PegasusImporterTest {

  private static final String WORKFLOW =
      """
      pegasus: "5.0"
      name: w
      profiles: {env: {A: all, B: all}}
      jobs:
        - type: job
          namespace: n
          name: sim
          version: "1.0"
          id: one
          stdin: i
          stdout: o
          arguments: [-x, "a  b", "'c d'"]
          profiles: {env: {A: "it's"}, condor: {request_cpus: 2, request_gpus: 1}, pegasus: {runtime: 12}}
          uses:
            - {lfn: i, type: input}
            - {lfn: o, type: output}
      """;

  private static final String TRANSFORMATIONS =
      """
      pegasus: "5.0"
      transformations:
        - namespace: other
          name: sim
          sites: [{name: local, pfn: /wrong, type: installed}]
        - namespace: n
          name: sim
          sites:
            - {name: local, pfn: "file:///home/ann/sim.sh", type: stageable}
            - {name: pool, pfn: /usr/bin/sim, type: installed}
      """;

  @TempDir private Path directory;

  private ImportedWorkflow read(String text) throws WorkflowException {
    return PegasusReader.IMPORTER.read(
        new WorkflowSource("w.yml", text, directory, ImportSettings.NONE));
  }

  private List<String> command(String text) throws WorkflowException {
    return read(text).workflow().tasks().get(0).command();
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  @Test
  void findsCatalogsInItsDirectory() throws IOException {
    write("transformations.yml", TRANSFORMATIONS);
    write("sites.yml", "pegasus: \"5.0\"\nsites: []\n");
    write("input", "12345");
    write(
        "replicas.yml",
        "replicas:\n - {lfn: i, pfns: [{site: local, pfn: '" + directory.resolve("input") + "'}]}");
    ImportedWorkflow imported = read(WORKFLOW);
    assertThat(imported.workflow().tasks().get(0).command())
        .containsExactly(
            "/bin/sh",
            "-c",
            "export A='it'\\''s'\nexport B=all\nexec \"$0\" \"$@\" < i > o",
            "/usr/bin/sim",
            "-x",
            "a",
            "b",
            "c d");
    assertThat(imported.workflow().tasks().get(0).needs())
        .isEqualTo(new TaskNeeds(2, 0, 0).withResources(TaskNeeds.gpus(1)));
    assertThat(imported.workflow().tasks().get(0).runtimeSeconds()).isEqualTo(12);
    assertThat(imported.workflow().files().values())
        .extracting("sizeBytes")
        .containsExactly(5L, 1_000_000L);
    assertThat(imported.warnings()).anyMatch(warning -> warning.contains("site catalog"));
  }

  @Test
  void readsRetriesOfDagman() throws IOException {
    write("transformations.yml", TRANSFORMATIONS);
    String all =
        WORKFLOW.replace("profiles: {env: {A: all", "profiles: {dagman: {retry: 4}, env: {A: all");
    assertThat(attempts(WORKFLOW)).isZero();
    assertThat(attempts(all)).isEqualTo(5);
    String own = "profiles: {dagman: {RETRY: '0'}, env: {A: \"it's\"}";
    assertThat(attempts(all.replace("profiles: {env: {A: \"it's\"}", own))).isEqualTo(1);
    for (String wrong : List.of("-1", "100", "1.5", "many")) {
      assertThatExceptionOfType(WorkflowException.class)
          .isThrownBy(() -> read(all.replace("retry: 4", "retry: " + wrong)))
          .withMessage(
              "w.yml: 5:5: the profile retry of dagman is '"
                  + wrong
                  + "'; give a whole number from 0 to 99");
    }
  }

  private int attempts(String text) throws WorkflowException {
    return read(text).workflow().tasks().get(0).needs().attempts();
  }

  @Test
  void fetchesInputsFromTheReplicaCatalog() throws IOException {
    write("transformations.yml", TRANSFORMATIONS);
    write(
        "replicas.yml",
        "replicas:\n - lfn: i\n   checksum: {sha256: '"
            + "AB".repeat(32)
            + "'}\n   pfns:\n     - {site: a, pfn: 'gsiftp://host/i'}\n"
            + "     - {site: local, pfn: 'file:///no/such/file'}\n"
            + "     - {site: b, pfn: 'https://host/i'}\n"
            + " - {lfn: unused, pfns: [{site: b, pfn: 'https://host/unused'}]}\n");
    ImportedWorkflow imported = read(WORKFLOW);
    assertThat(imported.workflow().tasks()).hasSize(2);
    assertThat(imported.workflow().tasks().get(1).outputs()).containsExactly("i");
    assertThat(imported.workflow().tasks().get(1).command())
        .containsExactly("weir:fetch", "https://host/i", "checksum=sha256:" + "ab".repeat(32));
    assertThat(imported.warnings()).noneMatch(warning -> warning.contains("must be in HDFS"));
    write("replicas.yml", "replicas:\n - {lfn: i, pfns: [{site: a, pfn: 'gsiftp://host/i'}]}\n");
    assertThat(read(WORKFLOW).warnings()).anyMatch(warning -> warning.contains("must be in HDFS"));
  }

  @Test
  void findsCatalogsNamedInProperties() throws IOException {
    write("tc.yml", TRANSFORMATIONS);
    write("pegasus.properties", "pegasus.catalog.transformation.file = tc.yml\n");
    assertThat(command(WORKFLOW)).contains("/usr/bin/sim");
    write("pegasus.properties", "pegasus.catalog.transformation.file = gone.yml\n");
    refused(WORKFLOW, "gone.yml is missing, which pegasus.properties names; put it there, or");
  }

  @Test
  void stagesProgramsThatAreNotInstalled() throws IOException {
    write(
        "transformations.yml",
        TRANSFORMATIONS.replace("      - {name: pool, pfn: /usr/bin/sim, type: installed}\n", ""));
    ImportedWorkflow imported = read(WORKFLOW);
    assertThat(imported.workflow().tasks().get(0).inputs()).containsExactly("i", "sim.sh");
    assertThat(imported.workflow().tasks().get(0).command())
        .contains("./sim.sh")
        .anyMatch(word -> word.contains("chmod +x \"$0\""));
    assertThat(imported.warnings()).anyMatch(warning -> warning.contains("/home/ann/sim.sh"));
  }

  @Test
  void readsJobsWithoutACatalogForStandIns() throws WorkflowException {
    ImportedWorkflow imported = read(WORKFLOW);
    assertThat(imported.workflow().tasks().get(0).command()).isEmpty();
    assertThat(imported.warnings()).anyMatch(warning -> warning.contains("only stand-ins"));
  }

  @Test
  void refusesMissingParts() throws IOException {
    write("transformations.yml", TRANSFORMATIONS);
    refused(
        WORKFLOW.replace("name: sim", "name: sum"),
        "w.yml: 5:5: the job 'one' uses the program 'n::sum:1.0', which is in no"
            + " catalog; add it");
    refused(
        WORKFLOW + "jobDependencies: [{id: one, children: [two]}]",
        "w.yml: 17:40: no task has the id 'two'");
    refused(WORKFLOW.replace("pegasus: \"5.0\"", "pegasus: 4"), "1:10: the version '4'");
    refused(WORKFLOW.replace("\nname: w", ""), "1:1: the file has no 'name'");
    refused(WORKFLOW.replace("type: job", "type: condorWorkflow"), "of another system");
    refused(WORKFLOW.replace("type: job", "type: pegasusWorkflow"), "file");
    refused(WORKFLOW.replace("    id: one\n", ""), "5:5: a job has no 'id'");
    refused(WORKFLOW.replace("id: one", "id: one\n    id: two"), "the key 'id' occurs twice");
    refused(WORKFLOW.replace("[-x, ", "{-x: "), "12:");
    refused(WORKFLOW.replace("'c d'", "'c d"), "a quote in the arguments has no end");
    refused(
        WORKFLOW.replace("{lfn: o, type: output}", "{lfn: o, type: output, size: big}"),
        "is 'big', which is not a number; give its size in bytes");
    refused("- a\n", "1:1: the file contains no mapping");
    refused("[".repeat(20_000), "w.yml: ");
  }

  private void refused(String text, String problem) {
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> read(text))
        .withMessageContaining(problem);
  }

  @Test
  void stagedOutFilesAreKeptEvenIfJobsReadThem() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            pegasus: "5.0"
            name: w
            jobs:
              - type: job
                name: sim
                id: one
                uses:
                  - {lfn: i, type: input, stageOut: true}
                  - {lfn: wanted, type: output, stageOut: true}
                  - {lfn: copied, type: output, stageOut: true, metadata: {weir.hint: broadcast=2}}
                  - {lfn: said, type: output, stageOut: true, metadata: {weir.hint: temporary}}
                  - {lfn: scratch, type: output, stageOut: false}
                  - {lfn: silent, type: output}
                  - {lfn: unread, type: output, stageOut: false}
              - type: job
                name: sim
                id: two
                uses:
                  - {lfn: wanted, type: input}
                  - {lfn: copied, type: input}
                  - {lfn: said, type: input}
                  - {lfn: scratch, type: input}
                  - {lfn: silent, type: input}
                  - {lfn: end, type: output, stageOut: true}
            """);

    assertThat(imported.workflow().files().values())
        .extracting(file -> file.id() + " " + file.hint())
        .containsExactlyInAnyOrder(
            "i ",
            "wanted keep",
            "copied broadcast=2,keep",
            "said temporary",
            "scratch temporary",
            "silent keep",
            "unread temporary",
            "end ");
  }

  private ImportedWorkflow inContainer(String image, String more) throws IOException {
    write(
        "transformations.yml",
        """
        containers:
          - {name: c, type: docker, image: "%s", profiles: {env: {C: c}}%s}
        transformations:
          - name: sim
            container: c
            sites: [{name: pool, pfn: /usr/bin/sim, type: installed}]
        """
            .formatted(image, more));
    return read(WORKFLOW);
  }

  @Test
  void readsContainers() throws IOException {
    Task task = inContainer("docker:///rynge/montage:latest", "").workflow().tasks().get(0);

    assertThat(task.needs().container()).isEqualTo("docker://rynge/montage:latest");
    assertThat(task.inputs()).containsExactly("i");
    assertThat(task.command().get(2)).contains("export C=c");
  }

  @Test
  void theFileOfAnImageIsAnInput() throws IOException {
    ImportedWorkflow imported = inContainer("file:///home/ann/tools.sif", ", mounts: [/a:/a]");

    assertThat(imported.workflow().tasks().get(0).inputs()).containsExactly("i", "tools.sif");
    assertThat(imported.warnings())
        .anyMatch(warning -> warning.contains("tools.sif is an input of the workflow"))
        .anyMatch(warning -> warning.contains("the mounts of the container 'c' are ignored"));
  }

  @Test
  void refusesUnusableContainers() throws IOException {
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> inContainer("http://host/image", ""))
        .withMessageContaining("a file of an unknown kind");
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> inContainer("x:1", "}\n  - {name: d, image: \"a b\""))
        .withMessageContaining("container image 'a b'");
    write(
        "transformations.yml",
        "transformations:\n  - {name: sim, sites: [{name: a, pfn: /sim, container: gone}]}\n");
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> read(WORKFLOW))
        .withMessageContaining("no container is called 'gone'");
  }
}
