package dev.weir.workflow.provenance;

import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.provenance.Lineage.FileVersion;
import dev.weir.workflow.provenance.Lineage.Making;
import dev.weir.workflow.provenance.Lineage.RunName;
import dev.weir.workflow.record.ResourceUse;
import dev.weir.workflow.text.PrintableText;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Writes a lineage as a tree for users: a file, the command that wrote it, the files that this
 * command read, and so on. Each file is described once. Of many files of one kind only the first
 * few are shown. For one use.
 */
public final class LineageText {
  private static final int SHOWN_FILES = 3;
  private static final int MAX_COMMAND_LENGTH = 160;
  private static final double MILLIS_PER_SECOND = 1000;
  private static final double BYTES_PER_MB = 1e6;
  private static final String INDENT = "  ";

  private final Lineage lineage;
  private final boolean all;
  private final int depth;
  private final Map<String, FileVersion> files = new HashMap<>();
  private final Map<String, Making> attempts = new HashMap<>();
  private final Set<String> shown = new HashSet<>();
  private final StringBuilder text = new StringBuilder();
  private String run = "";

  private LineageText(Lineage lineage, boolean all, int depth) {
    this.lineage = lineage;
    this.all = all;
    this.depth = depth;
    lineage.files().forEach(file -> files.put(file.key(), file));
    lineage.attempts().forEach(attempt -> attempts.put(attempt.key(), attempt));
  }

  /**
   * Writes the tree.
   *
   * @param all whether to show all files of a kind
   * @param depth number of commands to descend; 0 for no limit
   * @return lines, each with its end
   */
  public static String of(Lineage lineage, boolean all, int depth) {
    return new LineageText(lineage, all, depth).write();
  }

  private String write() {
    if (lineage.files().isEmpty()) {
      line(0, lineage.path());
      line(1, lineage.note());
      return text.toString();
    }
    file(lineage.files().get(0), 0, 0);
    line(0, "");
    line(0, lineage.note());
    if (lineage.truncated()) {
      line(0, "The lineage is longer than one answer: request one of the last files above.");
    }
    return text.toString();
  }

  private void file(FileVersion file, int indent, int commands) {
    boolean seen = !shown.add(file.key());
    String note = file.note();
    String madeBy = file.madeBy();
    Making making = madeBy == null ? null : attempts.get(madeBy);
    String mark = making == null ? "" : seen || isShown(making) ? ", see above" : "";
    line(indent, file.path() + facts(file) + mark + (note == null ? "" : " (" + note + ")"));
    if (making == null || !mark.isEmpty()) {
      return;
    }
    if (depth > 0 && commands >= depth) {
      line(indent + 1, "made by " + making.type() + ", see --depth");
      return;
    }
    shown.add(making.key());
    making(making, indent + 1, commands);
  }

  private boolean isShown(Making making) {
    return shown.contains(making.key());
  }

  private void making(Making making, int indent, int commands) {
    line(indent, "made by " + command(making));
    line(indent + 1, where(making));
    Map<String, List<FileVersion>> kinds = new LinkedHashMap<>();
    for (String key : making.used()) {
      FileVersion input = files.get(key);
      if (input != null) {
        kinds.computeIfAbsent(kind(input), kind -> new ArrayList<>()).add(input);
      }
    }
    kinds.forEach((kind, inputs) -> inputs(inputs, kind, indent + 1, commands + 1));
    if (making.untold() > 0) {
      line(
          indent + 1,
          "and " + making.untold() + " more that you may not read or that no longer exist");
    }
  }

  private void inputs(List<FileVersion> inputs, String kind, int indent, int commands) {
    int shown = all || inputs.size() <= SHOWN_FILES + 1 ? inputs.size() : SHOWN_FILES;
    inputs.subList(0, shown).forEach(input -> file(input, indent, commands));
    if (shown < inputs.size()) {
      line(
          indent,
          "and "
              + (inputs.size() - shown)
              + " more "
              + (kind.isEmpty() ? "that no known run wrote" : "made by " + kind)
              + " (--all shows them)");
    }
  }

  /** Returns the type of the task that wrote a file. Files are grouped by it. */
  private String kind(FileVersion file) {
    String madeBy = file.madeBy();
    Making making = madeBy == null ? null : attempts.get(madeBy);
    return making == null ? "" : making.type();
  }

  private static String facts(FileVersion file) {
    List<String> facts = new ArrayList<>();
    Long bytes = file.bytes();
    if (bytes != null) {
      facts.add(bytes + " bytes");
    }
    if (file.crc32c() != null) {
      facts.add("CRC-32C " + file.crc32c());
    }
    return facts.isEmpty() ? "" : "  " + String.join(", ", facts);
  }

  private static String command(Making making) {
    if (making.command().isEmpty()) {
      return making.type() + " (a stand-in, or no command is recorded)";
    }
    StringBuilder words = new StringBuilder();
    making.command().forEach(word -> words.append(words.isEmpty() ? "" : " ").append(quoted(word)));
    return words.length() <= MAX_COMMAND_LENGTH
        ? words.toString()
        : words.substring(0, MAX_COMMAND_LENGTH) + "...";
  }

  private static String quoted(String word) {
    return ShellCommand.quote(PrintableText.of(word));
  }

  private String where(Making making) {
    String place =
        String.format(
            Locale.ROOT,
            "task %s, attempt %d on %s, %.1f s%s, ended %s",
            making.task(),
            making.attempt(),
            making.node(),
            making.runMillis() / MILLIS_PER_SECOND,
            effort(making.effort()),
            making.ended());
    RunName found = find(making);
    String name = found == null ? "run " + making.run() : describe(found);
    if (name.equals(run)) {
      return place;
    }
    run = name;
    return place + ", in " + name;
  }

  private static String effort(@Nullable ResourceUse effort) {
    if (effort == null) {
      return "";
    }
    String memory =
        effort.peakMemoryBytes() == 0
            ? ""
            : String.format(
                Locale.ROOT, ", memory %.1f MB", effort.peakMemoryBytes() / BYTES_PER_MB);
    return String.format(
        Locale.ROOT, " (processors %.1f s%s)", effort.cpuMillis() / MILLIS_PER_SECOND, memory);
  }

  private static String describe(RunName found) {
    return "run "
        + found.id()
        + " of "
        + found.owner()
        + " ("
        + found.workflow()
        + (found.standIn() ? ", stand-ins" : "")
        + ", "
        + found.state().name().toLowerCase(Locale.ROOT)
        + ")";
  }

  private @Nullable RunName find(Making making) {
    return lineage.runs().stream()
        .filter(run -> run.id().equals(making.run()) && run.owner().equals(making.owner()))
        .findFirst()
        .orElse(null);
  }

  private void line(int indent, String words) {
    text.append(INDENT.repeat(indent))
        .append(PrintableText.of(words))
        .append(System.lineSeparator());
  }
}
