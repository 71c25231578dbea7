package dev.weir.workflow.reuse;

import java.util.Map;

/**
 * What commands of a run read besides their files.
 *
 * @param tools the installed programs that tasks name, by {@link InstalledTools}
 * @param standIn whether stand-ins replace the commands
 */
public record CommandContext(
    Map<String, String> environment, Map<String, String> tools, boolean standIn) {

  public CommandContext {
    environment = Map.copyOf(environment);
    tools = Map.copyOf(tools);
  }
}
