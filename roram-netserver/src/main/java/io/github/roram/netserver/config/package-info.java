/**
 * The server's settings, {@link ServerSettings}, and their file, {@link SettingsFile}, whose errors
 * name file and line.
 */
@NullMarked
package io.github.roram.netserver.config;

import org.jspecify.annotations.NullMarked;
