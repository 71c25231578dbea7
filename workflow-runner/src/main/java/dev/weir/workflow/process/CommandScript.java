package dev.weir.workflow.process;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Writes the script by which a {@link CommandShell} becomes a command: its directory, its files,
 * its variables and finally, in place of the shell, its program.
 */
final class CommandScript {

  /** Exit code of the shell when the command's directory or files cannot be opened. */
  static final int CANNOT_START = 125;

  private static final int FIRST_BEYOND_ASCII = 0x80;
  private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** Variables that bash does not allow to be set, or interprets itself. */
  private static final Set<String> SHELL_VARIABLES =
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

  private CommandScript() {}

  /**
   * Writes the script of a command.
   *
   * @param present variables that the shell already has
   * @return text for {@code bash}, in ASCII: the shell reads characters of any locale
   */
  static String of(TaskProcess.Command command, Map<String, String> present) {
    StringBuilder script = new StringBuilder(512);
    script.append("exec </dev/null >").append(quoted(command.stdout().toString()));
    script.append(" 2>").append(quoted(command.stderr().toString()));
    script.append(" || exit ").append(CANNOT_START);
    script.append("\ncd -- ").append(quoted(command.directory().toString()));
    script.append(" || exit ").append(CANNOT_START).append('\n');
    StringBuilder envArguments = new StringBuilder();
    command
        .environment()
        .forEach(
            (name, value) -> {
              if (name.equals(ProcessGuard.MARK)) {
                return;
              }
              if (bashCannotSet(name)) {
                envArguments.append(' ').append(quoted(name + "=" + value));
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
    if (!command.environment().containsKey("OLDPWD")) {
      // The shell sets it for itself.
      script.append("unset OLDPWD\n");
    }
    script.append("exec --");
    if (envArguments.length() > 0) {
      script.append(" env").append(envArguments);
    }
    return script.append(words(command.argv())).append('\n').toString();
  }

  /** Returns whether bash cannot set this variable. Another program (env) sets it then. */
  static boolean bashCannotSet(String name) {
    return SHELL_VARIABLES.contains(name)
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
          "an argument or variable of the command has a NUL character, which cannot be passed: '"
              + word.replace("\0", "\\0")
              + "'");
    }
    return word.chars().allMatch(c -> c < FIRST_BEYOND_ASCII)
        ? "'" + word.replace("'", "'\\''") + "'"
        : escaped(word);
  }

  private static String escaped(String word) {
    StringBuilder escaped = new StringBuilder("$'");
    for (byte b : word.getBytes(UTF_8)) {
      if (b < 0) {
        escaped.append(String.format(Locale.ROOT, "\\x%02x", b));
      } else {
        escaped.append(b == '\'' || b == '\\' ? "\\" : "").append((char) b);
      }
    }
    return escaped.append('\'').toString();
  }
}
