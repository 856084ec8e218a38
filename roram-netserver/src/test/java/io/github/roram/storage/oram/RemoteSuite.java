package io.github.roram.storage.oram;

import org.junit.platform.suite.api.SelectClasses;
import org.junit.platform.suite.api.Suite;

/** The suites of what a server sees, unchanged, on volumes of a server. */
@Suite
@SelectClasses({ServerViewTest.class, LabelViewTest.class})
final class RemoteSuite {}
