/**
 * The server's settings, {@link ServerSettings}, and the file that they stand in, {@link
 * SettingsFile}: each error with file and line.
 */
@NullMarked
package io.github.roram.netserver.config;

import org.jspecify.annotations.NullMarked;
