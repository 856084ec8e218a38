package io.github.roram.auditor.judge;

import io.github.roram.storage.view.Observer;
import java.util.List;

/** Judges runs by themselves, without another side. */
interface ViewCheck {

  /** Whose view it judges. */
  Observer observer();

  /** What it checks, in a few words. */
  String name();

  /** Judges runs of one configuration together. */
  Outcome judge(List<Seen> runs);
}
