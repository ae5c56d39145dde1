// Package spec reads a pipeline file: YAML in, a positioned [File] and every fault at once out.
//
// # Positions
//
// Everything that came from the file knows where it stands there. A [Node] is a YAML value after its
// ${NAME}s were put in; [Node.At] gives the place in the file of a byte within a scalar, through quotes,
// escapes and block scalars, so that a fault inside an expression is shown at its own column.
//
// # Text, not types
//
// A scalar is kept as the text that was written. What it means is decided by the option that it is decoded
// into (see [Decode]): `no` is the text no where a path is wanted, `010` is ten where a number is wanted, and
// a date never becomes a time. YAML's own guesses about types are not used.
//
// # Faults
//
// A [Diagnostic] says where, what, and what to do, and names a [Rule]. Nothing stops at the first fault: a
// line that is no YAML is reported and left out, and the rest of the file is read all the same. A part of the
// file whose value isn't known (a broken line, a variable that is not set) is marked [Node.Unset], so that one
// fault brings no others with it.
//
// # Secrets
//
// Values from the environment are marked [Node.Secret]; messages show them as they are written in the file,
// by [Node.Quote].
package spec
