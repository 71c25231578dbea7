package dev.weir.cli.cluster;

import dev.weir.cluster.plan.LinkRate;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads the rate of a link from the command line. */
public final class LinkRateConverter implements ITypeConverter<LinkRate> {
  @Override
  public LinkRate convert(String value) {
    try {
      return LinkRate.parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
