/** What an audit found, as text, JSON and a page of HTML with pictures. */
@NullMarked
package io.github.roram.auditor.report;

import org.jspecify.annotations.NullMarked;
