/** An experiment as somebody else would add one: nothing in it is of this project's packages. */
@NullMarked
package example.experiment;

import org.jspecify.annotations.NullMarked;
