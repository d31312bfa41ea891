import { type ResolveFnOutput, registerHooks } from 'node:module'

// Loaded by Node's --import into all that tests start. With each import of Drizzle and each module of it, Node reads what this package
// exports anew: 130 kB, most of all that it computes until a command has its modules. Here it looks once for each name, and not at
// all where one of these modules imports another.

const DRIZZLE = '/node_modules/drizzle-orm/'
const known = new Map<string, ResolveFnOutput>()

registerHooks({
  resolve(specifier, context, next) {
    const { parentURL = '', conditions } = context
    if (parentURL.includes(DRIZZLE) && /^\.\.?\/.*\.js$/.test(specifier))
      return { url: new URL(specifier, parentURL).href, format: 'module', shortCircuit: true }
    // Other packages may have a Drizzle of their own, and what is required is another file.
    const isOurs = !parentURL.includes('/node_modules/') && conditions.includes('import')
    if (!isOurs || !/^drizzle-orm(?:\/|$)/.test(specifier)) return next(specifier, context)
    const found = known.get(specifier) ?? next(specifier, context)
    known.set(specifier, found)
    return { ...found, shortCircuit: true }
  },
})
