/** The auditor: runs workloads that must look alike, and judges what observers saw of them. */
@NullMarked
package io.github.roram.auditor;

import org.jspecify.annotations.NullMarked;
