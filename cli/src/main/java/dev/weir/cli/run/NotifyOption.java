package dev.weir.cli.run;

import dev.weir.workflow.client.RunRequest;
import dev.weir.workflow.delivery.RunNotice;
import dev.weir.workflow.delivery.Webhook;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.Spec.Target;

/** The webhook or command that is notified of the end of a run. */
final class NotifyOption {

  /** A command that takes longer is killed. */
  private static final long COMMAND_SECONDS = 60;

  @Spec(Target.MIXEE)
  private CommandSpec spec;

  @Option(
      names = "--notify",
      paramLabel = "URL|COMMAND",
      description =
          "Notified when the run ends, with success or failure: a webhook, to which the"
              + " ApplicationMaster posts JSON, or a shell command, which runs here with"
              + " WEIR_STATE, WEIR_FAILURE and more as variables. Neither changes the exit code.")
  private @Nullable String notified;

  /**
   * Checks the option.
   *
   * @param detached whether the command does not wait for the run
   * @param inSession whether a session runs the workflow, which gets no secrets
   * @throws ParameterException if the notification could not be sent
   */
  void check(boolean detached, boolean inSession) {
    String named = notified;
    if (named == null) {
      return;
    }
    boolean isWebhook = Webhook.isWebhook(named);
    if (isWebhook) {
      Webhook unused = webhook(named);
    }
    if (detached && !isWebhook) {
      throw new ParameterException(
          spec.commandLine(),
          "--notify with a command needs a 'weir run' that waits: leave out --detach, or give the"
              + " URL of a webhook");
    }
    if (detached && inSession) {
      throw new ParameterException(
          spec.commandLine(),
          "--notify gives a session no webhook, because its URL may be secret: leave out --detach"
              + " or --session");
    }
  }

  private Webhook webhook(String url) {
    try {
      return Webhook.of(url);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), "--notify: " + e.getMessage(), e);
    }
  }

  /** Gives the webhook to the run's ApplicationMaster. */
  RunRequest with(RunRequest request) {
    String named = notified;
    return named != null && Webhook.isWebhook(named)
        ? request.withWebhook(webhook(named))
        : request;
  }

  /**
   * Sends the notification, unless the ApplicationMaster sends it. Failures are printed only.
   *
   * @param inSession whether a session ran it
   */
  void tell(RunNotice notice, boolean inSession, PrintWriter err) throws InterruptedException {
    String named = notified;
    if (named == null) {
      return;
    }
    if (!Webhook.isWebhook(named)) {
      run(named, notice, COMMAND_SECONDS, err);
    } else if (inSession) {
      webhook(named).post(notice).await().ifPresent(err::println);
    }
  }

  /** Runs a command, and kills it when it takes too long. */
  static void run(String command, RunNotice notice, long seconds, PrintWriter err)
      throws InterruptedException {
    ProcessBuilder builder =
        new ProcessBuilder("/bin/sh", "-c", command)
            .inheritIO()
            .redirectInput(new File("/dev/null"));
    builder.environment().putAll(notice.toEnvironment());
    try {
      Process process = builder.start();
      if (!process.waitFor(seconds, TimeUnit.SECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        err.println("The command of --notify was killed after " + seconds + " s");
      } else if (process.exitValue() != 0) {
        err.println("The command of --notify ended with exit code " + process.exitValue());
      }
    } catch (IOException e) {
      err.println("The command of --notify cannot be started: " + e.getMessage());
    }
  }
}
