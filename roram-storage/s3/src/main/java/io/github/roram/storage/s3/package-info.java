/** Objects in a bucket of Amazon S3, or of a server that speaks its protocol. */
@NullMarked
package io.github.roram.storage.s3;

import org.jspecify.annotations.NullMarked;
