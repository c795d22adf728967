// See bundle.ts.
module.exports = process.getBuiltinModule("node:process");
