package io.github.roram.cli;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.lang.reflect.Field;
import picocli.CommandLine.Model.OptionSpec;

/** The sections of options in a help text, in their order. */
enum HelpSection {
  /** Shown by {@code -h}, too; the default section for a command's own options. */
  ESSENTIAL("Essential"),
  KEY("Key (roram help keys)"),
  WHERE("Where the store is (roram help store)"),
  MORE("More"),
  TUNING("Tuning"),
  ALWAYS("With every command");

  private final String title;

  HelpSection(String title) {
    this.title = title;
  }

  /** Returns the section of an option, or of all options of a class. */
  @Retention(RetentionPolicy.RUNTIME)
  @Target({ElementType.FIELD, ElementType.TYPE})
  @interface In {
    HelpSection value();
  }

  String title() {
    return title;
  }

  /** Returns the section of an option: that of its field, or else of the class that declares it. */
  static HelpSection of(OptionSpec option) {
    if (option.usageHelp() || option.versionHelp()) {
      return ALWAYS;
    }
    if (!(option.userObject() instanceof Field field)) {
      // No field: a provider of stores declares it.
      return WHERE;
    }
    In own = field.getAnnotation(In.class);
    In all = own != null ? own : field.getDeclaringClass().getAnnotation(In.class);
    return all == null ? ESSENTIAL : all.value();
  }
}
