package dev.weir.workflow.imports;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.Workflow;
import dev.weir.workflow.model.WorkflowException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class SandboxNamesTest {

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.INCLUDE,
      names = {"JX", "MAKEFLOW"}) // the others rename nothing
  void equivalentNamesAreEqual(SampleFormat format) throws WorkflowException {
    String same = format.renaming("a", "./a", "./b", "b", "d//e", "d/./e");
    assertThat(script(format, same)).isEqualTo("true");
    assertThat(script(format, format.renaming("a", "b", "a", "./b", "./a", "b")))
        .isEqualTo("ln -s \"$PWD\"/a b || exit\ntrue");
    String program = format.renaming("bin/s.sh", "./s.sh").replaceFirst("true", "./s.sh");
    assertThat(script(format, program))
        .isEqualTo("chmod +x bin/s.sh || exit\nln -s \"$PWD\"/bin/s.sh s.sh || exit\n./s.sh");
  }

  private static String script(SampleFormat format, String text) throws WorkflowException {
    WorkflowSource source = new WorkflowSource(format.resource(), text, null, ImportSettings.NONE);
    Workflow workflow = Importers.standard().find(source).read(source).workflow();
    return workflow.tasks().get(0).command().get(2);
  }
}
