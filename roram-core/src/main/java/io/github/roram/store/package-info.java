/**
 * The contracts of the storage below an ORAM: the untrusted store and the client's own vault.
 *
 * <p>A {@link BlockStore} is an address space of bytes. It pushes and pulls units: {@code read}
 * passes whole buckets from the store's own memory to a sink, and {@code write} asks a source to
 * fill that memory, so a sealed bucket is copied once. The requests of an {@link AsyncBlockStore}
 * return at once: threads make them for any store ({@link RequestPool}), the protocol itself for a
 * block server.
 *
 * <p>The tree engine requests buckets of a {@link BucketStore} by name: tree, level, number of the
 * eviction that writes them, and key epoch. The store decides where they lie; one that does not use
 * rings may write each as an object, once, and {@code discardOlder} says which it may delete.
 *
 * <p>The vault, {@link ClientVault} with its {@link AppendLog}s, is trusted, except that it may be
 * rolled back, which a {@link RollbackGuard} detects.
 */
@NullMarked
package io.github.roram.store;

import org.jspecify.annotations.NullMarked;
