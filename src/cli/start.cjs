// Loaded before each command by Node's --require.
const { enableCompileCache, registerHooks } = require('node:module')
const { join } = require('node:path')

// In syntax that older versions know: they would fail at the first file in TypeScript, with ERR_UNKNOWN_FILE_EXTENSION and a stack.
if (!process.features.typescript) {
  console.error(
    'Node.js ' +
      process.versions.node +
      ' cannot run this. npm ci, with Node.js 20 or newer, brings a version that npm run uses.',
  )
  process.exit(2)
}

// What was compiled once is kept, for the processes that a command starts as well: a quarter of each start.
if (!process.env.NODE_COMPILE_CACHE)
  process.env.NODE_COMPILE_CACHE = join(__dirname, '../../node_modules/.cache/compiled')
enableCompileCache(process.env.NODE_COMPILE_CACHE)

// Node parses the 180 KB of Drizzle's package.json anew for each import of Drizzle, and for each import of one of its files by
// another: half a second of each command that opens a database.
const IN_DRIZZLE = /\/node_modules\/drizzle-orm\/.*\.js$/
const found = new Map()
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('.') && IN_DRIZZLE.test(context.parentURL))
      return { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
    if (!specifier.startsWith('drizzle-orm')) return next(specifier, context)
    const key = `${specifier} ${context.conditions}`
    if (!found.has(key)) found.set(key, next(specifier, context))
    return { ...found.get(key), shortCircuit: true }
  },
})
