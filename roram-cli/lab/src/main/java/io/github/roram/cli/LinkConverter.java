package io.github.roram.cli;

import io.github.roram.storage.link.Link;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Links on the command line, as in 12ms,11MB/s. */
final class LinkConverter implements ITypeConverter<Link> {

  @Override
  public Link convert(String value) {
    try {
      return Link.parse(value);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(String.valueOf(e.getMessage()));
    }
  }
}
