package dev.weir.service.part;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The reason for an error response, as RFC 9457 defines it.
 *
 * @param type {@code about:blank} if the status is sufficient, otherwise {@code
 *     urn:weir:problem:NAME}
 * @param status the HTTP status, 400 to 599
 * @param title the same for all problems of the type
 * @param detail what is wrong, with the value, and what to write instead
 * @param field JSON pointer, or the name of the query parameter or header; null if there is none
 * @param allowed the allowed values of the field; empty if there is no such list
 */
public record Problem(
    String type,
    int status,
    String title,
    String detail,
    @Nullable String field,
    List<String> allowed) {
  /** The type of a problem that its status describes. */
  public static final String BLANK = "about:blank";

  /** Checks the status and copies the list. */
  public Problem {
    if (status < 400 || status > 599) {
      throw new IllegalArgumentException("status " + status + " is not an error; use 400 to 599");
    }
    allowed = List.copyOf(allowed);
  }
}
