package io.github.roram.cli;

import java.util.LinkedHashMap;
import java.util.Map;

/** The exit codes of every command. Scripts depend on them: none ever changes its meaning. */
final class ExitCodes {
  /** All done. */
  static final int OK = 0;

  /** The command failed: a file, the disk, the key. */
  static final int FAILURE = 1;

  /**
   * The command line, or a settings file that it names, is wrong: a value cannot be, or is not one
   * that this store takes; nothing was done.
   */
  static final int USAGE = 2;

  /**
   * The store did not return what was written: mismatches, damage, forgery, rollback; or an audit
   * has told apart what must look alike.
   */
  static final int DATA = 3;

  /** Someone else has the store open; nothing was touched. */
  static final int BUSY = 4;

  /** An audit told nothing apart, and cannot say that nothing shows: it judged too little. */
  static final int UNDECIDED = 5;

  /** A store works, and something about it needs attention. */
  static final int ATTENTION = 6;

  private ExitCodes() {}

  /** Returns the code of a service that ended completely, or did not. */
  static int ofService(boolean complete) {
    return complete ? OK : FAILURE;
  }

  /** Returns the list at the end of every help text. */
  static Map<String, String> descriptions() {
    Map<String, String> list = new LinkedHashMap<>();
    list.put(Integer.toString(OK), "done");
    list.put(Integer.toString(FAILURE), "failed: a file, the disk, a wrong key; the message says");
    list.put(
        Integer.toString(USAGE),
        "the command line, or a value in it or in a settings file, is wrong; nothing was done");
    list.put(
        Integer.toString(DATA),
        "data differs: mismatch, damage, forgery or rollback; or told apart by audit");
    list.put(Integer.toString(BUSY), "another process has the store open; nothing was touched");
    list.put(
        Integer.toString(UNDECIDED),
        "audit judged too little to say that nothing can be told apart");
    list.put(Integer.toString(ATTENTION), "doctor found something that needs attention");
    return list;
  }
}
