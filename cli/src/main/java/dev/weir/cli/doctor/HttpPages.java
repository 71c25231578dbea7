package dev.weir.cli.doctor;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.net.URLConnection;
import java.time.Duration;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.web.URLConnectionFactory;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.security.authentication.client.AuthenticationException;

/** Reads pages over HTTP, with the caller's Kerberos ticket if the cluster uses Kerberos. */
final class HttpPages implements DaemonPages, AutoCloseable {
  private static final int TIMEOUT_MS = Math.toIntExact(Duration.ofSeconds(10).toMillis());

  private final ObjectMapper mapper = new ObjectMapper();
  private final URLConnectionFactory connections;

  HttpPages(Configuration configuration) {
    connections =
        URLConnectionFactory.newDefaultURLConnectionFactory(TIMEOUT_MS, TIMEOUT_MS, configuration);
  }

  @Override
  public JsonNode read(URI daemon, String page) throws IOException {
    URI uri = daemon.resolve(page);
    try {
      return read(uri);
    } catch (IOException e) {
      throw new IOException(uri + ": " + e.getMessage(), e);
    }
  }

  private JsonNode read(URI uri) throws IOException {
    URLConnection connection;
    try {
      connection =
          connections.openConnection(uri.toURL(), UserGroupInformation.isSecurityEnabled());
    } catch (AuthenticationException e) {
      throw new IOException("the ticket is not taken: " + e.getMessage(), e);
    }
    // /conf chooses its format by this header, not by the query.
    connection.setRequestProperty("Accept", "application/json");
    if (connection instanceof HttpURLConnection http
        && http.getResponseCode() != HttpURLConnection.HTTP_OK) {
      throw new IOException("the answer is " + http.getResponseCode());
    }
    try (InputStream body = connection.getInputStream()) {
      return mapper.readTree(body);
    }
  }

  @Override
  public void close() {
    connections.destroy();
  }
}
