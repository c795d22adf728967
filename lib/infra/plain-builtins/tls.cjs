// See bundle.ts.
module.exports = process.getBuiltinModule("node:tls");
