import { readFileSync, writeFileSync } from 'node:fs'
import { isObject } from '../lib/values.ts'
import { command, runCommand } from './arguments.ts'

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

const HELP = `Rewrites ${TYPES}, the types of the texts with values, after a change of
${CATALOGUE}.

  npm run words`

if (import.meta.main)
  await runCommand(
    command(HELP, {}, async () => writeFileSync(TYPES, typesOf(readFileSync(CATALOGUE, 'utf8')))),
  )
