package io.github.roram.parameters;

import io.github.roram.ConfigurationException;
import io.github.roram.SchemeSettings;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/**
 * The form of the position map of a scheme on the tree engine.
 *
 * @param kind the kind of map: with the client, or on the store
 * @param blocksPerMapBlock consecutive blocks whose labels are in one block of the map; 0 if the
 *     map has no blocks
 * @param clientLabels the most blocks of a map at which the recursion of a new store ends: their
 *     labels are with the client, even if growth adds more; 0 without recursion
 */
public record MapForm(Kind kind, int blocksPerMapBlock, int clientLabels) {

  /** All labels are with the client. */
  public static final MapForm LOCAL = new MapForm(Kind.LOCAL, 0, 0);

  /** All labels are with the client, in a file. */
  public static final MapForm IN_FILE = new MapForm(Kind.FILE, 0, 0);

  static final String NAME = "positionMap";
  static final Set<String> NAMES = Set.of(NAME, "blocksPerMapBlock", "clientLabels");

  /** Kinds of position maps. */
  public enum Kind {
    /** In client memory: 4 bytes a range (rORAM, §V). */
    LOCAL,
    /** With the client, in a file that is mapped into memory: 4 bytes a range of disk. */
    FILE,
    /** In smaller trees on the store, down to a few labels (Path ORAM, section 4). */
    RECURSIVE;

    /** Returns its name in settings. */
    public String id() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /** Returns whether the labels are in trees on the store. */
  public boolean isRecursive() {
    return kind == Kind.RECURSIVE;
  }

  /** Returns whether the labels are in a file of the client. */
  public boolean isInFile() {
    return kind == Kind.FILE;
  }

  static MapForm of(SchemeSettings settings) {
    String kind = settings.text(NAME, Kind.LOCAL.id());
    if (kind.equals(Kind.RECURSIVE.id())) {
      return recursive(settings);
    }
    boolean inFile = kind.equals(Kind.FILE.id());
    if (!inFile && !kind.equals(Kind.LOCAL.id())) {
      throw new ConfigurationException(
          NAME + " is '" + kind + "', must be local, file or recursive");
    }
    for (String name : NAMES) {
      if (!name.equals(NAME) && settings.has(name)) {
        throw new ConfigurationException(
            name + " is of a recursive position map; leave it out, or set positionMap=recursive");
      }
    }
    return inFile ? IN_FILE : LOCAL;
  }

  private static MapForm recursive(SchemeSettings settings) {
    int blocks =
        settings.number("blocksPerMapBlock", 64, 2, 1024, "64 make blocks of 256 to 512 bytes");
    if (Integer.bitCount(blocks) != 1) {
      throw new ConfigurationException(
          "blocksPerMapBlock is " + blocks + ", must be a power of two, as 64");
    }
    int labels =
        settings.number("clientLabels", 1024, 1, 1 << 30, "the client holds 4 bytes for each");
    return new MapForm(Kind.RECURSIVE, blocks, labels);
  }

  /** Adds the values that differ from the defaults. */
  void addTo(Map<String, String> settings) {
    if (isRecursive()) {
      settings.put(NAME, kind.id());
      settings.put("blocksPerMapBlock", String.valueOf(blocksPerMapBlock));
      settings.put("clientLabels", String.valueOf(clientLabels));
    } else if (isInFile()) {
      settings.put(NAME, kind.id());
    }
  }
}
