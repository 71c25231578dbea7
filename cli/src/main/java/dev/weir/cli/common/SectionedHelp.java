package dev.weir.cli.common;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/**
 * Help that lists the options of a command by section, if its class or that of a mixin declares any
 * {@link OptionSection}. Options without a section come last, under a heading of their own.
 */
public final class SectionedHelp extends Help {

  /** The heading of options that the command's class has in no section. */
  public static final String OTHER = "Other";

  public SectionedHelp(CommandSpec command, ColorScheme colors) {
    super(command, colors);
  }

  @Override
  public String optionList() {
    Map<String, List<OptionSpec>> sections = sections(commandSpec());
    if (sections.size() < 2) {
      return super.optionList();
    }
    StringBuilder text = new StringBuilder();
    sections.forEach(
        (heading, options) -> {
          // The layout is that of all options, so that their descriptions begin in one column.
          Layout layout = createDefaultLayout();
          layout.addOptions(options, parameterLabelRenderer());
          text.append(String.format("%n%s:%n", heading)).append(layout);
        });
    return text.toString();
  }

  /**
   * Returns the options of a command by heading, in the order of its sections.
   *
   * @throws IllegalArgumentException if a section names an option that the command lacks
   */
  static Map<String, List<OptionSpec>> sections(CommandSpec command) {
    List<OptionSpec> others = new ArrayList<>(command.options());
    Map<String, List<OptionSpec>> sections = new LinkedHashMap<>();
    Stream<Object> declaring =
        Stream.concat(
            Stream.of(command.userObject()),
            command.mixins().values().stream().map(CommandSpec::userObject));
    for (OptionSection section :
        declaring
            .flatMap(one -> Arrays.stream(one.getClass().getAnnotationsByType(OptionSection.class)))
            .toList()) {
      List<OptionSpec> options =
          Arrays.stream(section.options().split(" ")).map(name -> option(command, name)).toList();
      others.removeAll(options);
      sections.put(section.heading(), options);
    }
    if (!others.isEmpty()) {
      sections.put(OTHER, others);
    }
    return sections;
  }

  private static OptionSpec option(CommandSpec command, String name) {
    OptionSpec option = command.findOption(name);
    if (option == null) {
      throw new IllegalArgumentException(command.qualifiedName() + " has no option " + name);
    }
    return option;
  }
}
