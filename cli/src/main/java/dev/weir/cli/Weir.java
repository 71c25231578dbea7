package dev.weir.cli;

import dev.weir.cli.cluster.ClusterCommand;
import dev.weir.cli.common.ExitCode;
import dev.weir.cli.common.Failures;
import dev.weir.cli.common.SectionedHelp;
import dev.weir.cli.demo.DemoCommand;
import dev.weir.cli.doctor.DoctorCommand;
import dev.weir.cli.gather.GatherCommand;
import dev.weir.cli.hints.ExplainCommand;
import dev.weir.cli.hints.HintsCommand;
import dev.weir.cli.hints.LocateCommand;
import dev.weir.cli.hints.ProvenanceCommand;
import dev.weir.cli.jobs.JobCommand;
import dev.weir.cli.jobs.MakeflowCommand;
import dev.weir.cli.jobs.SessionCommand;
import dev.weir.cli.run.InitCommand;
import dev.weir.cli.run.RunCommand;
import dev.weir.cli.server.ServerCommand;
import dev.weir.cli.steer.AddCommand;
import dev.weir.cli.steer.CancelCommand;
import dev.weir.cli.steer.GetCommand;
import dev.weir.cli.steer.LogsCommand;
import dev.weir.cli.steer.PauseCommand;
import dev.weir.cli.steer.PrioritiseCommand;
import dev.weir.cli.steer.ReportCommand;
import dev.weir.cli.steer.ResumeCommand;
import dev.weir.cli.steer.RetryCommand;
import dev.weir.cli.steer.RunStatusCommand;
import dev.weir.cli.steer.RunsCommand;
import dev.weir.cli.steer.TaskShellCommand;
import dev.weir.cli.workflow.WorkflowCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.BooleanSupplier;
import org.apache.hadoop.util.ShutdownHookManager;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** The root of the {@code weir} command; sub-commands carry the work. */
@Command(
    name = Weir.NAME,
    description = "Makes a stock Hadoop cluster workflow-aware.",
    versionProvider = VersionLines.class,
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Example:",
      "  weir demo --nodes 4      a Montage mosaic on a cluster of this machine",
      "  weir help COMMAND        what a command takes, with an example"
    })
public final class Weir {
  /** The name of the program, with which error messages begin. */
  static final String NAME = "weir";

  /** The sub-commands by name, as help lists them. */
  private static final Map<String, Class<?>> COMMANDS = new LinkedHashMap<>();

  static {
    COMMANDS.put("cluster", ClusterCommand.class);
    COMMANDS.put("init", InitCommand.class);
    COMMANDS.put("run", RunCommand.class);
    COMMANDS.put("runs", RunsCommand.class);
    COMMANDS.put("status", RunStatusCommand.class);
    COMMANDS.put("logs", LogsCommand.class);
    COMMANDS.put("report", ReportCommand.class);
    COMMANDS.put("get", GetCommand.class);
    COMMANDS.put("shell", TaskShellCommand.class);
    COMMANDS.put("add", AddCommand.class);
    COMMANDS.put("pause", PauseCommand.class);
    COMMANDS.put("resume", ResumeCommand.class);
    COMMANDS.put("cancel", CancelCommand.class);
    COMMANDS.put("prioritise", PrioritiseCommand.class);
    COMMANDS.put("retry", RetryCommand.class);
    COMMANDS.put("workflow", WorkflowCommand.class);
    COMMANDS.put("session", SessionCommand.class);
    COMMANDS.put("job", JobCommand.class);
    COMMANDS.put("makeflow", MakeflowCommand.class);
    COMMANDS.put("hints", HintsCommand.class);
    COMMANDS.put("explain", ExplainCommand.class);
    COMMANDS.put("locate", LocateCommand.class);
    COMMANDS.put("provenance", ProvenanceCommand.class);
    COMMANDS.put("gather", GatherCommand.class);
    COMMANDS.put("server", ServerCommand.class);
    COMMANDS.put("doctor", DoctorCommand.class);
    COMMANDS.put("demo", DemoCommand.class);
    COMMANDS.put("completion", CompletionCommand.class);
    COMMANDS.put("version", VersionCommand.class);
  }

  @Mixin(name = Failures.MIXIN)
  private Failures failures;

  private final BooleanSupplier ending;

  private Weir(BooleanSupplier ending) {
    this.ending = ending;
  }

  /**
   * Runs the command and ends the process with one of the exit codes of {@link ExitCode}.
   *
   * @param args the command line without the program's name
   */
  public static void main(String[] args) {
    CommandLine weir = commandLineFor(args).setOut(StandardOutput.writer());
    // The daemon threads of Hadoop clients would otherwise keep a finished command alive.
    Runtime.getRuntime().exit(weir.execute(args));
  }

  /**
   * The whole command tree, ready to be executed or asked for its help.
   *
   * @return a new command line; not safe for use by several threads
   */
  public static CommandLine commandLine() {
    return commandLine(Weir::isEnding);
  }

  /**
   * Returns the part of the command tree that a command line needs, because reading the annotations
   * of all commands takes several tenths of a second.
   *
   * @return the subcommand that they begin with; the whole tree if they begin with an option or an
   *     unknown word, and for help and the completion script
   */
  static CommandLine commandLineFor(String... args) {
    String name = args.length == 0 ? "" : args[0];
    Class<?> only = COMMANDS.get(name);
    return only == null || only == CompletionCommand.class
        ? commandLine()
        : commandLine(Weir::isEnding, Map.of(name, only));
  }

  private static boolean isEnding() {
    return ShutdownHookManager.get().isShutdownInProgress();
  }

  /**
   * Returns the whole command tree.
   *
   * @param ending returns whether a signal is ending the process
   */
  static CommandLine commandLine(BooleanSupplier ending) {
    return commandLine(ending, COMMANDS);
  }

  private static CommandLine commandLine(BooleanSupplier ending, Map<String, Class<?>> commands) {
    Weir root = new Weir(ending);
    CommandLine commandLine = new CommandLine(root);
    commands.forEach(commandLine::addSubcommand);
    commandLine.addSubcommand(new CommandLine.HelpCommand());
    commandLine.setHelpFactory(SectionedHelp::new);
    commandLine.setCaseInsensitiveEnumValuesAllowed(true);
    commandLine.setParameterExceptionHandler((wrong, args) -> WrongUsage.report(wrong));
    commandLine.setExecutionExceptionHandler(
        (failure, command, parsed) -> root.report(failure, command));
    commandLine.setExecutionStrategy(
        parsed -> printed(new CommandLine.RunLast().execute(parsed), commandLine));
    return commandLine;
  }

  /** Fails a command whose output could not be written, for example to a full disk. */
  private static int printed(int code, CommandLine commandLine) {
    if (!commandLine.getOut().checkError()) {
      return code;
    }
    Failures.complain(
        NAME,
        "the output could not be written to the end: check the free space of the device",
        commandLine.getErr());
    return code == ExitCode.DONE ? ExitCode.FAILED : code;
  }

  private int report(Exception failure, CommandLine command) {
    // While a signal ends the process, commands fail because file systems are closed.
    if (failures.areTraced() || !ending.getAsBoolean()) {
      failures.tell(NAME, failure, command.getErr());
    }
    return ExitCode.of(failure);
  }
}
