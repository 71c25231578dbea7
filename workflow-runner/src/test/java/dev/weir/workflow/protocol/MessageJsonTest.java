package dev.weir.workflow.protocol;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageJsonTest {

  private final MessageJson json = new MessageJson();

  static Stream<Message> messages() {
    return MessageCodecTest.messages();
  }

  @Test
  void allMessagesAreTested() {
    assertThat(messages().map(message -> (Object) message.getClass()).distinct())
        .containsExactlyInAnyOrder((Object[]) Message.class.getPermittedSubclasses());
  }

  @ParameterizedTest
  @MethodSource("messages")
  void messagesRoundTrip(Message message) throws IOException {
    assertThat(json.read(json.write(message))).isEqualTo(message);
  }

  @Test
  void jsonHasTypeAndComponents() throws IOException {
    assertThat(text(new Message.MayCommit("a \"b\"\n\u00e9", 2)))
        .isEqualTo("{\"type\":\"may-commit\",\"task\":\"a \\\"b\\\"\\n\u00e9\",\"attempt\":2}");
  }

  @Test
  void nestedRecordsHaveNoType() throws IOException {
    HeldAttempt held = new HeldAttempt("t", 1, 5_000_000_000L, true, false);
    assertThat(text(new Message.InHand(List.of(held))))
        .startsWith("{\"type\":\"in-hand\",\"attempts\":[{\"task\":\"t\",\"attempt\":1,")
        .contains(":5000000000,");
  }

  @Test
  void defaultValuesAreOmitted() throws IOException {
    assertThat(text(new Message.InHand(List.of()))).isEqualTo("{\"type\":\"in-hand\"}");
    assertThat(text(new Message.TransferOver(0, false, 0)))
        .isEqualTo("{\"type\":\"transfer-over\"}");
    assertThat(text(new Message.CacheNews(Map.of(), List.of())))
        .isEqualTo("{\"type\":\"cache-news\"}");
    assertThat(text(new Message.ShowLog(""))).isEqualTo("{\"type\":\"show-log\",\"task\":\"\"}");
  }

  @Test
  void zeroInAListIsWritten() throws IOException {
    Message news = new Message.CacheNews(Map.of("/a", 0L), List.of("", "/b"));
    assertThat(text(news))
        .isEqualTo("{\"type\":\"cache-news\",\"kept\":{\"/a\":0},\"gone\":[\"\",\"/b\"]}");
    assertThat(json.read(json.write(news))).isEqualTo(news);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "[]|START_ARRAY instead of an object",
        "{}|END_OBJECT instead of the type of a message",
        "{\"task\":\"a\",\"type\":\"show-log\"}|instead of the type of a message",
        "{\"type\":\"java.lang.Runtime\"}|Unknown message type java.lang.Runtime",
        "{\"type\":7}|Unknown message type null",
        "{\"type\":\"show-log\",\"secret\":\"a\"}|ShowLog has no secret",
        "{\"type\":\"show-log\",\"task\":7}|VALUE_NUMBER_INT instead of text",
        "{\"type\":\"show-log\",\"task\":null}|VALUE_NULL instead of text",
        "{\"type\":\"show-log\"}|ShowLog without task",
        "{\"type\":\"show-log\",\"task\":\"a\",\"task\":\"a\"}|ShowLog has task twice",
        "{\"type\":\"show-log\",\"task\":\"a\"}{}|START_OBJECT instead of its end",
        "{\"type\":\"run\"}|Run without order",
        "{\"type\":\"run\",\"order\":null}|VALUE_NULL instead of an object",
        "{\"type\":\"recall\",\"attempt\":\"one\"}|VALUE_STRING instead of a whole number",
        "{\"type\":\"recall\",\"attempt\":null}|VALUE_NULL instead of a whole number",
        "{\"type\":\"recall\",\"attempt\":1.5}|VALUE_NUMBER_FLOAT instead of a whole" + " number",
        "{\"type\":\"noted\",\"reports\":9223372036854775808}|out of range of long",
        "{\"type\":\"permit\",\"granted\":1}|not of boolean type",
        "{\"type\":\"recall\",\"attempt\":5000000000}|out of range of int",
        "{\"type\":\"in-hand\",\"attempts\":{}}|START_OBJECT instead of a list",
        "{\"type\":\"in-hand\",\"attempts\":[7]}|VALUE_NUMBER_INT instead of an object",
        "{\"type\":\"in-hand\",\"attempts\":[[[[[[[[|START_ARRAY instead of an object",
        "{\"type\":\"in-hand\",\"attempts\":[|end-of-input",
        "{\"type\":\"cache-news\",\"kept\":[]}|START_ARRAY instead of an object",
        "{\"type\":\"cache-news\",\"kept\":{\"/a\":1,\"/a\":1}}|has /a twice",
        "{\"type\":\"ended\",\"report\":{\"result\":\"WELL\"}}|Result has no WELL",
        "{\"type\":\"ended\",\"report\":{\"result\":null}}|Result has no null",
        "{\"type\":\"ended\",\"report\":{\"effort\":{\"cpuMillis\":-7}}}|The ResourceUse of a message",
      })
  void invalidMessagesAreRefused(String text, String reason) {
    assertThatThrownBy(() -> json.read(text.getBytes(UTF_8)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining(reason);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "GET / HTTP/1.1", "\u0000\u0001"})
  void invalidJsonIsRefused(String text) {
    assertThatThrownBy(() -> json.read(text.getBytes(UTF_8))).isInstanceOf(IOException.class);
  }

  /**
   * Invalid input never throws unchecked exceptions, so the reading thread can close the
   * connection.
   */
  @ParameterizedTest
  @MethodSource("messages")
  void alteredBytesAreAMessageOrRefused(Message message) throws IOException {
    Random random = new Random(7);
    for (int i = 0; i < 2_000; i++) {
      byte[] altered = altered(json.write(message), random);
      try {
        assertThat(json.read(altered)).isNotNull();
      } catch (IOException e) {
        assertThat(e).as(new String(altered, UTF_8)).hasMessageMatching("(?s).+");
      }
    }
  }

  /** Truncates the bytes, changes one, or repeats or removes a part. */
  private static byte[] altered(byte[] bytes, Random random) {
    int from = random.nextInt(bytes.length);
    int to = from + random.nextInt(Math.min(20, bytes.length - from));
    String text = new String(bytes, ISO_8859_1);
    String altered =
        switch (random.nextInt(4)) {
          case 0 -> text.substring(0, from);
          case 1 -> text.substring(0, from) + (char) random.nextInt(256) + text.substring(from + 1);
          case 2 -> text.substring(0, to) + text.substring(from);
          default -> text.substring(0, from) + text.substring(to);
        };
    return altered.getBytes(ISO_8859_1);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "\u0000\u001f\u007f\"\\/", "\u00e9\u6f22\ufffe", "\ud834\udd1e \udbff\udfff"})
  void anyTextRoundTrips(String text) throws IOException {
    Message news = new Message.CacheNews(Map.of(text, Long.MIN_VALUE), List.of(text));
    assertThat(json.read(json.write(news))).isEqualTo(news);
  }

  @Test
  void recordWithANullComponentIsNotWritten() throws ReflectiveOperationException {
    Message none =
        Message.Run.class.getConstructor(TaskOrder.class).newInstance(new Object[] {null});
    assertThatThrownBy(() -> json.write(none))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Run without order");
  }

  /** Data binding would load most classes before a worker's first message. */
  @Test
  void messagesNeedNoDataBinding() throws Exception {
    URL[] path =
        Arrays.stream(System.getProperty("java.class.path").split(java.io.File.pathSeparator))
            .map(MessageJsonTest::url)
            .toArray(URL[]::new);
    try (URLClassLoader without =
        new URLClassLoader(path, ClassLoader.getPlatformClassLoader()) {
          @Override
          protected Class<?> findClass(String name) throws ClassNotFoundException {
            if (name.startsWith("com.fasterxml.jackson.databind.")) {
              throw new ClassNotFoundException(name);
            }
            return super.findClass(name);
          }
        }) {
      Object codec = made(without.loadClass(MessageJson.class.getName()));
      Object message =
          without
              .loadClass(Message.ShowLog.class.getName())
              .getConstructor(String.class)
              .newInstance("a");
      Method write =
          codec.getClass().getDeclaredMethod("write", without.loadClass(Message.class.getName()));
      write.setAccessible(true);
      Method read = codec.getClass().getDeclaredMethod("read", byte[].class);
      read.setAccessible(true);

      assertThat(read.invoke(codec, write.invoke(codec, message))).isEqualTo(message);
    }
  }

  private static Object made(Class<?> type) throws ReflectiveOperationException {
    Constructor<?> constructor = type.getDeclaredConstructor();
    constructor.setAccessible(true);
    return constructor.newInstance();
  }

  private static URL url(String entry) {
    try {
      return java.nio.file.Path.of(entry).toUri().toURL();
    } catch (java.net.MalformedURLException e) {
      throw new IllegalArgumentException(entry, e);
    }
  }

  private String text(Message message) throws IOException {
    return new String(json.write(message), UTF_8);
  }
}
