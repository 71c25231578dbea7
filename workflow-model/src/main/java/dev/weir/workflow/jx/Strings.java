package dev.weir.workflow.jx;

import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The functions of JX on strings. */
final class Strings {

  private static final Pattern PLACEHOLDER =
      Pattern.compile("\\{\\{|}}|\\{\\s*([A-Za-z_][A-Za-z0-9_]*)\\s*}|[{}]");

  private final WorkflowSource source;

  Strings(WorkflowSource source) {
    this.source = source;
  }

  /** The value of a name; null if it has none. */
  record Found(@Nullable Value value) {}

  /** Finds values by name. */
  interface Names {
    Found find(String name) throws WorkflowException;
  }

  Value format(Arguments arguments) throws WorkflowException {
    if (arguments.count() == 0) {
      throw arguments.problem("format() has no format", "give it a string first");
    }
    String format = arguments.string(0);
    StringBuilder result = new StringBuilder();
    int next = 1;
    for (int i = 0; i < format.length(); i++) {
      char c = format.charAt(i);
      if (c != '%') {
        result.append(c);
        continue;
      }
      if (++i == format.length()) {
        throw arguments.problem("the format ends in a '%'", "write '%%' for the character");
      }
      char specifier = format.charAt(i);
      if (specifier == '%') {
        result.append('%');
      } else if (next == arguments.count()) {
        throw arguments.problem(
            "format() has no argument for '%" + specifier + "'", "give one for each '%'");
      } else {
        result.append(formatted(specifier, next++, arguments));
      }
    }
    if (next < arguments.count()) {
      throw arguments.problem(
          "format() has more arguments than its format has '%'", "remove some, or add '%s'");
    }
    return arguments.text(result.toString());
  }

  private static String formatted(char specifier, int index, Arguments arguments)
      throws WorkflowException {
    Value value = arguments.get(index);
    return switch (specifier) {
      case 's' -> arguments.string(index);
      case 'd', 'i' -> Long.toString(arguments.whole(index));
      case 'e', 'E', 'f', 'F', 'g', 'G' -> {
        if (!Value.isNumber(value)) {
          throw arguments.problem(
              "'%" + specifier + "' cannot show " + value.kind(), "give it a number, or use %s");
        }
        yield number(specifier, Value.number(value));
      }
      default ->
          throw arguments.problem(
              "format() does not know '%" + specifier + "'", "use %s, %d, %i, %e, %f, %g or %%");
    };
  }

  private static String number(char specifier, double number) {
    String text =
        switch (Character.toLowerCase(specifier)) {
          case 'e' -> String.format(Locale.ROOT, "%e", number);
          case 'f' -> String.format(Locale.ROOT, "%f", number);
          default -> Value.Printf.g(number);
        };
    return Character.isUpperCase(specifier) ? text.toUpperCase(Locale.ROOT) : text;
  }

  Value template(Arguments arguments, Names names) throws WorkflowException {
    arguments.requireCount(1, 2);
    String template = arguments.string(0);
    Matcher matcher = PLACEHOLDER.matcher(template);
    StringBuilder result = new StringBuilder();
    int from = 0;
    while (matcher.find()) {
      result.append(template, from, matcher.start());
      from = matcher.end();
      String name = matcher.group(1);
      if (name != null) {
        result.append(value(name, arguments, names));
      } else if (matcher.group().length() == 2) {
        result.append(matcher.group().charAt(0));
      } else {
        throw arguments.problem(
            "a '" + matcher.group() + "' at offset " + matcher.start() + " is not a placeholder",
            "write {NAME}, or '{{' and '}}' for the characters");
      }
    }
    return arguments.text(result + template.substring(from));
  }

  private String value(String name, Arguments arguments, Names names) throws WorkflowException {
    Value value = arguments.count() == 2 ? arguments.table(1).values().get(name) : null;
    if (value == null) {
      value = names.find(name).value();
    }
    if (value == null) {
      throw source.problem(
          arguments.place(),
          "'" + name + "' in the template is not defined",
          "define it under \"define\", or in the second argument");
    }
    if (value instanceof Value.Text || Value.isNumber(value)) {
      return value.shown();
    }
    throw arguments.problem(
        "'" + name + "' in the template is " + value.kind(), "use a string or a number");
  }

  Value join(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 2);
    String delimiter = arguments.count() == 2 ? arguments.string(1) : " ";
    StringBuilder result = new StringBuilder();
    String gap = "";
    for (Value value : arguments.array(0).values()) {
      if (!(value instanceof Value.Text text)) {
        throw arguments.problem(
            "join() joins strings, and the list has " + value.kind(), "format it first");
      }
      result.append(gap).append(text.text());
      gap = delimiter;
    }
    return arguments.text(result.toString());
  }

  Value basename(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 2);
    String path = withoutSlashes(arguments.string(0));
    String last = path.equals("/") ? path : path.substring(path.lastIndexOf('/') + 1);
    String suffix = arguments.count() == 2 ? arguments.string(1) : "";
    boolean cut = !suffix.isEmpty() && last.endsWith(suffix);
    return arguments.text(cut ? last.substring(0, last.length() - suffix.length()) : last);
  }

  Value dirname(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 1);
    String path = withoutSlashes(arguments.string(0));
    int slash = path.lastIndexOf('/');
    if (slash < 0) {
      return arguments.text(".");
    }
    return arguments.text(withoutSlashes(slash == 0 ? "/" : path.substring(0, slash)));
  }

  /** Removes trailing slashes and replaces an empty path by {@code .}, like the C library. */
  private static String withoutSlashes(String path) {
    if (path.isEmpty()) {
      return ".";
    }
    String shorter = path.replaceAll("/+$", "");
    return shorter.isEmpty() ? "/" : shorter;
  }

  Value escape(Arguments arguments) throws WorkflowException {
    arguments.requireCount(1, 1);
    return arguments.text(ShellCommand.quote(arguments.string(0)));
  }
}
