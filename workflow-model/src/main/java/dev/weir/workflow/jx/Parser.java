package dev.weir.workflow.jx;

import dev.weir.workflow.format.TextPlace;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.jx.Expression.Binary;
import dev.weir.workflow.jx.Expression.Call;
import dev.weir.workflow.jx.Expression.Constant;
import dev.weir.workflow.jx.Expression.Item;
import dev.weir.workflow.jx.Expression.Items;
import dev.weir.workflow.jx.Expression.Lookup;
import dev.weir.workflow.jx.Expression.Loop;
import dev.weir.workflow.jx.Expression.Pair;
import dev.weir.workflow.jx.Expression.Pairs;
import dev.weir.workflow.jx.Expression.Slice;
import dev.weir.workflow.jx.Expression.Symbol;
import dev.weir.workflow.jx.Expression.Unary;
import dev.weir.workflow.jx.Token.Kind;
import dev.weir.workflow.model.WorkflowException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Parses JX by recursive descent. Operators in the order of increasing precedence: {@code or},
 * {@code and}, {@code not}, comparisons, {@code + -}, {@code * / %}, signs, and postfix operators:
 * index, slice, call, method.
 */
final class Parser {

  private static final int MAX_DEPTH = 200;

  /** The operators except those after their operand, in the order of increasing precedence. */
  private static final List<Level> LEVELS =
      List.of(
          new Level(false, Set.of("or")),
          new Level(false, Set.of("and")),
          new Level(true, Set.of("not")),
          new Level(false, Set.of("==", "!=", "<", "<=", ">", ">=")),
          new Level(false, Set.of("+", "-")),
          new Level(false, Set.of("*", "/", "%")),
          new Level(true, Set.of("+", "-")));

  private final WorkflowSource source;
  private final List<Token> tokens;
  private int at;
  private int depth;

  /**
   * Operators of the same precedence.
   *
   * @param isPrefix whether they have one operand, which follows them, instead of two
   */
  private record Level(boolean isPrefix, Set<String> operators) {}

  private Parser(WorkflowSource source, List<Token> tokens) {
    this.source = source;
    this.tokens = tokens;
  }

  static Expression parse(WorkflowSource source) throws WorkflowException {
    Parser parser = new Parser(source, Lexer.tokens(source));
    if (parser.peek().kind() == Kind.END) {
      throw source.problem(
          TextPlace.START, "the file is empty", "write a workflow: {\"rules\": [...]}");
    }
    Expression expression = parser.expression();
    if (parser.peek().kind() != Kind.END) {
      throw parser.unexpected("the end of the file", "remove what follows, or join it");
    }
    return expression;
  }

  private Token peek() {
    return tokens.get(at);
  }

  private Token take() {
    Token token = tokens.get(at);
    if (token.kind() != Kind.END) {
      at++;
    }
    return token;
  }

  private boolean takeIf(String punctuation) {
    boolean matches = peek().is(punctuation);
    if (matches) {
      at++;
    }
    return matches;
  }

  private void require(String punctuation, String remedy) throws WorkflowException {
    if (!takeIf(punctuation)) {
      throw unexpected("'" + punctuation + "'", remedy);
    }
  }

  private WorkflowException unexpected(String expected, String remedy) {
    Token token = peek();
    return source.problem(
        token.place(), token.shown() + " is found where " + expected + " is expected", remedy);
  }

  private Expression expression() throws WorkflowException {
    if (++depth > MAX_DEPTH) {
      throw source.problem(
          peek().place(),
          "the expression is nested more than " + MAX_DEPTH + " deep",
          "move parts of it to \"define\"");
    }
    Expression expression = operation(0);
    depth--;
    return expression;
  }

  private Expression operation(int level) throws WorkflowException {
    if (level == LEVELS.size()) {
      return postfix(primary());
    }
    Set<String> operators = LEVELS.get(level).operators();
    return LEVELS.get(level).isPrefix() ? prefix(level, operators) : infix(level, operators);
  }

  private Expression prefix(int level, Set<String> operators) throws WorkflowException {
    List<Token> found = new ArrayList<>();
    while (isOneOf(operators)) {
      found.add(take());
    }
    Expression operand = operation(level + 1);
    for (int i = found.size() - 1; i >= 0; i--) {
      operand = new Unary(found.get(i).text(), operand, found.get(i).place());
    }
    return operand;
  }

  private Expression infix(int level, Set<String> operators) throws WorkflowException {
    Expression left = operation(level + 1);
    while (isOneOf(operators)) {
      Token operator = take();
      left = new Binary(operator.text(), left, operation(level + 1), operator.place());
    }
    return left;
  }

  private boolean isOneOf(Set<String> operators) {
    Token token = peek();
    return token.kind() != Kind.STRING && operators.contains(token.text());
  }

  private Expression postfix(Expression first) throws WorkflowException {
    Expression value = first;
    while (true) {
      Token token = peek();
      if (takeIf("[")) {
        value = index(value, token.place());
      } else if (token.is("(")) {
        if (!(value instanceof Symbol function)) {
          throw source.problem(
              token.place(), "only a function can be called", "put its name before the '('");
        }
        at++;
        value = new Call(function.name(), arguments(), function.place());
      } else if (takeIf(".")) {
        Token method = take();
        if (method.kind() != Kind.SYMBOL) {
          at--;
          throw unexpected("the name of a function", "write it as in list.len()");
        }
        require("(", "write the arguments in parentheses");
        List<Expression> arguments = new ArrayList<>(List.of(value));
        arguments.addAll(arguments());
        value = new Call(method.text(), arguments, method.place());
      } else {
        return value;
      }
    }
  }

  private Expression index(Expression target, TextPlace place) throws WorkflowException {
    if (takeIf(":")) {
      Expression to = peek().is("]") ? null : expression();
      require("]", "close the slice");
      return new Slice(target, null, to, place);
    }
    Expression key = expression();
    if (takeIf(":")) {
      Expression to = peek().is("]") ? null : expression();
      require("]", "close the slice");
      return new Slice(target, key, to, place);
    }
    require("]", "close the index");
    return new Lookup(target, key, place);
  }

  private List<Expression> arguments() throws WorkflowException {
    List<Expression> arguments = new ArrayList<>();
    while (!takeIf(")")) {
      arguments.add(expression());
      if (!takeIf(",") && !peek().is(")")) {
        throw unexpected("',' or ')'", "separate arguments by commas and close the parenthesis");
      }
    }
    return arguments;
  }

  private Expression primary() throws WorkflowException {
    Token token = take();
    TextPlace place = token.place();
    return switch (token.kind()) {
      case STRING -> new Constant(new Value.Text(token.text(), place));
      case INTEGER -> new Constant(whole(token));
      case REAL -> new Constant(new Value.Real(Double.parseDouble(token.text()), place));
      case SYMBOL -> symbol(token);
      default -> bracketed(token);
    };
  }

  private Expression bracketed(Token token) throws WorkflowException {
    TextPlace place = token.place();
    if (token.is("(")) {
      Expression inner = expression();
      require(")", "close the parenthesis of " + place);
      return inner;
    }
    if (token.is("[")) {
      return items(place);
    }
    if (token.is("{")) {
      return pairs(place);
    }
    at -= token.kind() == Kind.END ? 0 : 1;
    throw unexpected("a value", "write a string, a number, a name, a list or an object");
  }

  private Value whole(Token token) throws WorkflowException {
    try {
      return new Value.Whole(Long.parseLong(token.text()), token.place());
    } catch (NumberFormatException e) {
      throw new WorkflowException(
          source.name(),
          token.place().toString(),
          "the number " + token.text() + " is too big",
          "write one below 9223372036854775808",
          e);
    }
  }

  private Expression symbol(Token token) throws WorkflowException {
    TextPlace place = token.place();
    return switch (token.text()) {
      case "true", "false" -> new Constant(new Value.Bool(token.isWord("true"), place));
      case "null" -> new Constant(new Value.Nothing(place));
      case "for", "if", "in", "and", "or", "not" -> {
        at--;
        throw unexpected("a value", "put a value before it");
      }
      default -> new Symbol(token.text(), place);
    };
  }

  private Expression items(TextPlace place) throws WorkflowException {
    List<Item> items = new ArrayList<>();
    while (!takeIf("]")) {
      Expression body = expression();
      items.add(new Item(body, loops()));
      if (!takeIf(",") && !peek().is("]")) {
        throw unexpected(
            "',' or ']'", "separate elements by commas and close the list of " + place);
      }
    }
    return new Items(items, place);
  }

  private List<Loop> loops() throws WorkflowException {
    List<Loop> loops = new ArrayList<>();
    while (peek().isWord("for")) {
      TextPlace place = take().place();
      Token variable = take();
      if (variable.kind() != Kind.SYMBOL) {
        at -= variable.kind() == Kind.END ? 0 : 1;
        throw unexpected("the name of a variable", "write it as in x for x in range(3)");
      }
      if (!peek().isWord("in")) {
        throw unexpected("'in'", "write it as in x for x in range(3)");
      }
      take();
      Expression elements = expression();
      Expression condition = null;
      if (peek().isWord("if")) {
        take();
        condition = expression();
      }
      loops.add(new Loop(variable.text(), elements, condition, place));
    }
    return loops;
  }

  private Expression pairs(TextPlace place) throws WorkflowException {
    List<Pair> pairs = new ArrayList<>();
    while (!takeIf("}")) {
      Expression key = expression();
      require(":", "write pairs as \"key\": value");
      pairs.add(new Pair(key, expression()));
      if (!takeIf(",") && !peek().is("}")) {
        throw unexpected("',' or '}'", "separate pairs by commas and close the object of " + place);
      }
    }
    return new Pairs(pairs, place);
  }
}
