import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../lib/values.ts'
import { LANGUAGES } from '../words/languages.ts'
import { command, runCommand } from './arguments.ts'

const FEATURES = 'src/features'

/** The folders with catalogues: that of the core, and those of features. */
export const wordFolders = (): string[] => [
  'src/words',
  ...(existsSync(FEATURES) ? readdirSync(FEATURES) : [])
    .map(name => join(FEATURES, name, 'words'))
    .filter(folder => existsSync(folder)),
]

/** The texts of a catalogue with values, such as `Page {{n}}`, by key. */
const withValues = (texts: object): object =>
  Object.fromEntries(
    Object.entries(texts)
      .map(([key, text]) => [key, isObject(text) ? withValues(text) : text])
      .filter(([, text]) => (isObject(text) ? Object.keys(text).length > 0 : String(text).includes('{{'))),
  )

const NOTE = '// Made by `npm run words`.'

/** The types of texts with values. From a catalogue alone, the compiler doesn't know the values of its texts. */
const typesOf = (json: string): string =>
  `${NOTE}\nexport type TextsWithValues = ${JSON.stringify(withValues(JSON.parse(json)), null, 2)}\n`

const eachLanguage = (line: (language: string) => string): string => LANGUAGES.map(line).join('\n')

/** In CommonJS, since a module cannot import a file later without waiting for it. */
const READERS = `${NOTE}
// A catalogue is read when its first text is needed: all of them, read at the start, made it a thirtieth longer (npm run bench -- --start).
module.exports = {
${eachLanguage(language => `  ${language}: () => require('./${language}.json'),`)}
}
`

const TYPES_OF_READERS = `${NOTE}
${LANGUAGES.toSorted()
  .map(language => `import type ${language} from './${language}.json'`)
  .join('\n')}

/** Functions that read a language's catalogue. */
declare const catalogues: {
${eachLanguage(language => `  ${language}: () => typeof ${language}`)}
}
export = catalogues
`

/** The files of a folder with catalogues that follow from these, by name. */
export const wordFiles = (folder: string): Readonly<Record<string, string>> => ({
  'texts-with-values.ts': typesOf(readFileSync(join(folder, 'en.json'), 'utf8')),
  'catalogues.cjs': READERS,
  'catalogues.d.cts': TYPES_OF_READERS,
})

const HELP = `Writes the types of the texts with values, and what reads the catalogues, after a change of an
English catalogue or of the languages, in src/words and in the words of each feature.

  npm run words`

if (import.meta.main)
  await runCommand(
    command(HELP, {}, async () => {
      for (const folder of wordFolders())
        for (const [name, text] of Object.entries(wordFiles(folder))) writeFileSync(join(folder, name), text)
    }),
  )
