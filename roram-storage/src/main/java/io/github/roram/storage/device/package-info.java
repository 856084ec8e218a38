/**
 * Counting what a store is asked for, {@link CountingStore} and {@link IoCounts}, and what that
 * would cost on a device, {@link DeviceModel} (rORAM, §III-A and §VII-A).
 */
@NullMarked
package io.github.roram.storage.device;

import org.jspecify.annotations.NullMarked;
