package io.github.roram.storage.remote;

/** Makes durable what was acknowledged before. */
final class SyncRounds implements Rounds {

  private final RemoteLine line;
  private boolean asked;

  SyncRounds(RemoteLine line) {
    this.line = line;
  }

  @Override
  public boolean hasNext() {
    return !asked;
  }

  @Override
  public Round next(Connection connection) {
    asked = true;
    return line.newSync();
  }
}
