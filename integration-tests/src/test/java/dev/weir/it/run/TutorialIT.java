package dev.weir.it.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.cluster.LocalCluster;
import dev.weir.it.ClusterExtension;
import dev.weir.it.Distribution;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The commands of {@code docs/tutorial.md}, as they are written, on the cluster of all tests. Each
 * line that follows a command is a part of what it prints; {@code ...} stands for any text.
 */
@ExtendWith(ClusterExtension.class)
class TutorialIT {

  private static final String INDENT = "    ";
  private static final String PROMPT = "$ ";
  private static final String MARK = "@@ next command";

  @TempDir private Path folder;

  /** A command, which may have several lines, and lines that it prints. */
  private record Step(String command, List<String> printed) {}

  @Test
  void commandsOfTheTutorialPrintWhatItSays(LocalCluster cluster) throws Exception {
    List<Step> steps =
        steps(Files.readAllLines(Path.of("../docs/tutorial.md"))).stream()
            .filter(step -> !step.command().startsWith("weir cluster "))
            .toList();
    String script =
        steps.stream()
            .map(step -> "echo '" + MARK + "'\n" + step.command() + "\n")
            .collect(Collectors.joining("", "exec 2>&1\n", ""));

    Shell.Ran ran =
        Shell.run(
            List.of("bash", "-c", "cd " + folder + "\n" + script),
            Map.of(
                "HADOOP_CONF_DIR",
                cluster.dir().resolve("conf").toString(),
                "PATH",
                Distribution.built().weir().getParent() + ":" + System.getenv("PATH")),
            folder);

    List<String> outputs =
        Arrays.stream(ran.out().split(Pattern.quote(MARK + "\n"))).skip(1).toList();
    assertThat(outputs).hasSameSizeAs(steps);
    for (int i = 0; i < steps.size(); i++) {
      assertThat(steps.get(i).printed())
          .as(steps.get(i).command() + "\n" + outputs.get(i))
          .allMatch(pattern(outputs.get(i)));
    }
  }

  private static Predicate<String> pattern(String output) {
    return line ->
        output
            .lines()
            .anyMatch(
                printed ->
                    printed
                        .strip()
                        .matches(
                            Arrays.stream(line.strip().split("\\.\\.\\.", -1))
                                .map(Pattern::quote)
                                .collect(Collectors.joining(".*"))));
  }

  private static List<Step> steps(List<String> page) {
    List<Step> steps = new ArrayList<>();
    boolean here = false;
    for (String line : page) {
      String text = line.startsWith(INDENT) ? line.substring(INDENT.length()) : line;
      if (here) {
        Step last = steps.remove(steps.size() - 1);
        steps.add(new Step(last.command() + "\n" + text, last.printed()));
        here = !text.equals("END");
      } else if (line.startsWith(INDENT) && text.startsWith(PROMPT)) {
        steps.add(new Step(text.substring(PROMPT.length()), new ArrayList<>()));
        here = text.endsWith("<<'END'");
      } else if (line.startsWith(INDENT)) {
        steps.get(steps.size() - 1).printed().add(text);
      }
    }
    return steps;
  }
}
