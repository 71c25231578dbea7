package dev.weir.workflow.pegasus;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.List;

/** Splits a line of arguments into words like a shell, with quotes but without expansion. */
final class Words {

  private Words() {}

  static List<String> split(String line, WorkflowSource source, TextPlace place)
      throws WorkflowException {
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean open = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (c == '\\' && quote != '\'' && i + 1 < line.length()) {
        char next = line.charAt(i + 1);
        boolean keeps = quote == '"' && "\"\\$`".indexOf(next) < 0;
        word.append(keeps ? "\\" : "").append(next);
        open = true;
        i++;
      } else if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        open = true;
      } else if (Character.isWhitespace(c)) {
        if (open) {
          words.add(word.toString());
          word.setLength(0);
          open = false;
        }
      } else {
        word.append(c);
        open = true;
      }
    }
    if (quote != 0) {
      throw source.problem(
          place, "a quote in the arguments has no end: " + line.strip(), "close it with " + quote);
    }
    if (open) {
      words.add(word.toString());
    }
    return words;
  }
}
