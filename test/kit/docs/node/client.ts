import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

/** A project that has the typed client, and another TypeScript than the service. */
export const CLIENT = join(import.meta.dirname, '../../../client')

/** Its compiler. */
export const TSC = join(
  dirname(createRequire(join(CLIENT, 'package.json')).resolve('typescript/package.json')),
  'bin/tsc',
)
