/**
 * The front door to ORAMs in stores; stores in memory and in segment files, and decorators of
 * stores.
 *
 * @uses io.github.roram.storage.StoreProvider stores of other modules are found next to ours
 * @uses io.github.roram.storage.ObjectsProvider engines of other modules are found next to ours
 * @provides io.github.roram.storage.ObjectsProvider {@code mem:} and {@code objects:}
 * @provides io.github.roram.storage.StoreProvider {@code file:}, {@code mem:} and {@code striped:}
 */
module io.github.roram.storage {
  requires transitive io.github.roram;
  requires static transitive org.jspecify;
  // Argon2id, for those who have passphrases.
  requires static org.bouncycastle.provider;
  // Direct I/O.
  requires jdk.unsupported;
  requires org.slf4j;

  exports io.github.roram.client;
  exports io.github.roram.storage;
  exports io.github.roram.storage.device;
  exports io.github.roram.storage.file;
  exports io.github.roram.storage.link;
  exports io.github.roram.storage.memory;
  exports io.github.roram.storage.objects;
  exports io.github.roram.storage.view;

  uses io.github.roram.storage.ObjectsProvider;
  uses io.github.roram.storage.StoreProvider;

  provides io.github.roram.storage.ObjectsProvider with
      io.github.roram.storage.file.DirectoryObjectsProvider,
      io.github.roram.storage.memory.MemoryObjectsProvider;
  provides io.github.roram.storage.StoreProvider with
      io.github.roram.storage.file.FileStoreProvider,
      io.github.roram.storage.memory.MemoryStoreProvider,
      io.github.roram.storage.objects.DirectoryStoreProvider,
      io.github.roram.storage.striped.StripedStoreProvider;
}
