package io.github.roram.cli;

import io.github.roram.storage.StoreUse;
import java.util.concurrent.Callable;
import picocli.CommandLine.ParentCommand;

/** A command that has arguments of stores. */
abstract class StoreTaker implements Callable<Integer> {

  @ParentCommand RoramCommand roram;

  final StoreArguments store;

  /** Creates a taker of options for these uses. */
  StoreTaker(StoreUse... uses) {
    store = new StoreArguments(uses);
  }
}
