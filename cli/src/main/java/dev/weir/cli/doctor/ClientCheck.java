package dev.weir.cli.doctor;

import dev.weir.hints.client.http.ClientSettings;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;

/** Checks that HDFS clients of this host follow hints and find the hints service. */
final class ClientCheck implements Check {
  private static final String SUBJECT = "this client";

  private final Configuration configuration;

  ClientCheck(Configuration configuration) {
    this.configuration = configuration;
  }

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public List<Finding> examine() {
    List<Finding> findings = new ArrayList<>();
    String client = configuration.getTrimmed(Settings.CLIENT_KEY, "");
    findings.add(
        client.equals(Settings.CLIENT)
            ? Finding.fine(SUBJECT, Settings.CLIENT_KEY + " is Weir's")
            : Finding.note(
                    SUBJECT,
                    Settings.CLIENT_KEY
                        + " is not Weir's: files written here get no block size and no replication"
                        + " by hints",
                    "first copy weir-hints-api-*.jar and weir-hdfs-placement-*.jar to"
                        + " share/hadoop/common/lib of all hosts that read this core-site.xml, and"
                        + " see that their Java is 8 or later: clients without the jars fail. Then"
                        + " core-site.xml: "
                        + Settings.CLIENT_KEY
                        + " = "
                        + Settings.CLIENT)
                .in(Finding.Step.CLIENTS));
    findings.add(
        present(ClientSettings.URL_KEY, "commands and engines find no service", "weir-site.xml"));
    return findings;
  }

  private Finding present(String key, String effect, String file) {
    String value = configuration.getTrimmed(key, "");
    return value.isEmpty()
        ? Finding.note(SUBJECT, key + " is not set: " + effect, "set " + key + " in " + file)
            .in(Finding.Step.SETTINGS)
        : Finding.fine(SUBJECT, key + " is " + value);
  }
}
