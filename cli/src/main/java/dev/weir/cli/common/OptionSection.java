package dev.weir.cli.common;

import java.lang.annotation.ElementType;
import java.lang.annotation.Repeatable;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * A section of the options in the help of a command; {@link SectionedHelp} prints sections in the
 * order of their declaration.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.TYPE)
@Repeatable(OptionSection.List.class)
public @interface OptionSection {

  /** Returns the heading, without a colon. */
  String heading();

  /** Returns the names of the options, separated by spaces, in the order of help. */
  String options();

  @Retention(RetentionPolicy.RUNTIME)
  @Target(ElementType.TYPE)
  @interface List {

    /** Returns the sections in order. */
    OptionSection[] value();
  }
}
