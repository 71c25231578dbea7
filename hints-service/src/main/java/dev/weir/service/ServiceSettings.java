package dev.weir.service;

import dev.weir.service.access.CallerSettings;
import dev.weir.service.access.HintLimits;
import dev.weir.service.database.DatabaseSettings;
import dev.weir.service.part.Setting;
import dev.weir.service.reconcile.ReconcilerSettings;
import dev.weir.service.rest.RestSettings;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.http.HttpConfig;

/**
 * What the server itself is set to; its parts read their own keys. Every key of the service is in
 * {@link #all}, and so in the table of docs/hints-service.md.
 *
 * @param policy whether it listens for http, https or both
 * @param httpAddress where it listens for http
 * @param httpsAddress where it listens for https
 */
public record ServiceSettings(HttpConfig.Policy policy, URI httpAddress, URI httpsAddress) {
  private static final String PREFIX = "weir.server.";

  /** Whether http, https or both are listened for. */
  public static final Setting<String> HTTP_POLICY =
      Setting.word(
          PREFIX + "http.policy",
          "HTTP_ONLY",
          List.of("HTTP_ONLY", "HTTPS_ONLY", "HTTP_AND_HTTPS"),
          "Which of http and https is served. For https the keystore is that of ssl-server.xml.");

  /** Where http is listened for. */
  public static final Setting<String> HTTP_ADDRESS =
      Setting.text(
          PREFIX + "http-address", "0.0.0.0:9880", "host:port", "Where http is listened for.");

  /** Where https is listened for. */
  public static final Setting<String> HTTPS_ADDRESS =
      Setting.text(
          PREFIX + "https-address", "0.0.0.0:9881", "host:port", "Where https is listened for.");

  /** Where clients find the service. */
  public static final Setting<String> URL =
      Setting.text(
          PREFIX + "url",
          "",
          "URLs, by commas",
          "For clients: where the service is, such as http://host:9880; several for several"
              + " instances.");

  /** Who the service is towards HDFS and ZooKeeper. */
  public static final Setting<String> PRINCIPAL =
      Setting.text(
          PREFIX + "kerberos.principal",
          "",
          "principal",
          "Who the service is towards HDFS, such as weir/_HOST@REALM; it is to be a superuser and"
              + " may need to be a proxy user there.");

  /** The keytab of {@link #PRINCIPAL}. */
  public static final Setting<String> KEYTAB =
      Setting.text(PREFIX + "kerberos.keytab", "", "file", "The keytab with its key.");

  /** Who the service is towards browsers and curl. */
  public static final Setting<String> SPNEGO_PRINCIPAL =
      Setting.text(
          PREFIX + "spnego.principal",
          "",
          "principal",
          "Who the service is towards its callers, such as HTTP/_HOST@REALM; empty for"
              + " hadoop.http.authentication.kerberos.principal.");

  /** The keytab of {@link #SPNEGO_PRINCIPAL}. */
  public static final Setting<String> SPNEGO_KEYTAB =
      Setting.text(
          PREFIX + "spnego.keytab",
          "",
          "file",
          "The keytab with its key; empty for hadoop.http.authentication.kerberos.keytab.");

  /** Who callers without a name are. */
  public static final Setting<String> ANONYMOUS =
      Setting.text(
          PREFIX + "anonymous.user",
          "",
          "user",
          "Without Kerberos: who a caller is that gives no user.name; empty for"
              + " hadoop.http.staticuser.user.");

  /** The keys of the server and of all its parts, in the order of the documentation. */
  public static List<Setting<?>> all() {
    List<Setting<?>> all =
        new ArrayList<>(
            List.of(
                HTTP_POLICY,
                HTTP_ADDRESS,
                HTTPS_ADDRESS,
                URL,
                PRINCIPAL,
                KEYTAB,
                SPNEGO_PRINCIPAL,
                SPNEGO_KEYTAB,
                ANONYMOUS));
    all.addAll(CallerSettings.ALL);
    all.addAll(HintLimits.ALL);
    all.addAll(RestSettings.ALL);
    all.addAll(ReconcilerSettings.ALL);
    all.addAll(DatabaseSettings.ALL);
    return List.copyOf(all);
  }

  /**
   * Reads the server's own keys.
   *
   * @throws IllegalArgumentException when one cannot be used
   */
  public static ServiceSettings from(Configuration configuration) {
    return new ServiceSettings(
        HttpConfig.Policy.valueOf(HTTP_POLICY.from(configuration)),
        endpoint("http", HTTP_ADDRESS, configuration),
        endpoint("https", HTTPS_ADDRESS, configuration));
  }

  private static URI endpoint(String scheme, Setting<String> setting, Configuration configuration) {
    String address = setting.from(configuration);
    IllegalArgumentException wrong =
        new IllegalArgumentException(
            setting.key() + " is '" + address + "'; write host:port such as " + setting.fallback());
    try {
      URI uri = new URI(scheme + "://" + address);
      if (uri.getHost() == null || uri.getPort() < 0 || !address.equals(uri.getAuthority())) {
        throw wrong;
      }
      return uri;
    } catch (URISyntaxException e) {
      wrong.initCause(e);
      throw wrong;
    }
  }
}
