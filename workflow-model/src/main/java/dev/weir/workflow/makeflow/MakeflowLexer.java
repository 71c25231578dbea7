package dev.weir.workflow.makeflow;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.makeflow.Variables.Reader;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the lines of a Makeflow: lists of files, commands and values. Each has its own rules for
 * quotes and backslashes, which are those of Makeflow's lexer. A backslash before the line break
 * continues a line.
 */
final class MakeflowLexer {

  private static final int MAX_DEPTH = 32;
  private static final String NAME_ENDS = "\\\"'$#\n\t ,.-(){}[]<>=+!?/:;|&\0";
  private static final String CONTROLS = "abfnrtv";
  private static final String CONTROLLED = "\u0007\b\f\n\r\t\u000B";

  private final WorkflowSource source;
  private final Variables variables;

  MakeflowLexer(WorkflowSource source, Variables variables) {
    this.source = source;
    this.variables = variables;
  }

  /** A word of a list of files. */
  record Word(Kind kind, String text, TextPlace place) {
    enum Kind {
      NAME,
      COLON,
      ARROW
    }
  }

  /** Reads a list of files and moves to the next line. */
  List<Word> files(Cursor cursor, Reader reader) throws WorkflowException {
    List<Word> words = new ArrayList<>();
    FileWords into = new FileWords(words);
    files(cursor, reader, into, 0);
    into.end();
    cursor.next();
    return words;
  }

  /** Collects the characters of names. Adjacent parts form one name. */
  private static final class FileWords {
    private final List<Word> words;
    private final StringBuilder name = new StringBuilder();
    private TextPlace place = TextPlace.START;
    private boolean open;

    FileWords(List<Word> words) {
      this.words = words;
    }

    void add(char c, TextPlace at) {
      begin(at);
      name.append(c);
    }

    void begin(TextPlace at) {
      if (!open) {
        open = true;
        place = at;
      }
    }

    void end() {
      if (open) {
        words.add(new Word(Word.Kind.NAME, name.toString(), place));
        name.setLength(0);
        open = false;
      }
    }

    void sign(Word.Kind kind, String text, TextPlace at) {
      end();
      words.add(new Word(kind, text, at));
    }
  }

  private void files(Cursor cursor, Reader reader, FileWords into, int depth)
      throws WorkflowException {
    while (!cursor.atEnd() && cursor.peek() != '\n') {
      TextPlace place = cursor.place();
      char c = cursor.next();
      switch (c) {
        case '#' -> cursor.restOfLine();
        case ' ', '\t' -> into.end();
        case ':' -> into.sign(Word.Kind.COLON, ":", place);
        case '\\' -> {
          char escaped = cursor.next();
          if (escaped == '\n') {
            into.end();
          } else if (escaped != Cursor.END) {
            into.add(escaped, place);
          }
        }
        case '\'', '"' -> {
          into.begin(place);
          for (char quoted = cursor.next(); quoted != c; quoted = cursor.next()) {
            requireNotAtEnd(cursor, quoted, c, place);
            into.add(quoted, place);
          }
        }
        case '$' -> files(value(cursor, reader, place, depth), reader, into, depth + 1);
        default -> {
          if (c == '-' && cursor.peek() == '>') {
            cursor.next();
            into.sign(Word.Kind.ARROW, "->", place);
          } else {
            into.add(c, place);
          }
        }
      }
    }
  }

  private void requireNotAtEnd(Cursor cursor, char read, char quote, TextPlace start)
      throws WorkflowException {
    if (read == Cursor.END && cursor.atEnd()) {
      throw source.problem(
          start, "the quote that begins here has no end", "close it with " + quote);
    }
  }

  /** Reads a command and moves to the next line. */
  String command(Cursor cursor, Reader reader) throws WorkflowException {
    StringBuilder command = new StringBuilder();
    command(cursor, reader, command, 0);
    cursor.next();
    return command.toString().strip();
  }

  private void command(Cursor cursor, Reader reader, StringBuilder into, int depth)
      throws WorkflowException {
    while (!cursor.atEnd() && cursor.peek() != '\n') {
      TextPlace place = cursor.place();
      char c = cursor.next();
      switch (c) {
        case '#' -> cursor.restOfLine();
        case '\\' -> {
          char escaped = cursor.next();
          into.append(escaped == '\n' || escaped == Cursor.END ? ' ' : escaped);
        }
        case '\'' -> singleQuoted(cursor, into, place);
        case '"' -> doubleQuoted(cursor, reader, into, place);
        case '$' -> command(value(cursor, reader, place, depth), reader, into, depth + 1);
        default -> into.append(c);
      }
    }
  }

  /** Reads a quoted text with its quotes, which the shell needs. */
  private void singleQuoted(Cursor cursor, StringBuilder into, TextPlace start)
      throws WorkflowException {
    into.append('\'');
    for (char c = cursor.next(); c != '\''; c = cursor.next()) {
      requireNotAtEnd(cursor, c, '\'', start);
      if (c == '\\') {
        char escaped = cursor.next();
        requireNotAtEnd(cursor, escaped, '\'', start);
        into.append(escaped == '\n' ? ' ' : escaped);
      } else {
        into.append(c);
      }
    }
    into.append('\'');
  }

  /** Reads a quoted text with its quotes and replaces variables. */
  private void doubleQuoted(Cursor cursor, Reader reader, StringBuilder into, TextPlace start)
      throws WorkflowException {
    into.append('"');
    TextPlace place = cursor.place();
    for (char c = cursor.next(); c != '"'; c = cursor.next()) {
      requireNotAtEnd(cursor, c, '"', start);
      if (c == '\\') {
        char escaped = cursor.next();
        requireNotAtEnd(cursor, escaped, '"', start);
        into.append(unescaped(escaped));
      } else if (c == '$') {
        into.append(text(cursor, reader, place));
      } else {
        into.append(c);
      }
      place = cursor.place();
    }
    into.append('"');
  }

  private static char unescaped(char c) {
    int control = CONTROLS.indexOf(c);
    if (control >= 0) {
      return CONTROLLED.charAt(control);
    }
    return c == '\n' ? ' ' : c;
  }

  /** Reads the value of a variable with its quotes, and moves to the next line. */
  String value(Cursor cursor, Reader reader) throws WorkflowException {
    StringBuilder value = new StringBuilder();
    cursor.skipBlanks();
    while (!cursor.atEnd() && cursor.peek() != '\n') {
      TextPlace place = cursor.place();
      char c = cursor.next();
      switch (c) {
        case '#' -> cursor.restOfLine();
        case '\\' -> {
          char escaped = cursor.next();
          value.append(escaped == Cursor.END ? ' ' : unescaped(escaped));
        }
        case '\'' -> singleQuoted(cursor, value, place);
        case '"' -> doubleQuoted(cursor, reader, value, place);
        case '$' -> value.append(text(cursor, reader, place));
        default -> value.append(c);
      }
    }
    cursor.next();
    return value.toString().stripTrailing();
  }

  private Cursor value(Cursor cursor, Reader reader, TextPlace place, int depth)
      throws WorkflowException {
    if (depth >= MAX_DEPTH) {
      throw source.problem(
          place,
          "variables refer to each other more than " + MAX_DEPTH + " deep",
          "give one of them a value without variables");
    }
    return Cursor.ofValue(text(cursor, reader, place), place);
  }

  /** Returns the value of the variable whose name follows. */
  private String text(Cursor cursor, Reader reader, TextPlace place) throws WorkflowException {
    char open = cursor.peek();
    char close = open == '(' ? ')' : open == '{' ? '}' : Cursor.END;
    if (close != Cursor.END) {
      cursor.next();
    }
    StringBuilder name = new StringBuilder();
    while (NAME_ENDS.indexOf(cursor.peek()) < 0) {
      name.append(cursor.next());
    }
    if (name.isEmpty() || (close != Cursor.END && cursor.next() != close)) {
      throw source.problem(
          place,
          "no name of a variable follows the '$'",
          "write $(NAME) for a variable of this file, \\$ for one of the shell");
    }
    return variables
        .find(reader, name.toString())
        .orElseThrow(
            () ->
                source.problem(
                    place,
                    "the variable " + name + " is not defined here",
                    "define it above, as in "
                        + name
                        + "=value, or write \\$"
                        + name
                        + " if the shell is to replace it"));
  }
}
