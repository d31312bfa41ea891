import { registerHooks } from 'node:module'

// Loaded by Node's --import into all that tests start. With each module of Drizzle, Node reads what this package exports anew: 130 kB,
// four fifths of all that it computes until a command has its modules. What these modules import of one another needs no look at it.

const DRIZZLE = '/node_modules/drizzle-orm/'

registerHooks({
  resolve: (specifier, context, next) =>
    context.parentURL?.includes(DRIZZLE) && /^\.\.?\/.*\.js$/.test(specifier)
      ? { url: new URL(specifier, context.parentURL).href, format: 'module', shortCircuit: true }
      : next(specifier, context),
})
