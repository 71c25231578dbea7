package dev.weir.workflow.provenance;

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
 * A lineage as a tree for people: a file, the command that made it, the files that this read, and
 * so on. What was told once is not told again, and of many files of one kind the first few are
 * shown. For one use.
 */
public final class LineageText {
  private static final int FEW = 3;
  private static final int WIDE = 160;
  private static final double THOUSAND = 1000;
  private static final double MEGA = 1e6;
  private static final String STEP = "  ";

  private final Lineage lineage;
  private final boolean all;
  private final int depth;
  private final Map<String, FileVersion> files = new HashMap<>();
  private final Map<String, Making> attempts = new HashMap<>();
  private final Set<String> told = new HashSet<>();
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
   * @param lineage what to tell
   * @param all whether to show all files of a kind
   * @param depth how many commands deep to go; 0 for all the way
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
      line(0, "There is more than one answer holds: ask about one of the last files above.");
    }
    return text.toString();
  }

  private void file(FileVersion file, int indent, int commands) {
    boolean seen = !told.add(file.key());
    String note = file.note();
    String madeBy = file.madeBy();
    Making making = madeBy == null ? null : attempts.get(madeBy);
    String mark = making == null ? "" : seen || isTold(making) ? ", see above" : "";
    line(indent, file.path() + facts(file) + mark + (note == null ? "" : " (" + note + ")"));
    if (making == null || !mark.isEmpty()) {
      return;
    }
    if (depth > 0 && commands >= depth) {
      line(indent + 1, "made by " + making.type() + ", see --depth");
      return;
    }
    told.add(making.key());
    making(making, indent + 1, commands);
  }

  private boolean isTold(Making making) {
    return told.contains(making.key());
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
      line(indent + 1, "and " + making.untold() + " more that you may not read, or that are gone");
    }
  }

  private void inputs(List<FileVersion> inputs, String kind, int indent, int commands) {
    int shown = all || inputs.size() <= FEW + 1 ? inputs.size() : FEW;
    inputs.subList(0, shown).forEach(input -> file(input, indent, commands));
    if (shown < inputs.size()) {
      line(
          indent,
          "and "
              + (inputs.size() - shown)
              + " more "
              + (kind.isEmpty() ? "that no known run has made" : "made by " + kind)
              + " (--all shows them)");
    }
  }

  /** The type of the task that made a file, by which files are told together. */
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
    return words.length() <= WIDE ? words.toString() : words.substring(0, WIDE) + "...";
  }

  private static String quoted(String word) {
    return ValueChecks.quoted(PrintableText.of(word));
  }

  private String where(Making making) {
    String place =
        String.format(
            Locale.ROOT,
            "task %s, attempt %d on %s, %.1f s%s, ended %s",
            making.task(),
            making.attempt(),
            making.node(),
            making.runMillis() / THOUSAND,
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
            : String.format(Locale.ROOT, ", memory %.1f MB", effort.peakMemoryBytes() / MEGA);
    return String.format(
        Locale.ROOT, " (processors %.1f s%s)", effort.cpuMillis() / THOUSAND, memory);
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
    text.append(STEP.repeat(indent)).append(PrintableText.of(words)).append(System.lineSeparator());
  }
}
