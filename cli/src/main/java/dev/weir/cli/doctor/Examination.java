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
 * What came of looking at all parts of a cluster.
 *
 * @param findings in the order of the parts
 */
record Examination(List<Finding> findings) {
  Examination {
    findings = List.copyOf(findings);
  }

  /** Looks at each part; one that does not answer keeps nobody from looking at the others. */
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

  /** Whether something keeps hints from being followed. */
  boolean isAnythingWrong() {
    return findings.stream().anyMatch(finding -> finding.level() == Level.WRONG);
  }

  /** For people: a table, and below it what to do. */
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

  /** For programs. */
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
