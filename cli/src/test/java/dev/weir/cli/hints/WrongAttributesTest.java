package dev.weir.cli.hints;

import static org.assertj.core.api.Assertions.assertThat;

import dev.weir.hints.SinglePathSets;
import dev.weir.hints.client.FakeService;
import dev.weir.hints.client.HintsClient;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RawLocalFileSystem;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** Commands warn of attributes of a path that are not hints, or not in force. */
class WrongAttributesTest {
  private static final String PREFIX = "test.attribute.";

  private final FakeService service = new FakeService();
  private final Configuration configuration = new Configuration(false);

  /** A file system whose configuration lists the attributes of its paths. */
  public static final class Attributed extends RawLocalFileSystem {
    /** For Hadoop. */
    public Attributed() {}

    @Override
    public Map<String, byte[]> getXAttrs(Path path) {
      String value = getConf().get(PREFIX + path.toUri().getPath());
      return value == null
          ? Map.of()
          : Map.of("user.weir.hint", value.getBytes(StandardCharsets.UTF_8));
    }
  }

  @BeforeEach
  void prepare() {
    configuration.set("weir.server.url", service.url().toString());
    configuration.setClass("fs.file.impl", Attributed.class, RawLocalFileSystem.class);
    configuration.setBoolean("fs.file.impl.disable.cache", true);
    service
        .on(
            "GET",
            "/v1/hints",
            200,
            "{\"path\":\"/a/x\",\"hint\":\"pipeline\",\"text\":\"pipeline\",\"set\":\"s\","
                + "\"owner\":\"ann\",\"pattern\":\"/**\",\"version\":3}")
        .on(
            "GET",
            "/v1/explain",
            200,
            "{\"path\":\"/a/x\",\"rule\":null,\"wanted\":{},\"actual\":{\"replication\":3,"
                + "\"block-size\":1048576,\"blocks\":[]},\"differences\":[]}");
  }

  @AfterEach
  void close() {
    service.close();
  }

  /** A command with the options of the service. */
  @CommandLine.Command
  private static final class WithService {
    @CommandLine.Mixin private ServiceOptions service;
  }

  private interface Asking {
    int ask(HintsClient client, HdfsPaths paths) throws IOException;
  }

  private static String warnings(Configuration configuration, Object command, Asking asking)
      throws IOException {
    StringWriter err = new StringWriter();
    CommandLine unused =
        new CommandLine(command)
            .setErr(new PrintWriter(err))
            .setOut(new PrintWriter(new StringWriter()));
    try (HintsClient client = HintsClient.open(configuration)) {
      assertThat(asking.ask(client, new HdfsPaths(configuration))).isZero();
    }
    return err.toString();
  }

  /** Returns the warnings of {@code weir hints get /a/x}. */
  private String warningsOfGet() throws IOException {
    WithService command = new WithService();
    return warnings(
        configuration,
        command,
        (client, paths) -> HintsCommand.get("/a/x", command.service, client, paths));
  }

  /** Returns the warnings of {@code weir explain /a/x}. */
  private String warningsOfExplain() throws IOException {
    ExplainCommand command = CommandLine.populateCommand(new ExplainCommand(), "/a/x");
    return warnings(configuration, command, command::run);
  }

  private void assertBothWarn(String warning) throws IOException {
    assertThat(warningsOfGet()).contains(warning).hasLineCount(1);
    assertThat(warningsOfExplain()).contains(warning).hasLineCount(1);
  }

  @Test
  void attributeWithoutARuleIsNotInForce() throws Exception {
    configuration.set(PREFIX + "/a", "pipeline");

    assertBothWarn("weir: the attribute user.weir.hint of /a is not in force");
  }

  @Test
  void attributeThatIsNoHintIsIgnored() throws Exception {
    configuration.set(PREFIX + "/a/x", "no hint");

    assertBothWarn("weir: the attribute user.weir.hint of /a/x is ignored");
  }

  @Test
  void attributeWithARuleIsInForce() throws Exception {
    configuration.set(PREFIX + "/a", "pipeline");
    String id = SinglePathSets.idFor("/a");
    service.on(
        "GET",
        "/v1/hint-sets/" + id,
        200,
        "{\"id\":\""
            + id
            + "\",\"owner\":\"ann\",\"version\":3,\"rules\":"
            + "[{\"pattern\":\"/a/**\",\"hint\":\"pipeline\",\"text\":\"pipeline\"}]}");

    assertThat(warningsOfGet()).isEmpty();
    assertThat(warningsOfExplain()).isEmpty();
  }
}
