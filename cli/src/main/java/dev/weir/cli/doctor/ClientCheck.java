package dev.weir.cli.doctor;

import dev.weir.hints.StoreAccess;
import dev.weir.hints.client.http.ClientSettings;
import java.net.URI;
import java.util.stream.Collectors;
import org.apache.hadoop.conf.Configuration;

/** Checks that HDFS clients of this host follow hints and find the hints service. */
record ClientCheck(Configuration configuration) implements Check {
  private static final String SUBJECT = "this client";

  @Override
  public String subject() {
    return SUBJECT;
  }

  @Override
  public void examine(Findings findings) {
    String client = configuration.getTrimmed(Settings.CLIENT_KEY, "");
    if (client.equals(Settings.CLIENT)) {
      findings.fine(Settings.CLIENT_KEY + " is Weir's");
    } else {
      findings
          .note(
              Settings.CLIENT_KEY
                  + " is not Weir's: files written here get no block size and no replication"
                  + " by hints",
              "clients without the jars in share/hadoop/common/lib, or with a Java before 8,"
                  + " fail with it: when none is left, core-site.xml: "
                  + Settings.CLIENT_KEY
                  + " = "
                  + Settings.CLIENT)
          .in(Finding.Step.CLIENTS);
    }

    String url =
        ClientSettings.from(configuration).urls().stream()
            .map(URI::toString)
            .collect(Collectors.joining(","));
    if (url.isEmpty()) {
      findings.note(
          ClientSettings.URL_KEY + " is not set: commands and engines find no service",
          "start 'weir server' with credentials in "
              + StoreAccess.AUTH_KEY
              + " of its weir-site.xml, and for callers weir-site.xml: "
              + ClientSettings.URL_KEY
              + " = http://HOST:9880");
    } else {
      findings.fine(ClientSettings.URL_KEY + " is " + url);
    }
  }
}
