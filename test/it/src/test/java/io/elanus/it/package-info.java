/// Whole servers under unmodified clients: SDK and REST calls, crashes, damage, embedding.
///
/// Not null-marked: what the SDK answers is maps whose values a test asserts on, not declares.
package io.elanus.it;
