package dev.weir.workflow.protocol;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Reads the components of records of one class, and creates such records. Thread-safe. */
final class RecordShape {

  private final Constructor<?> constructor;
  private final RecordComponent[] components;
  private final Type[] types;
  private final @Nullable Object[] defaults;

  private RecordShape(Constructor<?> constructor, RecordComponent[] components) {
    this.constructor = constructor;
    this.components = components;
    this.types = constructor.getGenericParameterTypes();
    this.defaults = new @Nullable Object[components.length];
    for (int place = 0; place < components.length; place++) {
      defaults[place] = defaultValue(components[place].getType());
    }
  }

  static RecordShape of(Class<?> type) {
    RecordComponent[] components = type.getRecordComponents();
    if (components == null) {
      throw new IllegalStateException("a message cannot have a " + type);
    }
    Class<?>[] types = new Class<?>[components.length];
    for (int place = 0; place < types.length; place++) {
      types[place] = components[place].getType();
    }
    try {
      return new RecordShape(type.getDeclaredConstructor(types), components);
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("every record has a canonical constructor", e);
    }
  }

  /** Returns the number of components. */
  int size() {
    return components.length;
  }

  /**
   * Returns the index of a component.
   *
   * @throws IOException if there is none of that name
   */
  int place(String name) throws IOException {
    for (int place = 0; place < components.length; place++) {
      if (name(place).equals(name)) {
        return place;
      }
    }
    throw new IOException(this + " has no " + name);
  }

  String name(int place) {
    return components[place].getName();
  }

  Type type(int place) {
    return types[place];
  }

  /** Returns the value of an omitted component; null if the component is required. */
  @Nullable Object defaultValue(int place) {
    return defaults[place];
  }

  private static @Nullable Object defaultValue(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    if (type == NodeContent.class) {
      return NodeContent.NONE;
    }
    return type == List.class ? List.of() : type == Map.class ? Map.of() : null;
  }

  Object value(Object record, int place) throws IOException {
    try {
      return present(components[place].getAccessor().invoke(record), place);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot read " + components[place], e);
    }
  }

  /**
   * Creates a record.
   *
   * @param values its components in order, null for omitted ones
   * @throws IOException if one is missing, or the record rejects them
   */
  Object make(@Nullable Object[] values) throws IOException {
    for (int place = 0; place < values.length; place++) {
      values[place] = present(values[place] == null ? defaultValue(place) : values[place], place);
    }
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IOException("The " + this + " of a message is invalid: " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot create a " + this, e);
    }
  }

  private Object present(@Nullable Object value, int place) throws IOException {
    if (value == null) {
      throw new IOException(this + " without " + name(place));
    }
    return value;
  }

  @Override
  public String toString() {
    return constructor.getDeclaringClass().getSimpleName();
  }
}
