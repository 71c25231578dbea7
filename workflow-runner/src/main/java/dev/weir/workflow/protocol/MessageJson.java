package dev.weir.workflow.protocol;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Messages as JSON: the components of a record by their names, and before those of a message its
 * type, which is the name of its class with hyphens. What is zero, false, empty or null is left
 * out. Safe for any thread.
 *
 * <p>Records are all that there is to write, so this looks at their components and leaves Jackson's
 * data binding aside: that takes a JVM five hundred classes and a quarter of a second of a
 * processor, and the first message is what a worker's start ends with.
 */
final class MessageJson {

  private static final String TYPE = "type";

  private final JsonFactory json = new JsonFactory();
  private final Map<String, Class<?>> types = new HashMap<>();
  private final Map<Class<?>, Shape> shapes = new ConcurrentHashMap<>();

  MessageJson() {
    for (Class<?> type : Message.class.getPermittedSubclasses()) {
      types.put(name(type), type);
    }
  }

  /** {@code MayCommit} is {@code may-commit}. */
  private static String name(Class<?> type) {
    return type.getSimpleName().replaceAll("(?<=.)(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
  }

  byte[] write(Message message) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (JsonGenerator out = json.createGenerator(bytes)) {
      out.writeStartObject();
      Shape shape = shape(message.getClass());
      out.writeStringField(TYPE, shape.title);
      shape.writeComponents(out, message);
      out.writeEndObject();
    }
    return bytes.toByteArray();
  }

  /**
   * Reads what {@link #write} has written.
   *
   * @throws IOException when it is something else, or says what no message may say
   */
  Message read(byte[] bytes) throws IOException {
    try (JsonParser in = json.createParser(bytes)) {
      require(in.nextToken() == JsonToken.START_OBJECT, in, "an object");
      require(TYPE.equals(in.nextFieldName()), in, "the type of a message");
      String name = in.nextTextValue();
      Class<?> type = name == null ? null : types.get(name);
      if (type == null) {
        throw new IOException("There is no message of type " + name);
      }
      return (Message) shape(type).readComponents(in);
    }
  }

  private static void require(boolean isThere, JsonParser in, String what) throws IOException {
    if (!isThere) {
      throw new IOException("A message has " + in.currentToken() + " in place of " + what);
    }
  }

  /** Of a record, which may be a part of another. */
  private Shape shape(Class<?> type) {
    Shape known = shapes.get(type);
    if (known == null) {
      known = new Shape(type);
      shapes.put(type, known);
    }
    return known;
  }

  private Form form(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type[] of = generic.getActualTypeArguments();
      return generic.getRawType() == List.class
          ? new ListForm(form(of[0]))
          : new MapForm(form(of[1]));
    }
    Class<?> plain = (Class<?>) type;
    if (plain.isRecord()) {
      return shape(plain);
    }
    if (plain.isEnum()) {
      return new EnumForm(plain);
    }
    Form scalar = Scalar.of(plain);
    if (scalar == null) {
      throw new IllegalStateException("a message cannot have a " + type);
    }
    return scalar;
  }

  /** How values of one type are written and read. */
  private interface Form {

    /** What a component is of which nothing is said. */
    default @Nullable Object absent() {
      return null;
    }

    void write(JsonGenerator out, Object value) throws IOException;

    /** Reads the value at whose first token the parser is; leaves it at the last. */
    Object read(JsonParser in) throws IOException;
  }

  /** Of one token. */
  private enum Scalar implements Form {
    TEXT {
      @Override
      public void write(JsonGenerator out, Object value) throws IOException {
        out.writeString((String) value);
      }

      @Override
      public Object read(JsonParser in) throws IOException {
        require(in.currentToken() == JsonToken.VALUE_STRING, in, "text");
        return in.getText();
      }
    },
    INT {
      @Override
      public Object absent() {
        return 0;
      }

      @Override
      public void write(JsonGenerator out, Object value) throws IOException {
        out.writeNumber((int) value);
      }

      @Override
      public Object read(JsonParser in) throws IOException {
        return in.getIntValue();
      }
    },
    LONG {
      @Override
      public Object absent() {
        return 0L;
      }

      @Override
      public void write(JsonGenerator out, Object value) throws IOException {
        out.writeNumber((long) value);
      }

      @Override
      public Object read(JsonParser in) throws IOException {
        return in.getLongValue();
      }
    },
    BOOLEAN {
      @Override
      public Object absent() {
        return false;
      }

      @Override
      public void write(JsonGenerator out, Object value) throws IOException {
        out.writeBoolean((boolean) value);
      }

      @Override
      public Object read(JsonParser in) throws IOException {
        return in.getBooleanValue();
      }
    };

    static @Nullable Scalar of(Class<?> type) {
      if (type == String.class) {
        return TEXT;
      }
      if (type == int.class || type == Integer.class) {
        return INT;
      }
      if (type == long.class || type == Long.class) {
        return LONG;
      }
      return type == boolean.class || type == Boolean.class ? BOOLEAN : null;
    }
  }

  /** Constants, by their names. */
  private record EnumForm(Class<?> type) implements Form {

    @Override
    public void write(JsonGenerator out, Object value) throws IOException {
      out.writeString(((Enum<?>) value).name());
    }

    @Override
    public Object read(JsonParser in) throws IOException {
      String name = in.getText();
      for (Object constant : type.getEnumConstants()) {
        if (((Enum<?>) constant).name().equals(name)) {
          return constant;
        }
      }
      throw new IOException(type.getSimpleName() + " has no " + name);
    }
  }

  private record ListForm(Form element) implements Form {

    @Override
    public Object absent() {
      return List.of();
    }

    @Override
    public void write(JsonGenerator out, Object value) throws IOException {
      out.writeStartArray();
      for (Object one : (List<?>) value) {
        element.write(out, one);
      }
      out.writeEndArray();
    }

    @Override
    public Object read(JsonParser in) throws IOException {
      require(in.currentToken() == JsonToken.START_ARRAY, in, "a list");
      List<Object> list = new ArrayList<>();
      while (in.nextToken() != JsonToken.END_ARRAY) {
        list.add(element.read(in));
      }
      return list;
    }
  }

  /** Keys are text. */
  private record MapForm(Form value) implements Form {

    @Override
    public Object absent() {
      return Map.of();
    }

    @Override
    public void write(JsonGenerator out, Object map) throws IOException {
      out.writeStartObject();
      for (Map.Entry<?, ?> entry : ((Map<?, ?>) map).entrySet()) {
        out.writeFieldName((String) entry.getKey());
        value.write(out, entry.getValue());
      }
      out.writeEndObject();
    }

    @Override
    public Object read(JsonParser in) throws IOException {
      require(in.currentToken() == JsonToken.START_OBJECT, in, "an object");
      Map<String, Object> map = new LinkedHashMap<>();
      for (String key = in.nextFieldName(); key != null; key = in.nextFieldName()) {
        in.nextToken();
        map.put(key, value.read(in));
      }
      return map;
    }
  }

  /** A record. */
  private final class Shape implements Form {

    private final String title;
    private final Constructor<?> constructor;
    private final List<String> names = new ArrayList<>();
    private final List<Method> accessors = new ArrayList<>();
    private final List<Form> forms = new ArrayList<>();
    private final Map<String, Integer> places = new HashMap<>();

    Shape(Class<?> type) {
      title = name(type);
      RecordComponent[] components = type.getRecordComponents();
      Class<?>[] types = new Class<?>[components.length];
      for (int i = 0; i < components.length; i++) {
        types[i] = components[i].getType();
        names.add(components[i].getName());
        accessors.add(components[i].getAccessor());
        forms.add(form(components[i].getGenericType()));
        places.put(components[i].getName(), i);
      }
      try {
        constructor = type.getDeclaredConstructor(types);
      } catch (NoSuchMethodException e) {
        throw new IllegalStateException("every record has one", e);
      }
    }

    @Override
    public void write(JsonGenerator out, Object value) throws IOException {
      out.writeStartObject();
      writeComponents(out, value);
      out.writeEndObject();
    }

    void writeComponents(JsonGenerator out, Object record) throws IOException {
      for (int i = 0; i < names.size(); i++) {
        Form form = forms.get(i);
        Object value = component(record, i);
        if (value != null && !value.equals(form.absent())) {
          out.writeFieldName(names.get(i));
          form.write(out, value);
        }
      }
    }

    private @Nullable Object component(Object record, int place) {
      try {
        return accessors.get(place).invoke(record);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot ask for " + names.get(place), e);
      }
    }

    @Override
    public Object read(JsonParser in) throws IOException {
      require(in.currentToken() == JsonToken.START_OBJECT, in, "an object");
      return readComponents(in);
    }

    /** What is left of an object. */
    Object readComponents(JsonParser in) throws IOException {
      @Nullable Object[] values = new @Nullable Object[forms.size()];
      for (int i = 0; i < values.length; i++) {
        values[i] = forms.get(i).absent();
      }
      for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
        Integer place = places.get(name);
        if (place == null) {
          String type = constructor.getDeclaringClass().getSimpleName();
          throw new IOException(type + " has no " + name);
        }
        in.nextToken();
        values[place] = forms.get(place).read(in);
      }
      require(in.currentToken() == JsonToken.END_OBJECT, in, "the end of an object");
      return make(values);
    }

    private Object make(@Nullable Object[] values) throws IOException {
      try {
        return constructor.newInstance(values);
      } catch (InvocationTargetException e) {
        throw new IOException(
            "The "
                + constructor.getDeclaringClass().getSimpleName()
                + " of a message cannot be: "
                + e.getCause(),
            e);
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException("cannot make a " + constructor, e);
      }
    }
  }
}
