package dev.weir.workflow.makeflow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.ImportedWorkflow;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.Task;
import dev.weir.workflow.model.TaskNeeds;
import dev.weir.workflow.model.WorkflowException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MakeflowImporterTest {

  private static final ImportSettings SETTINGS =
      new ImportSettings(Map.of("USER", "ann", "HOME", "/home/ann"), Map.of(), null);

  private static ImportedWorkflow read(String text) throws WorkflowException {
    return MakeflowReader.IMPORTER.read(new WorkflowSource("w.mf", text, null, SETTINGS));
  }

  private static List<String> scripts(String text) throws WorkflowException {
    return read(text).workflow().tasks().stream().map(task -> task.command().get(2)).toList();
  }

  /** The command follows the bar; ¶ stands for a line break, » for a tab. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "o: i¶»cmd i > o | cmd i > o",
        "o: i¶    cmd i > o | cmd i > o",
        "A=x¶o: i¶»cmd $(A) ${A} $A.b $(A)y | cmd x x x.b xy",
        "A=x¶A=$(A)y¶o:¶»cmd $(A) | cmd xy",
        "A=x¶A+=y¶o:¶»cmd $(A) | cmd x y",
        "A=x¶o:¶A=z¶»cmd $(A) | cmd z",
        "A=x¶o:¶@A=z¶»cmd $(A) | cmd z",
        "o:¶»cmd \\$HOME '$1' | cmd $HOME '$1'",
        "o:¶»cmd \"a $(USER)\" | cmd \"a ann\"",
        "o:¶»cmd \"a # b\" # c | cmd \"a # b\"",
        "o:¶»cmd a \\¶b | cmd a  b",
        "A=1 # one¶o:¶»cmd $(A) | cmd 1",
        "A='a # b'¶o:¶»cmd $(A) | cmd 'a # b'",
        "A=\"x y\"¶o:¶»cmd $(A) | cmd \"x y\"",
        "A=LOCAL¶o:¶»$(A) cmd | cmd",
        "o:¶# comment¶¶»LOCAL cmd | cmd",
        "o:¶»¶»cmd x=1 a:b | cmd x=1 a:b",
        "o:¶  cmd --x=1 | cmd --x=1",
        "B=x¶A=\\$(B)¶o:¶»cmd $(A) | cmd x",
      })
  void readsCommands(String text, String command) throws WorkflowException {
    String makeflow = text.replace('¶', '\n').replace('»', '\t');
    assertThat(scripts(makeflow + "\n")).containsExactly(command);
    assertThat(scripts(makeflow)).containsExactly(command);
    assertThat(scripts(makeflow.replace("\n", "\r\n"))).containsExactly(command);
  }

  @Test
  void readsFilesOfAllKinds() throws WorkflowException {
    Task task =
        read("F=c d\na \"b 1\" b\\ 2 'b 3' x-y: $(F).e $(F) \\\n  last # no\n\tcmd\n")
            .workflow()
            .tasks()
            .get(0);
    assertThat(task.outputs()).containsExactly("a", "b 1", "b 2", "b 3", "x-y");
    assertThat(task.inputs()).containsExactly("c", "d.e", "d", "last");
  }

  @Test
  void renamesFilesInTheSandbox() throws WorkflowException {
    assertThat(scripts("c->out: a->in1 b prog.5 -> prog\n\t./prog in1 b > out\n"))
        .containsExactly(
            """
            chmod +x prog.5 || exit
            ln -s "$PWD"/a in1 || exit
            ln -s "$PWD"/prog.5 prog || exit
            (
            ./prog in1 b > out
            ) || exit
            mv out c || exit
            """);
  }

  @Test
  void exportsVariablesOfTheRule() throws WorkflowException {
    String text =
        """
        export USER
        A=1
        x:
        	one
        A=2
        y:
        	two
        export A B
        export C="three $(A)"
        z:
        	three
        """;
    assertThat(scripts(text))
        .containsExactly(
            "export A=1\nexport USER=ann\none",
            "export A=2\nexport USER=ann\ntwo",
            "export A=2\nexport C='three 2'\nexport USER=ann\nthree");
    assertThat(read(text).warnings()).anyMatch(warning -> warning.contains("B has no value"));
  }

  @Test
  void readsCategoriesWithResourcesAndHints() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            CORES=1
            CATEGORY="big"
            CORES=8
            MEMORY=100
            WEIR_HINT=broadcast=3
            a: i
            	one
            CATEGORY=small
            b: i
            	two
            c: i
            CATEGORY=big
            DISK=5
            WALL_TIME=60
            GPUS=2
            	three
            .MAKEFLOW CATEGORY default
            .MAKEFLOW MODE MAX_THROUGHPUT
            # weir-hint: i reuse
            d: i
            WEIR_HINT=pipeline
            	python3 /opt/four.py -x
            """);
    assertThat(imported.workflow().tasks())
        .extracting(Task::type)
        .containsExactly("big", "small", "big", "four.py");
    assertThat(imported.workflow().tasks())
        .extracting(Task::needs)
        .containsExactly(
            new TaskNeeds(8, 100 << 20, 0),
            new TaskNeeds(1, 0, 0),
            new TaskNeeds(8, 100 << 20, 5 << 20, 60, false).withResources(TaskNeeds.gpus(2)),
            new TaskNeeds(1, 0, 0));
    assertThat(imported.workflow().files().values())
        .extracting(file -> file.id() + " " + file.hint())
        .containsExactly("i reuse", "a broadcast=3", "b ", "c broadcast=3", "d pipeline");
    assertThat(imported.warnings()).anyMatch(warning -> warning.startsWith("18:1: the directive"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "o: i¶»cmd $(NOPE) | 2:6: the variable NOPE is not defined here; define it above",
        "o: $(NOPE)¶»cmd | 1:4: the variable NOPE",
        "A=$(NOPE)¶o:¶»cmd | 1:3: the variable NOPE",
        "o: i¶p: i¶»cmd | 1:1: the rule has no command",
        "o: i | 1:1: the rule has no command",
        "»cmd | 1:1: a command without a rule",
        "o: i¶»one¶»two | 3:1: a command without a rule",
        "o: i¶»MAKEFLOW other.mf | 2:1: the rule runs another Makeflow",
        "o: a:b¶»cmd | 1:5: the rule has a second ':'",
        ": i¶»cmd | 1:1: the rule has no output",
        "o: a->¶»cmd | 1:5: no name follows the '->'",
        "o: ->a¶»cmd | 1:4: the name of a file is missing",
        "o: 'a¶»cmd | 1:4: the quote that begins here has no end",
        "o: a¶»cmd \"x | 2:6: the quote that begins here has no end",
        "o: a¶»cmd $$ | 2:6: no name of a variable follows the '$'",
        "o: a¶»cmd $(A | 2:6: no name of a variable follows",
        "A=\\$(A)¶o:¶»cmd $(A) | 3:6: variables refer to each other more than 32 deep",
        "hello world | 1:1: this is not a rule, a variable or a directive",
        "export A-B¶o:¶»cmd | 1:8: 'A-B' cannot be the name of an exported variable",
        ".SIZE a¶o:¶»cmd | 1:1: the directive .SIZE is not complete",
        ".SIZE a xM¶o:¶»cmd | 1:1: 'xM' is not a size",
        "CORES=many¶o:¶»cmd | 2:1: CORES is 'many' here, which is not a number",
        "# weir-hint: o¶o:¶»cmd | 1:1: the comment contains no hint",
        "# weir-hint: o nonsense¶o:¶»cmd | 1:1: the hint of the file 'o' is invalid",
      })
  void refuses(String text, String problem) {
    String makeflow = text.replace('¶', '\n').replace('»', '\t');
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> read(makeflow))
        .withMessageStartingWith("w.mf: ")
        .withMessageContaining(problem)
        .withMessageContaining("; ");
  }

  @Test
  void resultsAreKeptEvenIfRulesReadThem() throws WorkflowException {
    ImportedWorkflow imported =
        read(
            """
            MAKEFLOW_INPUTS = i
            MAKEFLOW_OUTPUTS = "a i end unknown"
            a b unread: i
            \tcmd
            end: a b
            \tcmd
            """);

    assertThat(imported.workflow().files().values())
        .extracting(file -> file.id() + " " + file.hint())
        .containsExactlyInAnyOrder("i ", "a keep", "b temporary", "unread ", "end ");
  }

  @Test
  void warnsAboutSettingsOfUnknownFiles() throws Exception {
    String text =
        """
        .SIZE in 5
        .SIZE inn 5
        # weir-hint: out pipeline
        # weir-hint: outt pipeline
        MAKEFLOW_OUTPUTS=out o u
        out: in
        	true
        """;
    assertThat(read(text).warnings())
        .containsExactly(
            "2:1: the workflow has no file 'inn': its size is ignored",
            "4:1: the workflow has no file 'outt': its hint is ignored",
            "5:17: the workflow has no file 'o': its name in MAKEFLOW_OUTPUTS is ignored",
            "5:17: the workflow has no file 'u': its name in MAKEFLOW_OUTPUTS is ignored",
            "the sizes of 1 of 2 files are unknown (out): each counts as 1 MB");
    assertThat(read(text).warningsOfRun()).hasSize(4).noneMatch(each -> each.contains("sizes"));
  }
}
