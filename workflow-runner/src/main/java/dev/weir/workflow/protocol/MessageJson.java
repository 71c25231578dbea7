package dev.weir.workflow.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Serializes messages as JSON. The fields are the components of the record by their names. A
 * message starts with its type, the name of its class with hyphens. Numbers, booleans, lists and
 * maps that are zero, false or empty are omitted; other values are always written. Thread-safe.
 *
 * <p>Messages consist of records only, so this reads their components by reflection instead of
 * Jackson's data binding. Data binding would load five hundred classes and take a quarter of a
 * second of processor time in the start of each worker.
 */
final class MessageJson {

  private static final String TYPE = "type";

  /**
   * Does not intern field names, because keys of maps are field names and their number is
   * unlimited.
   */
  private final JsonFactory json =
      JsonFactory.builder()
          .disable(JsonFactory.Feature.INTERN_FIELD_NAMES)
          .disable(JsonFactory.Feature.FAIL_ON_SYMBOL_HASH_OVERFLOW)
          .build();

  private final Map<String, Class<?>> types = new HashMap<>();
  private final Map<Class<?>, String> titles = new HashMap<>();
  private final Map<Class<?>, RecordShape> shapes = new ConcurrentHashMap<>();

  MessageJson() {
    for (Class<?> type : Message.class.getPermittedSubclasses()) {
      types.put(title(type), type);
      titles.put(type, title(type));
    }
  }

  /** {@code MayCommit} is {@code may-commit}. */
  private static String title(Class<?> type) {
    return type.getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  private RecordShape shape(Class<?> type) {
    RecordShape known = shapes.get(type);
    return known == null ? shapes.computeIfAbsent(type, RecordShape::of) : known;
  }

  byte[] write(Message message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = json.createGenerator(bytes)) {
      out.writeStartObject();
      out.writeStringField(TYPE, titles.get(message.getClass()));
      writeComponents(out, message);
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }

  private void writeComponents(JsonGenerator out, Object record) throws IOException {
    RecordShape shape = shape(record.getClass());
    for (int place = 0; place < shape.size(); place++) {
      Object value = shape.value(record, place);
      if (!value.equals(shape.defaultValue(place))) {
        out.writeFieldName(shape.name(place));
        write(out, value);
      }
    }
  }

  private void write(JsonGenerator out, Object value) throws IOException {
    if (value instanceof String text) {
      out.writeString(text);
    } else if (value instanceof Integer || value instanceof Long) {
      out.writeNumber(((Number) value).longValue());
    } else if (value instanceof Boolean is) {
      out.writeBoolean(is);
    } else if (value instanceof Enum<?> constant) {
      out.writeString(constant.name());
    } else if (value instanceof List<?> list) {
      out.writeStartArray();
      for (Object element : list) {
        write(out, element);
      }
      out.writeEndArray();
    } else {
      out.writeStartObject();
      if (value instanceof Map<?, ?> map) {
        for (Map.Entry<?, ?> entry : map.entrySet()) {
          out.writeFieldName((String) entry.getKey());
          write(out, entry.getValue());
        }
      } else {
        writeComponents(out, value);
      }
      out.writeEndObject();
    }
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IOException if the data is not a valid message
   */
  Message read(byte[] bytes) throws IOException {
    try (JsonParser in = json.createParser(bytes)) {
      require(in.nextToken() == JsonToken.START_OBJECT, in, "an object");
      require(TYPE.equals(in.nextFieldName()), in, "the type of a message");
      String title = in.nextTextValue();
      Class<?> type = title == null ? null : types.get(title);
      if (type == null) {
        throw new IOException("Unknown message type " + title);
      }
      Message message = (Message) readComponents(in, shape(type));
      require(in.nextToken() == null, in, "its end");
      return message;
    }
  }

  private static void require(boolean present, JsonParser in, String what) throws IOException {
    if (!present) {
      throw new IOException("A message has " + in.currentToken() + " instead of " + what);
    }
  }

  /** Reads the remaining fields of an object. */
  private Object readComponents(JsonParser in, RecordShape shape) throws IOException {
    @Nullable Object[] values = new @Nullable Object[shape.size()];
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      int place = shape.place(name);
      if (values[place] != null) {
        throw new IOException(shape + " has " + name + " twice");
      }
      in.nextToken();
      values[place] = read(in, shape.type(place));
    }
    return shape.make(values);
  }

  /** Reads a value. The parser is at its first token before and at its last token afterwards. */
  private Object read(JsonParser in, Type type) throws IOException {
    if (type == String.class) {
      require(in.currentToken() == JsonToken.VALUE_STRING, in, "text");
      return in.getText();
    }
    if (type == boolean.class) {
      return in.getBooleanValue();
    }
    if (type == int.class || type == long.class || type == Long.class) {
      require(in.currentToken() == JsonToken.VALUE_NUMBER_INT, in, "a whole number");
      return type == int.class ? (Object) in.getIntValue() : (Object) in.getLongValue();
    }
    if (type instanceof ParameterizedType generic) {
      Type[] of = generic.getActualTypeArguments();
      return of.length == 1 ? readList(in, of[0]) : readMap(in, of[1]);
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isEnum()) {
      return readConstant(in, plain);
    }
    require(in.currentToken() == JsonToken.START_OBJECT, in, "an object");
    return readComponents(in, shape(plain));
  }

  private static Object readConstant(JsonParser in, Class<?> type) throws IOException {
    String name = in.getText();
    for (Object constant : type.getEnumConstants()) {
      if (((Enum<?>) constant).name().equals(name)) {
        return constant;
      }
    }
    throw new IOException(type.getSimpleName() + " has no " + name);
  }

  private List<Object> readList(JsonParser in, Type element) throws IOException {
    require(in.currentToken() == JsonToken.START_ARRAY, in, "a list");
    List<Object> list = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      list.add(read(in, element));
    }
    return list;
  }

  /** Reads a map with text keys. */
  private Map<String, Object> readMap(JsonParser in, Type value) throws IOException {
    require(in.currentToken() == JsonToken.START_OBJECT, in, "an object");
    Map<String, Object> map = new HashMap<>();
    for (String key = in.nextFieldName(); key != null; key = in.nextFieldName()) {
      in.nextToken();
      if (map.put(key, read(in, value)) != null) {
        throw new IOException("A message has " + key + " twice");
      }
    }
    return map;
  }
}
