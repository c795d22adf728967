// See builtinWrappers in ../bundle.ts.
module.exports = process.getBuiltinModule("node:util");
