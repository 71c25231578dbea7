package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.common.Table;
import dev.weir.cli.doctor.Finding.Level;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * The findings of all checks.
 *
 * @param findings in the order of the checks
 */
record Examination(List<Finding> findings) {
  Examination {
    findings = List.copyOf(findings);
  }

  /** Runs all checks. A check that fails becomes a finding, and the next one runs. */
  static Examination of(List<Check> checks) {
    List<Finding> all = new ArrayList<>();
    for (Check check : checks) {
      try {
        all.addAll(check.examine());
      } catch (IOException | RuntimeException e) {
        String reason =
            e.getMessage() == null ? e.toString() : e.getMessage().lines().findFirst().orElse("");
        all.add(
            Finding.unknown(
                check.subject(),
                "could not be asked: " + reason,
                "see that it runs and can be reached from here"));
      }
    }
    return new Examination(all);
  }

  /** Returns whether a finding keeps hints from being followed. */
  boolean isAnythingWrong() {
    return findings.stream().anyMatch(finding -> finding.level() == Level.WRONG);
  }

  /** Returns a table of the findings, with the remedies below it. */
  String words() {
    Table table = new Table("", "WHAT", "FINDING");
    StringBuilder remedies = new StringBuilder();
    for (Finding finding : findings) {
      table.row(finding.level().name().toLowerCase(Locale.ROOT), finding.subject(), finding.text());
      if (!finding.remedy().isEmpty()) {
        remedies.append("- ").append(finding.subject()).append(": ").append(finding.remedy());
        remedies.append(System.lineSeparator());
      }
    }
    String end = System.lineSeparator();
    return remedies.isEmpty() ? table.toString() : table + end + "What to do:" + end + remedies;
  }

  /** Returns the findings as JSON. */
  JsonNode json() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode list = all.putArray("findings");
    for (Finding finding : findings) {
      list.addObject()
          .put("level", finding.level().name().toLowerCase(Locale.ROOT))
          .put("subject", finding.subject())
          .put("text", finding.text())
          .put("remedy", finding.remedy());
    }
    return all;
  }
}
