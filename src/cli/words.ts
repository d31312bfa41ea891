import { readFileSync, writeFileSync } from 'node:fs'
import { isObject } from '../lib/values.ts'

const CATALOGUE = 'src/words/en.json'
const TYPES = 'src/words/texts-with-values.ts'

/** The texts of a catalogue with values, such as `Page {{n}}`, by key. */
const withValues = (texts: object): object =>
  Object.fromEntries(
    Object.entries(texts)
      .map(([key, text]) => [key, isObject(text) ? withValues(text) : text])
      .filter(([, text]) => (isObject(text) ? Object.keys(text).length > 0 : String(text).includes('{{'))),
  )

/** The types of texts with values. From a catalogue alone, the compiler doesn't know the values of its texts. */
export const typesOf = (json: string): string =>
  `// Made of en.json by \`npm run words\`.\nexport type TextsWithValues = ${JSON.stringify(withValues(JSON.parse(json)), null, 2)}\n`

/** `npm run words`: rewrites the types of the texts after a change of the English catalogue. */
if (import.meta.main) writeFileSync(TYPES, typesOf(readFileSync(CATALOGUE, 'utf8')))
