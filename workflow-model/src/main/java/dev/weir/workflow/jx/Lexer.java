package dev.weir.workflow.jx;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.jx.Token.Kind;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Splits JX into tokens. Comments extend from {@code #} to the end of the line. */
final class Lexer {

  private static final Set<String> TWO = Set.of("==", "!=", "<=", ">=");
  private static final String ONE = "{}[](),:.+-*/%<>";

  private final WorkflowSource source;
  private final String text;
  private int at;
  private int line = 1;
  private int lineStart;

  private Lexer(WorkflowSource source) {
    this.source = source;
    this.text = source.text();
  }

  static List<Token> tokens(WorkflowSource source) throws WorkflowException {
    Lexer lexer = new Lexer(source);
    List<Token> tokens = new ArrayList<>();
    Token token;
    do {
      token = lexer.next();
      tokens.add(token);
    } while (token.kind() != Kind.END);
    return tokens;
  }

  private TextPlace place() {
    return new TextPlace(line, at - lineStart + 1);
  }

  private Token next() throws WorkflowException {
    skipSpace();
    TextPlace place = place();
    if (at == text.length()) {
      return new Token(Kind.END, "", place);
    }
    char c = text.charAt(at);
    if (c == '"') {
      return new Token(Kind.STRING, string(place), place);
    }
    if (isDigit(c)) {
      return number(place);
    }
    if (isLetter(c)) {
      int start = at;
      while (at < text.length() && (isLetter(text.charAt(at)) || isDigit(text.charAt(at)))) {
        at++;
      }
      return new Token(Kind.SYMBOL, text.substring(start, at), place);
    }
    if (at + 1 < text.length() && TWO.contains(text.substring(at, at + 2))) {
      at += 2;
      return new Token(Kind.PUNCTUATION, text.substring(at - 2, at), place);
    }
    if (ONE.indexOf(c) >= 0) {
      at++;
      return new Token(Kind.PUNCTUATION, String.valueOf(c), place);
    }
    throw source.problem(
        place,
        "the character '" + Character.toString(text.codePointAt(at)) + "' has no meaning in JX",
        c == '\'' ? "write strings in double quotes" : "remove it, or put it into a string");
  }

  private void skipSpace() {
    while (at < text.length()) {
      char c = text.charAt(at);
      if (c == '#') {
        while (at < text.length() && text.charAt(at) != '\n') {
          at++;
        }
      } else if (Character.isWhitespace(c)) {
        at++;
        if (c == '\n') {
          line++;
          lineStart = at;
        }
      } else {
        return;
      }
    }
  }

  private static boolean isLetter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private Token number(TextPlace place) {
    int start = at;
    skipDigits();
    boolean real = false;
    if (at + 1 < text.length() && text.charAt(at) == '.' && isDigit(text.charAt(at + 1))) {
      real = true;
      at++;
      skipDigits();
    }
    if (at < text.length() && (text.charAt(at) == 'e' || text.charAt(at) == 'E')) {
      int mark = at;
      at++;
      if (at < text.length() && (text.charAt(at) == '+' || text.charAt(at) == '-')) {
        at++;
      }
      int digits = at;
      skipDigits();
      real |= at > digits;
      at = at > digits ? at : mark;
    }
    return new Token(real ? Kind.REAL : Kind.INTEGER, text.substring(start, at), place);
  }

  private void skipDigits() {
    while (at < text.length() && isDigit(text.charAt(at))) {
      at++;
    }
  }

  private String string(TextPlace start) throws WorkflowException {
    StringBuilder value = new StringBuilder();
    at++;
    while (at < text.length() && text.charAt(at) != '"') {
      char c = text.charAt(at);
      if (c == '\\') {
        value.append(escaped());
        continue;
      }
      value.append(c);
      at++;
      if (c == '\n') {
        line++;
        lineStart = at;
      }
    }
    if (at == text.length()) {
      throw source.problem(start, "the string that begins here has no end", "close it with '\"'");
    }
    at++;
    return value.toString();
  }

  private char escaped() throws WorkflowException {
    TextPlace place = place();
    at += 2;
    if (at > text.length()) {
      throw source.problem(place, "the file ends after a backslash", "finish the string");
    }
    char c = text.charAt(at - 1);
    return switch (c) {
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> unicode(place);
      default -> c;
    };
  }

  private char unicode(TextPlace place) throws WorkflowException {
    if (at + 4 > text.length() || !text.substring(at, at + 4).matches("[0-9a-fA-F]{4}")) {
      throw source.problem(
          place, "\\u is not followed by four hexadecimal digits", "write it as in \\u00e9");
    }
    at += 4;
    return (char) Integer.parseInt(text.substring(at - 4, at), 16);
  }
}
