package dev.weir.workflow.makeflow;

import dev.weir.workflow.format.FileMention;
import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.makeflow.Variables.Reader;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A rule while it is read. Not thread-safe. */
final class RuleDraft {

  /** A file and its name in the sandbox. */
  record RuleFile(FileMention mention, String sandboxName) {}

  final int number;
  final TextPlace place;
  final List<RuleFile> outputs = new ArrayList<>();
  final List<RuleFile> inputs = new ArrayList<>();
  final Map<String, String> own = new HashMap<>();
  String category;
  String command = "";

  RuleDraft(int number, TextPlace place, String category) {
    this.number = number;
    this.place = place;
    this.category = category;
  }

  Reader reader() {
    return new Reader(number, category, own);
  }
}
