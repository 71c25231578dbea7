package dev.weir.cli.doctor;

import dev.weir.hints.StoreAccess;
import dev.weir.hints.client.http.ClientSettings;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
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
                    "clients without the jars in share/hadoop/common/lib, or with a Java before 8,"
                        + " fail with it: when none is left, core-site.xml: "
                        + Settings.CLIENT_KEY
                        + " = "
                        + Settings.CLIENT)
                .in(Finding.Step.CLIENTS));
    findings.add(
        service(
            ClientSettings.from(configuration).urls().stream()
                .map(URI::toString)
                .collect(Collectors.joining(","))));
    return findings;
  }

  private static Finding service(String url) {
    return url.isEmpty()
        ? Finding.note(
                SUBJECT,
                ClientSettings.URL_KEY + " is not set: commands and engines find no service",
                "start 'weir server' with credentials in "
                    + StoreAccess.AUTH_KEY
                    + " of its weir-site.xml, and for callers weir-site.xml: "
                    + ClientSettings.URL_KEY
                    + " = http://HOST:9880")
            .in(Finding.Step.OTHER)
        : Finding.fine(SUBJECT, ClientSettings.URL_KEY + " is " + url);
  }
}
