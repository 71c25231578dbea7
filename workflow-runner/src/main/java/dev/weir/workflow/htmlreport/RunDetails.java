package dev.weir.workflow.htmlreport;

import java.util.List;
import java.util.Map;

/**
 * What a report shows of a run beside its record.
 *
 * @param standIn whether stand-ins replaced the commands
 * @param commands the commands by task id, as far as they are known
 * @param hints the hints by file id, in their short form
 */
public record RunDetails(
    boolean standIn, Map<String, List<String>> commands, Map<String, String> hints) {

  /** Nothing is known beside the record. */
  public static final RunDetails NONE = new RunDetails(false, Map.of(), Map.of());

  /** Copies the maps. */
  public RunDetails {
    commands = Map.copyOf(commands);
    hints = Map.copyOf(hints);
  }
}
