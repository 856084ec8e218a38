/**
 * What an ORAM asks of the storage below it: the untrusted store and the client's own vault.
 *
 * <p>A {@link BlockStore} is an address space of bytes. It pushes and pulls units: {@code read}
 * hands whole buckets to a sink from the store's own memory, {@code write} asks a source to fill
 * it, so a sealed bucket is copied once. As an {@link AsyncBlockStore} its requests return at once:
 * by threads for any store ({@link PooledBlockStore}), by the protocol itself on a block server.
 *
 * <p>The tree engine asks a {@link BucketStore} for buckets by name: tree, level, number of the
 * eviction that writes them, and key epoch. The store decides where they lie; one that does not use
 * rings may write each as an object, once, and {@code discardOlder} says which it may delete.
 *
 * <p>The vault, {@link ClientVault} with its {@link AppendLog}s, is trusted, except for going back
 * in time, which a {@link RollbackGuard} finds.
 */
@NullMarked
package io.github.roram.store;

import org.jspecify.annotations.NullMarked;
