package dev.weir.workflow.provenance;

import static dev.weir.workflow.provenance.Lineages.START;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.weir.hints.GivenPython;
import dev.weir.workflow.provenance.Lineage.FileNow;
import dev.weir.workflow.provenance.Lineage.FileVersion;
import dev.weir.workflow.provenance.Lineage.Making;
import dev.weir.workflow.provenance.Lineage.RunName;
import dev.weir.workflow.provenance.Lineage.Verdict;
import dev.weir.workflow.record.Outcome;
import dev.weir.workflow.record.ResourceUse;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Checks that the Python package {@code prov} reads our PROV-JSON, writes it in other forms of
 * PROV, and reads those again. Skipped, with the reason, if the package is missing.
 */
class ProvReadersTest {
  private static final String READ =
      """
      import json, sys
      from prov.model import ProvActivity, ProvAgent, ProvAssociation, ProvDocument, ProvEntity
      from prov.identifier import QualifiedName

      document = ProvDocument.deserialize(content=sys.stdin.read(), format='json')

      def again(form):
          text = document.serialize(format=form)
          return ProvDocument.deserialize(content=text, format=form) == document

      def plain(value):
          if isinstance(value, (int, str)):
              return value
          return value.uri if isinstance(value, QualifiedName) else str(value)

      def records(kind):
          return {
              record.identifier.uri: {
                  str(name): plain(value) for name, value in record.attributes
              }
              for record in document.get_records(kind)
          }

      print(json.dumps({
          'json': again('json'),
          'xml': again('xml'),
          'rdf': again('rdf'),
          'provn': document.get_provn().startswith('document'),
          'unified': len(document.unified().get_records()) == len(document.get_records()),
          'records': len(document.get_records()),
          'entities': records(ProvEntity),
          'activities': records(ProvActivity),
          'agents': records(ProvAgent),
          'plans': [plain(value) for record in document.get_records(ProvAssociation)
              for name, value in record.attributes if str(name) == 'prov:plan'],
      }))
      """;

  private static final List<String> NAMES =
      List.of("a b", "it's", "say \"x\"", "größe-日本-🎉", "50%", "a&b<c", "$HOME", "a\\b", "l\nm");

  @TempDir private Path directory;

  @Test
  void oneReaderPerFileKeepsTheFilesLocal() throws Exception {
    JsonNode read = read(Lineages.mosaic(2));

    assertThat(read.path("entities")).hasSize(6 + 4);
    assertThat(read.path("activities")).hasSize(4);
    assertThat(read.path("agents")).hasSize(2);
    assertThat(read.path("records").asInt())
        .as("and generations, uses, derivations, and associations")
        .isEqualTo(10 + 4 + 2 + 4 + 7 + 7 + 4);
    JsonNode sum = read.path("activities").path(ProvJson.NAMESPACE + "a0");
    assertThat(sum.path("weir:cpuMillis").asText()).isEqualTo("\"2750\" %% xsd:long");
    assertThat(sum.path("prov:startTime").asText()).startsWith("2026-11-21 10:00:00");
    assertThat(read.path("plans"))
        .extracting(JsonNode::asText)
        .contains(ProvJson.NAMESPACE + "plan-a0");
    assertThat(
            read.path("entities").path(ProvJson.NAMESPACE + "plan-a0").path("prov:type").asText())
        .isEqualTo("http://www.w3.org/ns/prov#Plan");
  }

  @Test
  void namesWithSpecialCharactersAreReadable() throws Exception {
    JsonNode read = read(named());

    for (int i = 0; i < NAMES.size(); i++) {
      JsonNode file = read.path("entities").path(ProvJson.NAMESPACE + "f" + i);
      assertThat(file.path("prov:location").asText()).isEqualTo("/d/" + NAMES.get(i));
    }
    JsonNode attempt = read.path("activities").path(ProvJson.NAMESPACE + "a0");
    assertThat(attempt.path("weir:task").asText()).isEqualTo(NAMES.get(3));
    assertThat(read.path("agents").findValuesAsText("prov:label")).containsExactly(NAMES.get(3));
  }

  /**
   * Creates lineages with special characters in the names of outputs and owner, and one without
   * names.
   */
  private static Lineage named() {
    String owner = NAMES.get(3);
    List<FileVersion> files =
        IntStream.range(0, NAMES.size())
            .mapToObj(
                i -> new FileVersion("f" + i, "/d/" + NAMES.get(i), 1L << 40, null, "a0", "it's"))
            .toList();
    List<String> made = files.stream().map(FileVersion::key).toList();
    return new Lineage(
        "/d/" + NAMES.get(0),
        FileNow.NONE,
        Verdict.GONE,
        "gone",
        files,
        List.of(
            making("a0", owner, Outcome.SUCCEEDED, NAMES, made),
            making("a1", owner, Outcome.FAILED, List.of(), List.of())),
        List.of(new RunName("r", owner, "flow", "weir", RunPhase.FAILED, false, START, START)),
        true);
  }

  private static Making making(
      String key, String owner, Outcome outcome, List<String> command, List<String> made) {
    return new Making(
        key,
        "r",
        owner,
        NAMES.get(3),
        "make it",
        2,
        outcome,
        command,
        "w",
        "node1",
        START.plusNanos(1),
        START.plusNanos(123_456_789),
        0,
        new ResourceUse(0, 0),
        List.of(),
        3,
        made);
  }

  private JsonNode read(Lineage lineage) throws Exception {
    GivenPython python = GivenPython.with("prov, lxml, rdflib", directory);
    JsonNode read = new ObjectMapper().readTree(python.run(READ, ProvJson.of(lineage).toString()));
    for (String form : List.of("json", "xml", "rdf", "provn", "unified")) {
      assertThat(read.path(form).asBoolean()).as(form).isTrue();
    }
    return read;
  }
}
