/// Fakes, contract suites and generators for tests of every module.
///
/// Start with [TestThreads] (a whole node on one thread, driven by the test) and [Seeds]. Fakes are
/// honest: each passes the contract suite of its SPI, and can be told to fail.
@NullMarked
package io.elanus.testkit;

import org.jspecify.annotations.NullMarked;
