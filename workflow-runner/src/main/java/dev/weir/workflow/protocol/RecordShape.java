package dev.weir.workflow.protocol;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How records of one class are taken apart and made. Safe for any thread. */
final class RecordShape {

  private final Constructor<?> constructor;
  private final RecordComponent[] components;
  private final Type[] types;
  private final @Nullable Object[] unsaid;

  private RecordShape(Constructor<?> constructor, RecordComponent[] components) {
    this.constructor = constructor;
    this.components = components;
    this.types = constructor.getGenericParameterTypes();
    this.unsaid = new @Nullable Object[components.length];
    for (int place = 0; place < components.length; place++) {
      unsaid[place] = unsaid(components[place].getType());
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
      throw new IllegalStateException("every record has one", e);
    }
  }

  /** How many components they have. */
  int size() {
    return components.length;
  }

  /**
   * The place of a component among the others.
   *
   * @throws IOException when there is none of that name
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

  /** What a component is of which nothing is said; null when something must be. */
  @Nullable Object unsaid(int place) {
    return unsaid[place];
  }

  private static @Nullable Object unsaid(Class<?> type) {
    if (type == boolean.class) {
      return false;
    }
    if (type == int.class) {
      return 0;
    }
    if (type == long.class) {
      return 0L;
    }
    return type == List.class ? List.of() : type == Map.class ? Map.of() : null;
  }

  /** A component of a record. */
  Object value(Object record, int place) throws IOException {
    try {
      return present(components[place].getAccessor().invoke(record), place);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot ask for " + components[place], e);
    }
  }

  /**
   * A record.
   *
   * @param values its components in order, null where nothing is said of one
   * @throws IOException when one is missing, or the record takes exception to them
   */
  Object make(@Nullable Object[] values) throws IOException {
    for (int place = 0; place < values.length; place++) {
      values[place] = present(values[place] == null ? unsaid(place) : values[place], place);
    }
    try {
      return constructor.newInstance(values);
    } catch (InvocationTargetException e) {
      throw new IOException("The " + this + " of a message cannot be: " + e.getCause(), e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make a " + this, e);
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
