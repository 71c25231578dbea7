package dev.weir.it.run;

import java.util.Optional;

/** Java processes of containers. */
final class Processes {
  private Processes() {}

  /** The nearest ancestor that runs a Java main class. */
  static ProcessHandle ancestor(long pid, String mainClass) {
    Optional<ProcessHandle> at = ProcessHandle.of(pid);
    while (at.isPresent() && !runs(at.get(), mainClass)) {
      at = at.get().parent();
    }
    return at.orElseThrow(() -> new AssertionError("No " + mainClass + " above " + pid));
  }

  /** The process that runs a Java main class and has a text in its command line. */
  static ProcessHandle containing(String mainClass, String text) {
    return ProcessHandle.allProcesses()
        .filter(process -> runs(process, mainClass) && commandLine(process).contains(text))
        .findFirst()
        .orElseThrow(() -> new AssertionError("No " + mainClass + " of " + text));
  }

  static String commandLine(ProcessHandle process) {
    return process.info().commandLine().orElse("");
  }

  private static boolean runs(ProcessHandle process, String mainClass) {
    return process.info().command().orElse("").endsWith("/java")
        && commandLine(process).contains(mainClass);
  }
}
