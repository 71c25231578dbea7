package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.cli.common.Table;
import dev.weir.cli.doctor.Finding.Level;
import java.util.Comparator;
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
    return new Examination(checks.stream().flatMap(check -> Findings.of(check).stream()).toList());
  }

  /** Returns whether a finding keeps hints from being followed. */
  boolean isAnythingWrong() {
    return findings.stream().anyMatch(finding -> finding.level() == Level.WRONG);
  }

  /** Returns a table of the findings, with the remedies below it. */
  String words() {
    Table table = new Table("", "WHAT", "FINDING");
    for (Finding finding : findings) {
      table.row(finding.level().name().toLowerCase(Locale.ROOT), finding.subject(), finding.text());
    }
    StringBuilder remedies = new StringBuilder();
    String end = System.lineSeparator();
    int number = 0;
    for (Finding finding : remedies()) {
      number++;
      remedies.append(number).append(". ").append(finding.subject()).append(": ");
      remedies.append(finding.remedy()).append(end);
    }
    return remedies.isEmpty()
        ? table.toString()
        : table + end + "What to do, in this order:" + end + remedies;
  }

  /** Returns the findings with a remedy, in the order in which these are to be applied. */
  List<Finding> remedies() {
    return findings.stream()
        .filter(finding -> !finding.remedy().isEmpty())
        .sorted(Comparator.comparing(Finding::step))
        .toList();
  }

  /** Returns the findings as JSON. */
  JsonNode json() {
    ObjectNode all = JsonNodeFactory.instance.objectNode();
    ArrayNode list = all.putArray("findings");
    for (Finding finding : findings) {
      ObjectNode node = list.addObject();
      node.put("level", finding.level().name().toLowerCase(Locale.ROOT))
          .put("subject", finding.subject())
          .put("text", finding.text())
          .put("remedy", finding.remedy())
          .put("step", finding.step().name().toLowerCase(Locale.ROOT));
      Finding.Setting setting = finding.setting();
      if (setting != null) {
        node.put("file", setting.file()).put("key", setting.key()).put("value", setting.value());
      }
    }
    return all;
  }
}
