/** Master keys wrapped under a passphrase, by Argon2, or under another key. */
module io.github.roram.passphrase {
  requires transitive io.github.roram;
  requires static transitive org.jspecify;
  requires org.bouncycastle.provider;

  exports io.github.roram.passphrase;
}
