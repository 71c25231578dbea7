package dev.weir.workflow.process;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The lines by which a {@link CommandShell} becomes a command: its directory, its files, its
 * variables and, in the place of the shell, its program.
 */
final class CommandScript {

  /** What the shell exits with when the command's directory or files cannot be had. */
  static final int CANNOT_START = 125;

  private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Variables that bash does not let anyone set, or makes something else of. */
  private static final Set<String> OF_THE_SHELL =
      Set.of(
          "_",
          "BASHOPTS",
          "BASHPID",
          "DIRSTACK",
          "EPOCHREALTIME",
          "EPOCHSECONDS",
          "EUID",
          "FUNCNAME",
          "GROUPS",
          "HISTCMD",
          "IFS",
          "LINENO",
          "OPTARG",
          "OPTIND",
          "PPID",
          "RANDOM",
          "SECONDS",
          "SHELLOPTS",
          "SHLVL",
          "SRANDOM",
          "UID");

  /** Variables that the shell has of its own. */
  private static final List<String> OF_THE_LOOP = List.of("OLDPWD", "LC_ALL");

  private CommandScript() {}

  /**
   * Writes the lines.
   *
   * @param command what is to be started
   * @param present variables that the shell has already
   * @return text for {@code bash}
   */
  static String of(TaskProcess.Command command, Map<String, String> present) {
    StringBuilder script = new StringBuilder(512);
    script.append("exec </dev/null >").append(quoted(command.stdout().toString()));
    script.append(" 2>").append(quoted(command.stderr().toString()));
    script.append(" || exit ").append(CANNOT_START);
    script.append("\ncd -- ").append(quoted(command.directory().toString()));
    script.append(" || exit ").append(CANNOT_START).append('\n');
    StringBuilder byEnv = new StringBuilder();
    command
        .environment()
        .forEach(
            (name, value) -> {
              if (name.equals(ProcessGuard.MARK)) {
                return;
              }
              if (ofTheShell(name)) {
                byEnv.append(' ').append(quoted(name + "=" + value));
              } else if (!value.equals(present.get(name))) {
                script.append("export ").append(name).append('=').append(quoted(value));
                script.append('\n');
              }
            });
    for (String name : present.keySet()) {
      if (!command.environment().containsKey(name) && !name.equals(ProcessGuard.MARK)) {
        script.append("unset ").append(name).append('\n');
      }
    }
    for (String name : OF_THE_LOOP) {
      if (!command.environment().containsKey(name)) {
        script.append("unset ").append(name).append('\n');
      }
    }
    script.append("exec --");
    if (byEnv.length() > 0) {
      script.append(" env").append(byEnv);
    }
    return script.append(words(command.argv())).append('\n').toString();
  }

  /** Whether bash cannot be told this variable, which then takes a program more. */
  static boolean ofTheShell(String name) {
    return OF_THE_SHELL.contains(name)
        || name.startsWith("BASH_")
        || !SHELL_NAME.matcher(name).matches();
  }

  private static String words(List<String> argv) {
    StringBuilder words = new StringBuilder();
    for (String word : argv) {
      words.append(' ').append(quoted(word));
    }
    return words.toString();
  }

  private static String quoted(String word) {
    if (word.indexOf('\0') >= 0) {
      throw new IllegalArgumentException(
          "a command's word or variable has a NUL character in it, which no program can be given: '"
              + word.replace("\0", "\\0")
              + "'");
    }
    return "'" + word.replace("'", "'\\''") + "'";
  }
}
