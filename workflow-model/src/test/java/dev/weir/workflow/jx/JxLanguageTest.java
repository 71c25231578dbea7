package dev.weir.workflow.jx;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.weir.workflow.format.ImportSettings;
import dev.weir.workflow.format.WorkflowSource;
import dev.weir.workflow.model.WorkflowException;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The language, with the examples of its manual among others. */
class JxLanguageTest {

  private static final String CONTEXT =
      """
      {"x": 10, "y": 20, "a": true, "b": false, "f": 0.5, "name": "mydata", "ID": 10, "N": 48,
       "list": [100, 200, 300], "object": {"house": "home"}, "twice": x * 2, "loop": loop + 1,
       "rows": [{"x": 0, "y": "test", "z": 1.0}, {"x": 1, "y": "example", "z": 0.0}]}
      """;

  private static Value evaluate(String text) throws WorkflowException {
    WorkflowSource source = source(text);
    WorkflowSource context = source(CONTEXT);
    Map<String, Expression> names =
        ((Expression.Pairs) Parser.parse(context))
            .pairs().stream()
                .collect(
                    Collectors.toMap(
                        pair -> ((Expression.Constant) pair.key()).value().shown(),
                        Expression.Pair::value));
    return new Evaluator(source).evaluate(Parser.parse(source), Scope.of(names));
  }

  private static WorkflowSource source(String text) {
    return new WorkflowSource("w.jx", text, null, ImportSettings.NONE);
  }

  private static String json(Value value) {
    if (value instanceof Value.Array array) {
      return array.values().stream()
          .map(JxLanguageTest::json)
          .collect(Collectors.joining(",", "[", "]"));
    }
    if (value instanceof Value.Table table) {
      return table.values().entrySet().stream()
          .map(entry -> entry.getKey() + ":" + json(entry.getValue()))
          .collect(Collectors.joining(",", "{", "}"));
    }
    return value.shown();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "09631 | 9631",
        "3.5 | 3.5",
        "1e3 | 1000",
        "\"a\\u00e9\\n\\\"b\\\"\" | aé¶\"b\"",
        "[1, 2, 3,] | [1,2,3]",
        "x + y * 2 | 50",
        "(x + y) * 2 | 60",
        "7 / 2 | 3",
        "-7 / 2 | -3",
        "-7 % 3 | -1",
        "7 / 2.0 | 3.5",
        "1/3.0 | 0.333333",
        "1000000.0 * 10 | 1e+07",
        "0.00001 + 0 | 1e-05",
        "- x + 1 | -9",
        "--x | 10",
        "+\"a\" | a",
        "\"123\" + \"4\" | 1234",
        "\"123\" + 4 | 1234",
        "1.5 + \"s\" + true | 1.5strue",
        "[1] + [2] | [1,2]",
        "1 == 1.0 | true",
        "1 == \"1\" | false",
        "null == null | true",
        "[1, {\"a\": 2}] == [1, {\"a\": 2}] | true",
        "1 != \"1\" | true",
        "\"abc\" < \"abd\" | true",
        "x >= 10 and not b or b | true",
        "not a == b | true",
        "list[0] | 100",
        "list[-1] | 300",
        "object[\"house\"] | home",
        "range(10)[:3] | [0,1,2]",
        "range(10)[4:] | [4,5,6,7,8,9]",
        "range(10)[3:7] | [3,4,5,6]",
        "range(10)[-2:] | [8,9]",
        "range(10)[20:30] | []",
        "range(3, 7) | [3,4,5,6]",
        "range(7, 3) | []",
        "range(-1, 10, 2) | [-1,1,3,5,7,9]",
        "range(5,0,-1) | [5,4,3,2,1]",
        "range(0, 1, -1) | []",
        "format(\"file%d.txt\", 10) | file10.txt",
        "format(\"SM%s_%d.sam%%\", \"10001\", 23) | SM10001_23.sam%",
        "format(\"%f %e %g %G\", 0.5, 0.5, 0.5, 0.0000001) | 0.500000 5.000000e-01 0.5 1E-07",
        "template(\"file{ID}.txt\") | file10.txt",
        "template(\"SM{PLATE}_{ ID }.{{sam}}\", {\"PLATE\": \"1\", \"ID\": N/2 - 1}) | SM1_23.{sam}",
        "len([1,2,3]) | 3",
        "join([\"a\", \"b\"]) | a b",
        "join([\"a\", \"b\"], \",\") | a,b",
        "join([]) | ``",
        "ceil(2.1) | 3",
        "floor(-2.1) | -3",
        "ceil(7) | 7",
        "basename(\"/a/b.txt\", \".txt\") | b",
        "basename(\"a/\") | a",
        "dirname(\"/a/b\") | /a",
        "dirname(\"b\") | .",
        "escape(\"it's\") | 'it'\\''s'",
        "keys({\"a\": 1, \"b\": 2}) | [a,b]",
        "values({\"a\": 1, \"b\": 2}) | [1,2]",
        "items({\"a\": 1}) | [[a,1]]",
        "like(\"test\", \".es.*\") | true",
        "schema(rows[0]) | {x:integer,y:string,z:float}",
        "where(rows, x==1) | [{x:1,y:example,z:0}]",
        "project(rows, x) | [0,1]",
        "[{\"a\": 1}, {\"a\": 2}].select(a>0).project(a).len() | 2",
        "[1,2,3,4].len() | 4",
        "\"%s!\".format(\"a\") | a!",
        "[x + x for x in [\"a\", \"b\", \"c\"]] | [aa,bb,cc]",
        "[3 * i for i in range(4)] | [0,3,6,9]",
        "[i for i in range(10) if i%2 == 0] | [0,2,4,6,8]",
        "[0, i for i in range(1, 3), 3] | [0,1,2,3]",
        "twice | 20",
        "[twice for x in range(3)] | [0,2,4]",
        "# comment | 1",
      })
  void evaluates(String expression, String result) throws WorkflowException {
    String text = expression.startsWith("#") ? expression + "\n1 # more" : expression;
    assertThat(json(evaluate(text))).isEqualTo(result.replace('¶', '\n'));
  }

  @Test
  void evaluatesLoopsFromLeftToRight() throws WorkflowException {
    assertThat(json(evaluate("[[i, j] for i in range(5) for j in range(4) if (i + j)%2 == 0]")))
        .isEqualTo("[[0,0],[0,2],[1,1],[1,3],[2,0],[2,2],[3,1],[3,3],[4,0],[4,2]]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "nope | 1:1: 'nope' is not defined",
        "1 +¶  nope | 2:3: 'nope' is not defined",
        "loop | 'loop' is defined by itself",
        "1 / 0 | 1:3: division by zero",
        "1 % 0.0 | division by zero",
        "\"a\" < 1 | 1:5: '<' cannot combine a string and an integer",
        "[1] + 1 | '+' cannot combine a list and an integer",
        "1 and true | 'and' cannot combine",
        "not 1 | 'not' cannot be applied to an integer",
        "-\"a\" | '-' cannot be applied to a string",
        "9223372036854775807 + 1 | out of range",
        "99999999999999999999 | too big",
        "list[3] | the list has no element 3",
        "object[\"a\"] | the object has no key \"a\"",
        "object[1] | an object cannot be indexed with an integer",
        "object[1:] | only lists have slices",
        "range(1, 2, 0) | the step 0",
        "range(1000000000000) | more than 5000000 values",
        "range() | range() has 0 arguments; give it 1 to 3",
        "format(\"%d\", 1.5) | argument 2 of format() is a floating point number",
        "format(\"%d\") | no argument for '%d'",
        "format(\"a\", 1) | more arguments",
        "format(\"%\") | ends in a '%'",
        "format(\"%q\", 1) | does not know '%q'",
        "template(\"{nope}\") | 'nope' in the template is not defined",
        "template(\"{list}\") | 'list' in the template is a list",
        "template(\"a}\") | is not a placeholder",
        "join([1]) | the list has an integer",
        "listdir(\".\") | reads something outside",
        "fetch(\"/etc/passwd\") | reads something outside",
        "nofunction(1) | there is no function 'nofunction'; use: range",
        "like(\"a\", \"(\") | not a regular expression",
        "[x for x in 1] | 'for' iterates over a list",
        "[x for x in [1] if x] | a condition is true or false",
        "{1: 2} | a key is a string",
        "{\"a\": 1, \"a\": 2} | the key \"a\" occurs twice",
        "1(2) | only a function can be called",
        "[1 2] | 1:4: '2' is found where ',' or ']' is expected",
        "{\"a\" 1} | is found where ':' is expected",
        "\"abc | 1:1: the string that begins here has no end",
        "'a' | write strings in double quotes",
        "[1, | the end of the file is found where a value is expected",
        "[for x in y] | 'for' is found where a value is expected",
        "\"\\u12\" | four hexadecimal digits",
        "1 ~ 2 | the character '~' has no meaning",
        "a.5 | is found where the name of a function is expected",
      })
  void refuses(String expression, String problem) {
    assertThatExceptionOfType(WorkflowException.class)
        .isThrownBy(() -> evaluate(expression.replace('¶', '\n')))
        .withMessageStartingWith("w.jx: ")
        .withMessageContaining(problem)
        .withMessageContaining("; ");
  }

  @Test
  void refusesDeepNesting() {
    for (String text :
        new String[] {"[".repeat(100_000), "(".repeat(100_000), "1" + "+1".repeat(100_000)}) {
      assertThatExceptionOfType(WorkflowException.class).isThrownBy(() -> evaluate(text));
    }
  }
}
