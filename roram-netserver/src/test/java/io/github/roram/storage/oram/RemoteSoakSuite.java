package io.github.roram.storage.oram;

import org.junit.jupiter.api.Tag;
import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

/** The property tests of whole ORAMs, unchanged and all of them, on volumes of a server. */
@Suite
@Tag("soak")
@SelectClasses(OramModelPropertyTest.class)
final class RemoteSoakSuite {}
