/**
 * A map ({@code io.github.roram.map}) for clients of Redis: the protocol (RESP 2) and the commands
 * on strings that an oblivious map supports.
 */
@org.jspecify.annotations.NullMarked
package io.github.roram.resp;
