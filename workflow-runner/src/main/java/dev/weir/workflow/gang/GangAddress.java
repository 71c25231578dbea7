package dev.weir.workflow.gang;

import dev.weir.workflow.protocol.CacheSecurity;
import dev.weir.workflow.protocol.Secret;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.HexFormat;

/**
 * Where the first container of a gang waits for the others: a file in the session's directory.
 *
 * @param host host name
 * @param security as {@link CacheSecurity#write} writes it, without the secret, in hexadecimal
 */
record GangAddress(String host, int port, String security) {

  static GangAddress of(String host, int port, CacheSecurity security) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    security.write(new DataOutputStream(bytes));
    return new GangAddress(host, port, HexFormat.of().formatHex(bytes.toByteArray()));
  }

  /** Returns the security of connections, with the secret that this container knows. */
  CacheSecurity security(Secret secret) throws IOException {
    byte[] bytes = HexFormat.of().parseHex(security);
    return CacheSecurity.read(new DataInputStream(new ByteArrayInputStream(bytes)), secret);
  }

  /**
   * Returns the name of the file.
   *
   * @param first id of the first container
   */
  static String file(String first) {
    return "gang-" + first + ".json";
  }
}
