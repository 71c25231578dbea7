package dev.weir.service;

import dev.weir.service.access.CallerSettings;
import dev.weir.service.access.HintLimits;
import dev.weir.service.auto.AutoSettings;
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
 * The settings of the server itself. Its parts read their own keys. Every key of the service is in
 * {@link #all}, and so in the table of docs/hints-service.md.
 *
 * @param policy whether the server listens for http, https or both
 */
public record ServiceSettings(HttpConfig.Policy policy, URI httpAddress, URI httpsAddress) {
  private static final String PREFIX = "weir.server.";

  public static final Setting<String> HTTP_POLICY =
      Setting.word(
          PREFIX + "http.policy",
          "HTTP_ONLY",
          List.of("HTTP_ONLY", "HTTPS_ONLY", "HTTP_AND_HTTPS"),
          "The protocols that are served. For https the keystore is that of ssl-server.xml.");

  public static final Setting<String> HTTP_ADDRESS =
      Setting.text(
          PREFIX + "http-address", "0.0.0.0:9880", "host:port", "The listen address for http.");

  public static final Setting<String> HTTPS_ADDRESS =
      Setting.text(
          PREFIX + "https-address", "0.0.0.0:9881", "host:port", "The listen address for https.");

  public static final Setting<String> URL =
      Setting.text(
          PREFIX + "url",
          "",
          "URLs, by commas",
          "For clients: the address of the service, such as http://host:9880; one for each of"
              + " several instances.");

  public static final Setting<String> ROLE =
      Setting.word(
          PREFIX + "role",
          "all",
          List.of("all", "requests", "reconciler"),
          "requests: answers requests, and need not be a superuser of HDFS. reconciler: does the"
              + " work of a superuser in a process of its own, and answers /v1/status and"
              + " /v1/auto-replication only. all: both.");

  public static final Setting<Boolean> ALLOW_HTTP =
      Setting.flag(
          PREFIX + "http.allowed-with-kerberos",
          false,
          "Whether the service starts without TLS although the cluster uses Kerberos. Cookies and"
              + " hints can then be read and changed on the network.");

  public static final Setting<String> PRINCIPAL =
      Setting.text(
          PREFIX + "kerberos.principal",
          "",
          "principal",
          "The service's principal for HDFS, such as weir/_HOST@REALM; it must be a superuser and"
              + " may need to be a proxy user there.");

  public static final Setting<String> KEYTAB =
      Setting.text(PREFIX + "kerberos.keytab", "", "file", "The keytab of that principal.");

  public static final Setting<String> SPNEGO_PRINCIPAL =
      Setting.text(
          PREFIX + "spnego.principal",
          "",
          "principal",
          "The service's principal for its callers, such as HTTP/_HOST@REALM; empty for"
              + " hadoop.http.authentication.kerberos.principal.");

  public static final Setting<String> SPNEGO_KEYTAB =
      Setting.text(
          PREFIX + "spnego.keytab",
          "",
          "file",
          "The keytab of that principal; empty for hadoop.http.authentication.kerberos.keytab.");

  public static final Setting<String> ANONYMOUS =
      Setting.text(
          PREFIX + "anonymous.user",
          "",
          "user",
          "Without Kerberos: the user of a caller that gives no user.name; empty for"
              + " hadoop.http.staticuser.user.");

  /** Returns the keys of the server and of all its parts, in the order of the documentation. */
  public static List<Setting<?>> all() {
    List<Setting<?>> all =
        new ArrayList<>(
            List.of(
                HTTP_POLICY,
                HTTP_ADDRESS,
                HTTPS_ADDRESS,
                URL,
                ROLE,
                ALLOW_HTTP,
                PRINCIPAL,
                KEYTAB,
                SPNEGO_PRINCIPAL,
                SPNEGO_KEYTAB,
                ANONYMOUS));
    all.addAll(CallerSettings.ALL);
    all.addAll(HintLimits.ALL);
    all.addAll(RestSettings.ALL);
    all.addAll(ReconcilerSettings.ALL);
    all.addAll(AutoSettings.ALL);
    all.addAll(DatabaseSettings.ALL);
    return List.copyOf(all);
  }

  /**
   * Reads the server's own keys.
   *
   * @throws IllegalArgumentException if a value is invalid
   */
  public static ServiceSettings from(Configuration configuration) {
    return new ServiceSettings(
        HttpConfig.Policy.valueOf(HTTP_POLICY.from(configuration)),
        endpoint("http", HTTP_ADDRESS, configuration),
        endpoint("https", HTTPS_ADDRESS, configuration));
  }

  private static URI endpoint(String scheme, Setting<String> setting, Configuration configuration) {
    String address = setting.from(configuration);
    IllegalArgumentException invalid =
        new IllegalArgumentException(
            setting.key() + " is '" + address + "'; write host:port such as " + setting.fallback());
    try {
      URI uri = new URI(scheme + "://" + address);
      if (uri.getHost() == null || uri.getPort() < 0 || !address.equals(uri.getAuthority())) {
        throw invalid;
      }
      return uri;
    } catch (URISyntaxException e) {
      invalid.initCause(e);
      throw invalid;
    }
  }
}
