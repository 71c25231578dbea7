package dev.weir.cli.doctor;

import dev.weir.cli.doctor.Finding.Level;
import dev.weir.cli.doctor.Finding.Setting;
import dev.weir.cli.doctor.Finding.Step;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Collects the findings of a check in reading order. Not thread-safe. */
final class Findings {

  private final String subject;
  private final List<Finding> all;

  Findings(String subject) {
    this(subject, new ArrayList<>());
  }

  private Findings(String subject, List<Finding> all) {
    this.subject = subject;
    this.all = all;
  }

  /** Runs a check. One that fails has a finding about that. */
  static List<Finding> of(Check check) {
    Findings findings = new Findings(check.subject());
    try {
      check.examine(findings);
    } catch (IOException | RuntimeException e) {
      String reason =
          e.getMessage() == null ? e.toString() : e.getMessage().lines().findFirst().orElse("");
      findings.all.clear();
      findings.unknown(
          "could not be asked: " + reason, "see that it runs and can be reached from here");
    }
    return List.copyOf(findings.all);
  }

  List<Finding> all() {
    return List.copyOf(all);
  }

  /** Returns a collector of findings about something else, which come with these. */
  Findings about(String other) {
    return new Findings(other, all);
  }

  void fine(String text) {
    add(new Finding(Level.FINE, subject, text, "", Step.OTHER, null));
  }

  Findings note(String text, String remedy) {
    return add(new Finding(Level.NOTE, subject, text, remedy, Step.OTHER, null));
  }

  Findings unknown(String text, String remedy) {
    return add(new Finding(Level.UNKNOWN, subject, text, remedy, Step.OTHER, null));
  }

  Findings wrong(String text, String remedy) {
    return add(new Finding(Level.WRONG, subject, text, remedy, Step.OTHER, null));
  }

  private Findings add(Finding finding) {
    all.add(finding);
    return this;
  }

  /** Sets the step in which the remedy of the last finding is applied. */
  void in(Step step) {
    all.add(all.remove(all.size() - 1).in(step));
  }

  /** Makes a setting of a daemon the remedy of the last finding. */
  void setting(String file, String key, String value) {
    all.add(all.remove(all.size() - 1).setting(new Setting(file, key, value)));
  }
}
