import { dirname, join, normalize } from 'node:path'

const IMPORT =
  /^(?:import|(export))\b[^'"]*?\bfrom '([^']+)'|^import '([^']+)'|\b(?:import|require)\('([^']+)'\)/gms

/** An import of a file: a path in the project, or the name of a package. */
type Import = { name: string; isPassedOn: boolean }

/** What a file imports. `isPassedOn` is true for what it exports again, as an index does. */
export const importsIn = (file: string, text: string): Import[] =>
  [...text.matchAll(IMPORT)].map(([, again, from, bare, later]) => {
    const name = from ?? bare ?? later ?? ''
    return {
      name: name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
      isPassedOn: again !== undefined,
    }
  })
