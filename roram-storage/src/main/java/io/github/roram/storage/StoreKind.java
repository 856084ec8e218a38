package io.github.roram.storage;

import java.io.IOException;

/** What can be done with the stores of one URI scheme. */
interface StoreKind {

  /** What comes before the colon. */
  String scheme();

  /** How such a URI is written, with what it means, for error messages. */
  String form();

  /** As {@link Stores#create}; {@code location} is what comes after the colon. */
  OpenedStore create(String location, long capacityBytes, StoreOptions options) throws IOException;

  /** As {@link Stores#open}. */
  OpenedStore open(String location, StoreOptions options) throws IOException;

  /** As {@link Stores#exists}. */
  boolean exists(String location, StoreOptions options) throws IOException;

  /** As {@link Stores#delete}. */
  void delete(String location, StoreOptions options) throws IOException;
}
