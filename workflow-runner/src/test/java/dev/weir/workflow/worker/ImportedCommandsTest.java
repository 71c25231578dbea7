package dev.weir.workflow.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.imports.Importers;
import dev.weir.workflow.imports.SampleFormat;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.protocol.TaskReport;
import dev.weir.workflow.protocol.TaskReport.Result;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Runs commands of imported workflows and checks that they have the meaning of their formats. */
class ImportedCommandsTest extends TaskRunnerTestBase {

  private static final Importers IMPORTERS = Importers.standard();

  private static Workflow read(String name, String text) throws Exception {
    WorkflowSource source = new WorkflowSource(name, text, null, ImportSettings.NONE);
    return IMPORTERS.find(source).read(source).workflow();
  }

  private static String text(SampleFormat format) throws Exception {
    try (InputStream in = SampleFormat.class.getResourceAsStream(format.resource())) {
      assertThat(in).isNotNull();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  /** Runs the tasks one by one, each after the producers of its inputs. */
  private void runAll(Workflow workflow) throws Exception {
    for (Task task : workflow.graph().topologicalOrder()) {
      TaskReport report =
          run(
              order(
                  slots(task.inputs().toArray(String[]::new)),
                  slots(task.outputs().toArray(String[]::new)),
                  task.command().toArray(String[]::new)));
      assertThat(report.result())
          .as("%s: %s %s", task.id(), report.message(), report.outputTail())
          .isEqualTo(Result.SUCCEEDED);
    }
  }

  @ParameterizedTest
  @EnumSource
  void diamondCountsItsHalves(SampleFormat format) throws Exception {
    String content = "0123456789".repeat(100);
    store.write("/data/in.txt", content);

    runAll(read(format.resource(), text(format)));

    assertThat(store.read("/data/left.txt")).isEqualTo(content.substring(0, 600));
    assertThat(store.read("/data/right.txt")).isEqualTo(content.substring(600));
    assertThat(store.read("/data/total.txt").lines().map(String::strip).toList())
        .isEqualTo(List.of("600", "400"));
  }

  @Test
  void pegasusStreamsAreRedirectedToFiles() throws Exception {
    store.write("/data/d/in put.txt", "b\na\n");
    runAll(
        read(
            "streams.yml",
            """
            pegasus: "5.0"
            name: streams
            transformationCatalog:
              transformations:
                - name: sh
                  sites: [{name: local, pfn: /bin/sh, type: installed}]
            jobs:
              - type: job
                id: s
                name: sh
                arguments: [-c, "'sort; echo told >&2'"]
                stdin: d/in put.txt
                stdout: d/out put.txt
                stderr: said.txt
                uses:
                  - {lfn: d/in put.txt, type: input}
                  - {lfn: d/out put.txt, type: output}
                  - {lfn: said.txt, type: output}
            """));
    assertThat(store.read("/data/d/out put.txt")).isEqualTo("a\nb\n");
    assertThat(store.read("/data/said.txt")).isEqualTo("told\n");
  }

  @Test
  void daxStreamsAreRedirectedToFiles() throws Exception {
    store.write("/data/in", "b\na\n");
    runAll(
        read(
            "streams.dax",
            """
            <adag name="streams">
              <executable name="sort" installed="true"><pfn url="/usr/bin/sort"/></executable>
              <job id="s" name="sort">
                <argument>-r</argument>
                <stdin name="in" link="input"/>
                <stdout name="out" link="output"/>
                <uses name="in" link="input"/>
                <uses name="out" link="output"/>
              </job>
            </adag>
            """));
    assertThat(store.read("/data/out")).isEqualTo("b\na\n");
  }

  @Test
  void makeflowFilesHaveTheirRemoteNamesInTheSandbox() throws Exception {
    store.write("/data/a", "1");
    store.write("/data/b", "2");
    store.write("/data/prog.5", "#!/bin/sh\ncat \"$@\"\n");
    runAll(read("flow.mf", "d/c->out: a->in1 b prog.5 -> prog\n\t./prog in1 b > out\n"));
    assertThat(store.read("/data/d/c")).isEqualTo("12");
  }

  @Test
  void jxFilesHaveTheTasksNamesInTheSandbox() throws Exception {
    store.write("/data/in 5", "five");
    runAll(
        read(
            "flow.jx",
            """
            {"rules": [{"command": "cat in > out",
              "inputs": [{"dag_name": "in 5", "task_name": "in"}],
              "outputs": [{"dag_name": "d/out.5", "task_name": "out"}]}]}
            """));
    assertThat(store.read("/data/d/out.5")).isEqualTo("five");
  }
}
