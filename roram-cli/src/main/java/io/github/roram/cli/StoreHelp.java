package io.github.roram.cli;

import io.github.roram.storage.StoreProvider;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.UsageMessageSpec;

/** Adds the kinds of stores that there are to the help of the whole command. */
final class StoreHelp {

  private static final String SECTION = "stores";

  private StoreHelp() {}

  static void addTo(CommandSpec root, List<StoreProvider> kinds) {
    UsageMessageSpec usage = root.usageMessage();
    usage.sectionMap().put(SECTION, help -> render(help, kinds));
    var keys = new ArrayList<>(usage.sectionKeys());
    keys.add(keys.indexOf(UsageMessageSpec.SECTION_KEY_EXIT_CODE_LIST_HEADING), SECTION);
    usage.sectionKeys(keys);
  }

  private static String render(Help help, List<StoreProvider> providers) {
    Map<String, String> kinds = new LinkedHashMap<>();
    for (StoreProvider provider : providers) {
      kinds.put(provider.form(), provider.about());
    }
    return String.format("%nStores:%n") + help.createTextTable(kinds);
  }
}
