/// Filter text to typed tree: start at [io.elanus.engine.expr.parse.Filters]. Lexer, Pratt parser,
/// name resolution and type rules of the expression contract.
@NullMarked
package io.elanus.engine.expr.parse;

import org.jspecify.annotations.NullMarked;
