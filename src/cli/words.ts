import { readFileSync, writeFileSync } from 'node:fs'

const CATALOGUE = 'src/words/en.json'
const TYPES = 'src/words/en.d.json.ts'

/** The declaration of the English catalogue, with each text as a type of its own: a JSON import would only give `string`. */
export const typesOf = (json: string): string =>
  `// Made of en.json by \`npm run words\`.\ndeclare const en: ${JSON.stringify(JSON.parse(json), null, 2)}\nexport default en\n`

/** `npm run words`: writes the types of the texts again after a change of the English catalogue. */
if (import.meta.main) writeFileSync(TYPES, typesOf(readFileSync(CATALOGUE, 'utf8')))
