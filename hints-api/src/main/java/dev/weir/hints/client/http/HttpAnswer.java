package dev.weir.hints.client.http;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.http.Header;

/**
 * The answer of one instance.
 *
 * @param body the bytes; not copied, must not be changed
 */
@SuppressWarnings("ArrayRecordComponent") // passed on, never compared
record HttpAnswer(int status, List<Header> headers, byte[] body) {

  HttpAnswer {
    headers = List.copyOf(headers);
  }

  Optional<String> header(String name) {
    return headers(name).findFirst();
  }

  Stream<String> headers(String name) {
    return headers.stream()
        .filter(header -> header.getName().equalsIgnoreCase(name))
        .map(Header::getValue);
  }
}
