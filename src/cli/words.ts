import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { messageOf } from '../lib/errors.ts'
import { isObject } from '../lib/values.ts'
import { LANGUAGES } from '../words/languages.ts'
import { command, runCommand, UsageError } from './arguments.ts'

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

type Texts = { readonly [key: string]: string | Texts }

const readTexts = (path: string): Texts => JSON.parse(readFileSync(path, 'utf8'))

const jsonOf = (texts: Texts): string => `${JSON.stringify(texts, null, 2)}\n`

/** The texts of two catalogues, of which each has places that the other lacks. */
const together = (some: Texts, others: Texts): Texts => ({
  ...some,
  ...Object.fromEntries(
    Object.entries(others).map(([key, text]) => {
      const own = some[key]
      return [key, isObject(own) && isObject(text) ? together(own, text) : text]
    }),
  ),
})

/** All texts of a language, as one catalogue for a translator. */
export const wholeCatalogue = (language: string): Texts =>
  wordFolders()
    .map(folder => readTexts(join(folder, `${language}.json`)))
    .reduce(together, {})

/** Categories of plurals that English lacks. */
const OTHER_FORMS = ['zero', 'two', 'few', 'many']

const otherFormsOf = (key: string): string[] =>
  key.endsWith('_other') ? OTHER_FORMS.map(form => key.replace(/other$/, form)) : []

/** Everything in a catalogue by its place: `pages.title`. */
const placesIn = (texts: Readonly<Record<string, unknown>>, place = ''): [place: string, text: unknown][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    isObject(text) ? placesIn(text, `${place}${key}.`) : [[`${place}${key}`, text]],
  )

/** Those of the given texts that stand in an English catalogue, in its order, with the plural forms that English lacks. */
const partOf = (given: Readonly<Record<string, unknown>>, english: Texts): Texts =>
  Object.fromEntries(
    Object.entries(english).flatMap(([key, text]): [string, string | Texts][] => {
      const own = given[key]
      if (isObject(text)) return [[key, partOf(isObject(own) ? own : {}, text)]]
      return [...otherFormsOf(key), key].flatMap(name => {
        const form = given[name]
        return typeof form === 'string' ? [[name, form]] : []
      })
    }),
  )

/**
 * A language's catalogue for each folder, from one catalogue with all texts.
 *
 * @returns the texts by folder
 * @throws UsageError that names texts which are missing or unknown
 */
export function catalogueByFolder(given: Readonly<Record<string, unknown>>): Map<string, Texts> {
  const english = wordFolders().map(folder => [folder, readTexts(join(folder, 'en.json'))] as const)
  const demanded = english.flatMap(([, texts]) => placesIn(texts).map(([place]) => place))
  const allowed = new Set(demanded.flatMap(place => [place, ...otherFormsOf(place)]))
  const texts = new Set(placesIn(given).flatMap(([place, text]) => (typeof text === 'string' ? [place] : [])))
  const missing = demanded.filter(place => !texts.has(place))
  const unknown = placesIn(given).flatMap(([place]) =>
    texts.has(place) && allowed.has(place) ? [] : [place],
  )
  if (missing.length > 0) throw new UsageError(`These texts are missing: ${missing.join(', ')}.`)
  if (unknown.length > 0) throw new UsageError(`No such texts are known: ${unknown.join(', ')}.`)
  return new Map(english.map(([folder, meant]) => [folder, partOf(given, meant)]))
}

/** @throws UsageError for a file that is not JSON */
function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch (error) {
    throw new UsageError(`--from: ${file} is not JSON: ${messageOf(error)}`)
  }
}

/** Takes back the file of a translator, which is named after its language. */
function takeBack(file: string): void {
  const language = basename(file, '.json')
  if (!LANGUAGES.some(known => known === language))
    throw new UsageError(
      `--from: ${file} must be named after one of ${LANGUAGES.join(', ')}, such as de.json.`,
    )
  if (!existsSync(file)) throw new UsageError(`--from: there is no file ${file}.`)
  const given: unknown = readJson(file)
  if (!isObject(given)) throw new UsageError(`--from: ${file} must hold an object with texts.`)
  for (const [folder, texts] of catalogueByFolder(given))
    writeFileSync(join(folder, `${language}.json`), jsonOf(texts))
}

/** Writes one file a language for translators. */
function handOut(folder: string): void {
  mkdirSync(folder, { recursive: true })
  for (const language of LANGUAGES.filter(one => existsSync(join('src/words', `${one}.json`))))
    writeFileSync(join(folder, `${language}.json`), jsonOf(wholeCatalogue(language)))
}

const HELP = `Writes the types of the texts with values, and what reads the catalogues, after a change of an
English catalogue or of the languages, in src/words and in the words of each feature.

  npm run words
  npm run words -- --out dist/texts            writes a file a language for translators, with all texts
  npm run words -- --from dist/texts/de.json   takes such a file back

  -o, --out <dir>   where to write these files
  --from <file>     a file with all texts, named after its language`

if (import.meta.main)
  await runCommand(
    command(
      HELP,
      { out: { type: 'string', short: 'o' }, from: { type: 'string' } },
      async ({ out, from }) => {
        if (from !== undefined) takeBack(from)
        if (out !== undefined) handOut(out)
        for (const folder of wordFolders())
          for (const [name, text] of Object.entries(wordFiles(folder)))
            writeFileSync(join(folder, name), text)
      },
    ),
  )
