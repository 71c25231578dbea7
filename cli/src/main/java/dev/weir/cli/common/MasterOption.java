package dev.weir.cli.common;

import dev.weir.workflow.yarn.MasterMemory;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The option for the memory of the ApplicationMaster, for all commands that start one. */
public final class MasterOption {

  @Spec(Spec.Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--master-memory",
      paramLabel = "MIB",
      defaultValue = "" + MasterMemory.LEAST_MEGABYTES,
      description =
          "Memory of the ApplicationMaster's container in MiB (default and minimum:"
              + " ${DEFAULT-VALUE}). Five eighths are its heap. Give more for workflows of more than"
              + " about 100,000 tasks.")
  private int megabytes;

  /** Returns the memory. */
  public MasterMemory memory() {
    return Usage.checked(spec, () -> new MasterMemory(megabytes));
  }
}
