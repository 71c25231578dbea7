package dev.weir.workflow.jobs;

import java.net.URI;

/**
 * The address and key of a session: {@code endpoint.json} in its staging directory, which only its
 * owner may read.
 *
 * @param url such as {@code http://10.0.0.7:41234}
 * @param key the key that signs requests, in hexadecimal
 */
public record SessionEndpoint(String url, String key) {

  /**
   * Returns the URI of a resource of the session.
   *
   * @param target path and query
   * @return the address
   */
  URI resolve(String target) {
    return URI.create(url + target);
  }

  @Override
  public String toString() {
    return "SessionEndpoint[" + url + "]";
  }
}
