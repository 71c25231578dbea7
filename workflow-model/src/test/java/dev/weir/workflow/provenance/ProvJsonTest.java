package dev.weir.workflow.provenance;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Checks documents against the rules of the W3C submission PROV-JSON. */
class ProvJsonTest {
  private static final Set<String> RECORDS = Set.of("entity", "activity", "agent");

  /** The attributes of each relation and the kind of record that each must name. */
  private static final Map<String, Map<String, String>> RELATIONS =
      Map.of(
          "used", Map.of("prov:activity", "activity", "prov:entity", "entity"),
          "wasGeneratedBy", Map.of("prov:entity", "entity", "prov:activity", "activity"),
          "wasAssociatedWith",
              Map.of("prov:activity", "activity", "prov:agent", "agent", "prov:plan", "entity"),
          "wasDerivedFrom",
              Map.of(
                  "prov:generatedEntity", "entity",
                  "prov:usedEntity", "entity",
                  "prov:activity", "activity"));

  private final ObjectNode document = ProvJson.of(Lineages.mosaic(2));

  @Test
  void recordsAndRelationsFollowProv() {
    assertThat(document.path("prefix").path("weir").textValue()).isEqualTo(ProvJson.NAMESPACE);
    Map<String, String> kinds = kinds();
    document
        .properties()
        .forEach(
            section -> {
              String kind = section.getKey();
              if (!kind.equals("prefix") && !RECORDS.contains(kind)) {
                assertThat(RELATIONS).containsKey(kind);
                section.getValue().forEach(relation -> requireRelation(kind, relation, kinds));
              }
            });
  }

  private static void requireRelation(String kind, JsonNode relation, Map<String, String> kinds) {
    Map<String, String> names = RELATIONS.getOrDefault(kind, Map.of());
    relation
        .properties()
        .forEach(
            attribute -> {
              String wanted = names.get(attribute.getKey());
              if (wanted != null) {
                assertThat(kinds.get(attribute.getValue().textValue()))
                    .as(kind + " " + relation)
                    .isEqualTo(wanted);
              } else {
                assertThat(attribute.getKey()).as(kind).isEqualTo("prov:time");
                assertThat(Instant.parse(attribute.getValue().textValue())).isNotNull();
              }
            });
  }

  private Map<String, String> kinds() {
    Map<String, String> kinds = new HashMap<>();
    for (String kind : RECORDS) {
      document
          .path(kind)
          .properties()
          .forEach(
              record -> {
                assertThat(record.getKey())
                    .as("a qualified name")
                    .matches("weir:[A-Za-z_][A-Za-z0-9_.-]*[A-Za-z0-9_-]");
                assertThat(kinds.put(record.getKey(), kind)).as("one kind").isNull();
                record
                    .getValue()
                    .properties()
                    .forEach(a -> requireAttribute(a.getKey(), a.getValue()));
              });
    }
    return kinds;
  }

  /**
   * Checks that a value is a literal, a typed literal, or a list of them. Names must have a known
   * prefix.
   */
  private static void requireAttribute(String name, JsonNode value) {
    assertThat(name).matches("(prov|weir):[a-zA-Z0-9]+");
    if (value.isObject()) {
      assertThat(value.path("$").isTextual()).isTrue();
      assertThat(value.path("type").textValue()).isIn("xsd:QName", "xsd:long");
    } else if (value.isArray()) {
      value.forEach(element -> assertThat(element.isTextual()).isTrue());
    } else {
      assertThat(value.isTextual()).as(name + " " + value).isTrue();
    }
    if (Set.of("prov:startTime", "prov:endTime").contains(name)) {
      assertThat(Instant.parse(value.textValue())).isNotNull();
    }
  }

  @Test
  void documentMatchesTheLineage() {
    assertThat(document.path("activity")).hasSize(4);
    assertThat(document.path("wasGeneratedBy")).hasSize(4);
    assertThat(document.path("used")).hasSize(3 + 2 * 2);
    assertThat(document.path("agent")).hasSize(2);
    JsonNode sum = document.path("entity").path("weir:f0");
    assertThat(sum.path("prov:location").textValue()).isEqualTo("/m/sum.fits");
    assertThat(sum.path("weir:crc32c").textValue()).isEqualTo("0a1b2c3d");
    JsonNode add = document.path("activity").path("weir:a0");
    assertThat(add.path("weir:cpuMillis").path("$").textValue()).isEqualTo("2750");
    assertThat(add.path("weir:peakMemoryBytes").path("$").textValue()).isEqualTo("14700000");
    assertThat(document.path("activity").path("weir:a1").has("weir:cpuMillis")).isFalse();
    JsonNode plan = document.path("entity").path("weir:plan-a0");
    assertThat(plan.path("prov:type").path("$").textValue()).isEqualTo("prov:Plan");
    assertThat(plan.path("prov:value").textValue())
        .as("what a shell would run; a list of words is a set to PROV")
        .isEqualTo("mAdd 'it'\\''s'");
  }
}
