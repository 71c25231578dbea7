package dev.weir.cli;

import dev.weir.hints.HintText;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Prints the completion script for bash and zsh. */
@Command(
    name = "completion",
    description = "Prints the completion script for bash and zsh.",
    mixinStandardHelpOptions = true,
    footer = {"", "Example:", "  source <(weir completion)"})
final class CompletionCommand implements Callable<Integer> {
  /**
   * Completes runs, tasks and words of hints, and leaves the rest to picocli's function. A command
   * that takes a run has it as its first argument, and a task as its second.
   */
  private static final String NAMES =
      """
      _weir_names() {
        local current=${COMP_WORDS[COMP_CWORD]} names=
        case ${COMP_WORDS[1]}:$COMP_CWORD in
          status:2|logs:2|report:2|get:2|shell:2|add:2|pause:2|resume:2|cancel:2|prioritise:2|retry:2)
            names="last $(weir runs 2>/dev/null | awk 'NR > 1 { print $1 }')" ;;
          logs:3|shell:3)
            names=$(weir logs "${COMP_WORDS[2]}" 2>/dev/null |
              awk 'NR > 1 && !/^and [0-9]+ task/ && !seen[$1]++ { print $1 }') ;;
          hints:4)
            names="%s" ;;
        esac
        if [[ -n $names && $current != -* ]]; then
          mapfile -t COMPREPLY < <(compgen -W "$names" -- "$current")
        else
          _complete_weir
        fi
      }
      complete -F _weir_names -o default weir weir.sh weir.bash
      """;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    out.println(AutoComplete.bash("weir", spec.root().commandLine()));
    out.println(NAMES.formatted(String.join(" ", HintText.words())));
    spec.commandLine().getOut().flush();
    return 0;
  }
}
