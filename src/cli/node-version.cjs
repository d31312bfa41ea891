// Loaded before each command by Node's --require, in syntax that older versions know: they would fail at the first file in
// TypeScript, with ERR_UNKNOWN_FILE_EXTENSION and a stack.
if (!process.features.typescript) {
  console.error(
    'Node.js ' +
      process.versions.node +
      ' cannot run this. npm ci, with Node.js 20 or newer, brings a version that npm run uses.',
  )
  process.exit(2)
}
