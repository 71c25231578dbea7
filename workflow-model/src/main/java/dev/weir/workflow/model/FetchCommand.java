package dev.weir.workflow.model;

import dev.weir.workflow.text.RedactedUrl;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The command of a task that fetches an external input of the workflow. Workers run it themselves,
 * without a process. Its words are {@value #PROGRAM}, the URL, and options of the form {@code
 * name=value}.
 *
 * @param url where the file is
 * @param checksum the checksum of its content, such as {@code sha256:HEX}; empty if not declared
 * @param version what identifies its current content at that place, such as an ETag; empty if
 *     unknown. Another version makes another command, so an earlier result is not reused.
 * @param secret the name of the secret whose value is the whole URL, if {@code url} is redacted;
 *     empty for none
 */
public record FetchCommand(String url, String checksum, String version, String secret) {

  /** The first word of the command. No program has this name. */
  public static final String PROGRAM = "weir:fetch";

  /** The type of these tasks. */
  public static final String TYPE = "fetch";

  /** Hexadecimal digits of checksums by algorithm. */
  private static final Map<String, Integer> DIGITS =
      Map.of("md5", 32, "sha1", 40, "sha256", 64, "sha512", 128);

  private static final Pattern CHECKSUM = Pattern.compile("(md5|sha1|sha256|sha512):([0-9a-f]+)");

  /**
   * Validates the components.
   *
   * @throws IllegalArgumentException if the URL has no scheme or the checksum is malformed
   */
  public FetchCommand {
    if (!isUrl(url)) {
      throw new IllegalArgumentException(
          "'"
              + RedactedUrl.of(url)
              + "' is no URL of a file: write one such as https://HOST/PATH or s3a://BUCKET/PATH");
    }
    checksum = checksum.toLowerCase(Locale.ROOT);
    if (!checksum.isEmpty() && !isChecksum(checksum)) {
      throw new IllegalArgumentException(
          "The checksum '"
              + checksum
              + "' of "
              + RedactedUrl.of(url)
              + " is malformed: write sha256: and 64 hexadecimal digits, or one of md5, sha1 and"
              + " sha512");
    }
  }

  /** Creates the command of a workflow's author. */
  public FetchCommand(String url, String checksum) {
    this(url, checksum, "", "");
  }

  private static boolean isChecksum(String text) {
    var parts = CHECKSUM.matcher(text);
    return parts.matches() && DIGITS.getOrDefault(parts.group(1), 0) == parts.group(2).length();
  }

  /** Returns whether the text is a URL of a file, of any scheme. */
  public static boolean isUrl(String text) {
    return !scheme(text).isEmpty();
  }

  private static String scheme(String url) {
    try {
      URI uri = URI.create(url);
      String scheme = uri.getScheme();
      return scheme == null || uri.isOpaque() || uri.getPath().isEmpty()
          ? ""
          : scheme.toLowerCase(Locale.ROOT);
    } catch (IllegalArgumentException e) {
      return "";
    }
  }

  /** Returns the scheme of the URL in lower case. */
  public String scheme() {
    return scheme(url);
  }

  /** Returns the URL without its secret parts. */
  public String redactedUrl() {
    return RedactedUrl.of(url);
  }

  public List<String> words() {
    List<String> words = new ArrayList<>(List.of(PROGRAM, url));
    add(words, "checksum", checksum);
    add(words, "version", version);
    add(words, "secret", secret);
    return words;
  }

  private static void add(List<String> words, String name, String value) {
    if (!value.isEmpty()) {
      words.add(name + "=" + value);
    }
  }

  /**
   * Returns the fetch that a command describes; empty if it is the command of a program.
   *
   * @throws IllegalArgumentException if it is one of a fetch, and invalid
   */
  public static Optional<FetchCommand> of(List<String> command) {
    if (command.isEmpty() || !command.get(0).equals(PROGRAM)) {
      return Optional.empty();
    }
    if (command.size() < 2) {
      throw new IllegalArgumentException("The command '" + PROGRAM + "' has no URL: add one");
    }
    Map<String, String> options = new HashMap<>();
    for (String word : command.subList(2, command.size())) {
      int equals = word.indexOf('=');
      if (equals > 0) {
        options.put(word.substring(0, equals), word.substring(equals + 1));
      }
    }
    return Optional.of(
        new FetchCommand(
            command.get(1),
            options.getOrDefault("checksum", ""),
            options.getOrDefault("version", ""),
            options.getOrDefault("secret", "")));
  }
}
