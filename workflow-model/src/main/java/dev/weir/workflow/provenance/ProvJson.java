package dev.weir.workflow.provenance;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.weir.workflow.format.ShellCommand;
import dev.weir.workflow.provenance.Lineage.FileVersion;
import dev.weir.workflow.provenance.Lineage.Making;
import dev.weir.workflow.provenance.Lineage.RunName;
import dev.weir.workflow.record.ResourceUse;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Writes a lineage in W3C PROV as PROV-JSON. Files are entities, attempts are activities, the
 * command of an attempt is its plan, and the owner of a run is the agent. For one use.
 */
public final class ProvJson {
  /** The namespace of terms that PROV itself does not define. */
  public static final String NAMESPACE = "urn:weir:provenance:";

  private static final String PREFIX = "weir:";

  private final ObjectNode document = JsonNodeFactory.instance.objectNode();
  private final Map<String, Integer> relations = new HashMap<>();

  private ProvJson() {}

  /** Writes a document. */
  public static ObjectNode of(Lineage lineage) {
    return new ProvJson().write(lineage);
  }

  private ObjectNode write(Lineage lineage) {
    document.putObject("prefix").put("weir", NAMESPACE);
    lineage.files().forEach(this::entity);
    Set<String> owners = new LinkedHashSet<>();
    for (RunName run : lineage.runs()) {
      owners.add(run.owner());
    }
    lineage.attempts().forEach(making -> owners.add(making.owner()));
    for (String owner : owners) {
      typed(section("agent").putObject(agent(owner)), "prov:type", "prov:Person")
          .put("prov:label", owner);
    }
    lineage.attempts().forEach(this::activity);
    return document;
  }

  private void entity(FileVersion file) {
    ObjectNode entity = section("entity").putObject(PREFIX + file.key());
    entity.put("prov:label", file.path()).put("prov:location", file.path());
    Long bytes = file.bytes();
    if (bytes != null) {
      typedNumber(entity, "weir:bytes", bytes);
    }
    if (file.crc32c() != null) {
      entity.put("weir:crc32c", file.crc32c());
    }
    if (file.note() != null) {
      entity.put("weir:note", file.note());
    }
  }

  private void activity(Making making) {
    String id = PREFIX + making.key();
    ObjectNode activity = section("activity").putObject(id);
    activity
        .put("prov:startTime", making.dispatched().toString())
        .put("prov:endTime", making.ended().toString())
        .put("prov:label", making.type() + " " + making.task())
        .put("weir:run", making.run())
        .put("weir:task", making.task())
        .put("weir:node", making.node())
        .put("weir:worker", making.worker());
    typedNumber(activity, "weir:attempt", making.attempt());
    effort(activity, making.effort());
    if (making.untold() > 0) {
      typedNumber(activity, "weir:untold", making.untold());
    }
    for (String used : making.used()) {
      relation("used").put("prov:activity", id).put("prov:entity", PREFIX + used);
    }
    for (String made : making.made()) {
      relation("wasGeneratedBy")
          .put("prov:entity", PREFIX + made)
          .put("prov:activity", id)
          .put("prov:time", making.ended().toString());
      for (String used : making.used()) {
        relation("wasDerivedFrom")
            .put("prov:generatedEntity", PREFIX + made)
            .put("prov:usedEntity", PREFIX + used)
            .put("prov:activity", id);
      }
    }
    ObjectNode association =
        relation("wasAssociatedWith")
            .put("prov:activity", id)
            .put("prov:agent", agent(making.owner()));
    if (!making.command().isEmpty()) {
      association.put("prov:plan", plan(making));
    }
  }

  private static void effort(ObjectNode activity, @Nullable ResourceUse effort) {
    if (effort == null) {
      return;
    }
    typedNumber(activity, "weir:cpuMillis", effort.cpuMillis());
    if (effort.peakMemoryBytes() > 0) {
      typedNumber(activity, "weir:peakMemoryBytes", effort.peakMemoryBytes());
    }
  }

  private String plan(Making making) {
    String id = PREFIX + "plan-" + making.key();
    ObjectNode plan = section("entity").putObject(id);
    // PROV treats a list of words as a set, without order and repetitions.
    typed(plan, "prov:type", "prov:Plan")
        .put(
            "prov:value",
            making.command().stream().map(ShellCommand::quote).collect(Collectors.joining(" ")));
    return id;
  }

  /**
   * Returns the agent's name with the letters that PROV allows. The label holds the original user
   * name.
   */
  private static String agent(String owner) {
    StringBuilder name = new StringBuilder(PREFIX + "user-");
    owner
        .codePoints()
        .forEach(
            c -> {
              boolean plain = c < 128 && (Character.isLetterOrDigit(c) || c == '_' || c == '-');
              name.append(plain ? Character.toString(c) : "." + Integer.toHexString(c) + ".");
            });
    return name.append("-").toString();
  }

  private static ObjectNode typed(ObjectNode node, String key, String name) {
    node.putObject(key).put("$", name).put("type", "xsd:QName");
    return node;
  }

  private static void typedNumber(ObjectNode node, String key, long number) {
    node.putObject(key).put("$", Long.toString(number)).put("type", "xsd:long");
  }

  private ObjectNode relation(String kind) {
    int number = relations.merge(kind, 1, Integer::sum);
    return section(kind).putObject("_:" + kind + number);
  }

  private ObjectNode section(String name) {
    return document.get(name) instanceof ObjectNode present ? present : document.putObject(name);
  }
}
