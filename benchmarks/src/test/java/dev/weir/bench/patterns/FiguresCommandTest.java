package dev.weir.bench.patterns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/** Figures of the docs come from the results of series. */
class FiguresCommandTest {
  @TempDir private Path docs;

  private final StringWriter err = new StringWriter();
  private Path series;
  private Path csv;
  private Path page;

  @BeforeEach
  void storeSeries() throws IOException {
    series = Files.createDirectory(docs.resolve("series"));
    csv = series.resolve("sample.csv");
    page = docs.resolve("benchmarks.md");
    Files.writeString(csv, sample());
    Files.writeString(page, "above\n\n<!-- series sample -->\n<!-- end -->\n\nbelow\n");
  }

  private static String sample() throws IOException {
    try (InputStream in = FiguresCommandTest.class.getResourceAsStream("sample.csv")) {
      return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  private int figures(String... options) {
    err.getBuffer().setLength(0);
    CommandLine command = new CommandLine(new FiguresCommand());
    command.setErr(new PrintWriter(err, true));
    command.setExecutionExceptionHandler(
        (failure, line, parsed) -> {
          err.append(failure.getMessage());
          return failure instanceof IllegalArgumentException ? 2 : 1;
        });
    List<String> args = new ArrayList<>(List.of(options));
    args.add(series.toString());
    return command.execute(args.toArray(String[]::new));
  }

  @Test
  void writesTableAndImageOnce() throws IOException {
    assertThat(figures("--check")).isEqualTo(1);
    assertThat(err.toString())
        .contains("benchmarks.md is not what the series give: run weir bench figures")
        .contains("sample.svg is not what");
    assertThat(figures()).isZero();

    assertThat(page)
        .content()
        .startsWith(
            """
            above

            <!-- series sample -->

                ./weir bench patterns --nodes 19 --link 10mbit --sizes medium --staged --in-a-row 2 --repeat 4 \\
                    --setups stock-r3,stock-r1,weir  # 0123456789

            ![Seconds by pattern and setup](images/sample.svg)

            | seconds | runs | stock-r3 | stock-r1 | weir | best stock ÷ weir | with staging | weir ÷ bound |
            |---|---|---|---|---|---|---|---|
            """)
        .endsWith("|\n\n<!-- end -->\n\nbelow\n")
        .as("p by numerical integration of Student's distribution: 0.01166 and 0.00138")
        .contains("| gather, medium | 2 | 4.28 ± 0.11 | 2.27 ± 0.08 | 0.70 ± 0.03 |")
        .contains("| 3.25 (p = 0.012) | 1.42 (p = 0.001) | 7.75 |");
    assertThat(docs.resolve("images/sample.svg"))
        .content()
        .contains(">pipeline, medium</text>", "class='bar weir'", "prefers-color-scheme: dark");

    assertThat(figures("--check")).isZero();
    assertThat(figures()).isZero();
    assertThat(err.toString()).isEmpty();

    Files.writeString(csv, sample().replace(",23.", ",24."));
    assertThat(figures("--check")).isEqualTo(1);
  }

  @Test
  void readsWhatIsWritten() throws IOException {
    PatternCsvReader.Series read = PatternCsvReader.read(csv);

    assertThat(String.join("\n", read.comments()) + "\n")
        .isEqualTo(sample().substring(0, sample().indexOf("pattern,")));
    assertThat(read.outcomes().stream().map(PatternCsv::lines).collect(Collectors.joining()))
        .isEqualTo(sample().substring(sample().indexOf("\npipeline,") + 1));
  }

  @Test
  void headerRepeatsTheSeriesWithoutTheOptionsOfASession() {
    CommandLine.ParseResult parsed =
        new CommandLine(new PatternsCommand())
            .setCaseInsensitiveEnumValuesAllowed(true)
            .parseArgs(
                ("--nodes 19 --link 10mbit --staged --resume --out x --minutes 5"
                        + " --patterns pipeline,reduce --setups stock-r3,stock-r1,weir --in-a-row=5"
                        + " --repeat 15")
                    .split(" "));

    assertThat(PatternCsv.header(PatternsCommand.command(parsed), List.of("abc", "def")))
        .startsWith(
            """
            # ./weir bench patterns --nodes 19 --link 10mbit --staged --patterns pipeline,reduce \\
            #     --setups stock-r3,stock-r1,weir --in-a-row 5 --repeat 15  # abc, def
            pattern,variant,""");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "stock-r3,1, | stock-r7,1, | sample.csv:4: setup cannot be 'stock-r7'",
        "pipeline,plain | pipe,plain | sample.csv:4: pattern cannot be 'pipe'",
        "0.01,19 | NaN,19 | sample.csv:4: scale cannot be 'NaN'",
        "0.01,19 | 0.01 | sample.csv:4: 27 cells for 28 columns",
        "2026-11-20T01 | today | sample.csv:4: begun cannot be 'today:00:01Z'",
        ",seconds, | ,secs, | sample.csv:4: no column seconds",
        "weir,2, | weir,1, | sample.csv:13: a second repetition of this number",
        "# | '' | sample.csv needs a line '# COMMAND  # COMMIT', a line of columns and repetitions",
      })
  void namesLineAndRemedyOfAnError(String text, String wrong, String told) throws IOException {
    Files.writeString(csv, sample().replace(text, wrong));

    assertThat(figures()).isEqualTo(2);
    assertThat(err.toString())
        .contains(told)
        .containsPattern(": (copy patterns.csv of the series again|store --replicas in another)");
    assertThat(docs.resolve("images")).doesNotExist();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<!-- end --> | no place for series sample: add the lines <!-- series sample -->",
        "sample --> | has a place for series other: add its CSV file, or remove the place",
      })
  void namesAPlaceThatIsMissingOrEmpty(String text, String told) throws IOException {
    Files.writeString(page, Files.readString(page).replace(text, "other -->"));

    assertThat(figures()).isEqualTo(2);
    assertThat(err.toString()).contains(told);
  }
}
