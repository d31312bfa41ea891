import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { messageOf } from '../kit/lib/errors.ts'
import { LANGUAGES } from '../kit/lib/languages.ts'
import { isObject } from '../kit/lib/values.ts'
import { command, runCommand, UsageError } from './arguments.ts'
import { featureFiles } from './feature-files.ts'

const CORE = 'src/words'

/** The file with the catalogue of a language: the core has one per language, a feature one for all. */
const fileOf = (folder: string, language: string): string =>
  join(folder, folder === CORE ? `${language}.ts` : 'words.ts')

/** The folders with catalogues: that of the core, and those of features. */
export const wordFolders = (): string[] => [CORE, ...featureFiles('words.ts').map(dirname)]

type Texts = { readonly [key: string]: string | Texts }

/** A catalogue within its file: JSON within a function that is named after the language. */
const catalogueOf = (language: string): RegExp =>
  new RegExp(`function ${language}\\(\\) \\{\\n  return (\\{.*?^\\})(?: as const)?\\n\\}\\n`, 'ms')

/** @throws UsageError that begins with the complaint, for a text that is not JSON */
function readJson(text: string, complaint: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new UsageError(`${complaint}: ${messageOf(error)}`)
  }
}

/**
 * The texts of a folder in a language.
 *
 * @throws UsageError if they are not JSON, such as with keys that have no quotation marks
 */
export function readTexts(folder: string, language: string): Texts {
  const file = fileOf(folder, language)
  const [, texts = ''] = catalogueOf(language).exec(readFileSync(file, 'utf8')) ?? []
  // The compiler knows what a catalogue contains.
  return readJson(texts, `${file} has no JSON within a function ${language}`) as Texts
}

const jsonOf = (texts: Texts): string => JSON.stringify(texts, null, 2)

/**
 * A file with other texts of a language, or with its first ones. V8 passes over a function until it is
 * called, and would read an object as it starts. The types of the English one are its very texts: the
 * compiler knows the values that each takes.
 */
export function withCatalogue(file: string, language: string, texts: Texts): string {
  const type = language === 'en' ? ' as const' : ''
  const catalogue = `function ${language}() {\n  return ${jsonOf(texts)}${type}\n}\n`
  const currentCatalogue = catalogueOf(language)
  if (currentCatalogue.test(file)) return file.replace(currentCatalogue, () => catalogue)
  return (file ? `${file}\n` : 'export default ') + catalogue
}

/** The texts of two catalogues, none of which is in both. */
const mergedTexts = (texts: Texts, otherTexts: Texts): Texts => ({
  ...texts,
  ...Object.fromEntries(
    Object.entries(otherTexts).map(([key, text]) => {
      const ownText = texts[key]
      return [key, isObject(ownText) && isObject(text) ? mergedTexts(ownText, text) : text]
    }),
  ),
})

/** All texts of a language, as one catalogue for a translator. */
export const wholeCatalogue = (language: string): Texts =>
  wordFolders()
    .map(folder => readTexts(folder, language))
    .reduce(mergedTexts, {})

/** Categories of plurals that English lacks. */
const OTHER_FORMS = ['zero', 'two', 'few', 'many']

const otherFormsOf = (key: string): string[] =>
  key.endsWith('_other') ? OTHER_FORMS.map(form => key.replace(/other$/, form)) : []

/** Everything in a catalogue by its place: `pages.title`. */
const placesIn = (texts: Readonly<Record<string, unknown>>, place = ''): [place: string, text: unknown][] =>
  Object.entries(texts).flatMap(([key, text]) =>
    isObject(text) ? placesIn(text, `${place}${key}.`) : [[`${place}${key}`, text]],
  )

/**
 * Those of the given texts that stand in an English catalogue, in its order, with the plural forms that
 * English lacks.
 */
const knownTexts = (givenTexts: Readonly<Record<string, unknown>>, english: Texts): Texts =>
  Object.fromEntries(
    Object.entries(english).flatMap(([key, text]): [string, string | Texts][] => {
      const ownText = givenTexts[key]
      if (isObject(text)) return [[key, knownTexts(isObject(ownText) ? ownText : {}, text)]]
      return [...otherFormsOf(key), key].flatMap(name => {
        const form = givenTexts[name]
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
export function catalogueByFolder(catalogue: Readonly<Record<string, unknown>>): Map<string, Texts> {
  const english = wordFolders().map(folder => [folder, readTexts(folder, 'en')] as const)
  const demanded = english.flatMap(([, englishTexts]) => placesIn(englishTexts).map(([place]) => place))
  const allowed = new Set(demanded.flatMap(place => [place, ...otherFormsOf(place)]))
  const texts = new Set(
    placesIn(catalogue).flatMap(([place, text]) => (typeof text === 'string' ? [place] : [])),
  )
  const missing = demanded.filter(place => !texts.has(place))
  const unknownPlaces = placesIn(catalogue).flatMap(([place]) =>
    texts.has(place) && allowed.has(place) ? [] : [place],
  )
  if (missing.length > 0) throw new UsageError(`These texts are missing: ${missing.join(', ')}.`)
  if (unknownPlaces.length > 0) throw new UsageError(`No such texts are known: ${unknownPlaces.join(', ')}.`)
  return new Map(english.map(([folder, meant]) => [folder, knownTexts(catalogue, meant)]))
}

/** Takes back the file of a translator, which is named after its language. */
function takeBack(file: string): void {
  const language = basename(file, '.json')
  if (!LANGUAGES.some(known => known === language))
    throw new UsageError(
      `--from: ${file} must be named after one of ${LANGUAGES.join(', ')}, such as de.json.`,
    )
  if (!existsSync(file)) throw new UsageError(`--from: there is no file ${file}.`)
  const catalogue: unknown = readJson(readFileSync(file, 'utf8'), `--from: ${file} is not JSON`)
  if (!isObject(catalogue)) throw new UsageError(`--from: ${file} must hold an object with texts.`)
  for (const [folder, texts] of catalogueByFolder(catalogue)) {
    const path = fileOf(folder, language)
    const currentSource = existsSync(path) ? readFileSync(path, 'utf8') : ''
    writeFileSync(path, withCatalogue(currentSource, language, texts))
  }
  console.log(`The texts of ${file} are in ${CORE} and src/features now.`)
}

/** Writes one file a language for translators. */
function handOut(folder: string): void {
  mkdirSync(folder, { recursive: true })
  const languages = LANGUAGES.filter(one => existsSync(fileOf(CORE, one)))
  for (const language of languages)
    writeFileSync(join(folder, `${language}.json`), `${jsonOf(wholeCatalogue(language))}\n`)
  console.log(`The texts are in ${folder}: ${languages.map(language => `${language}.json`).join(', ')}.`)
}

const HELP = `Hands all texts out to translators, a file a language, and takes such files back.

  npm run words -- --out dist/texts            writes one file per language for translators, with all texts
  npm run words -- --from dist/texts/de.json   takes such a file back

  -o, --out <dir>   where to write these files
  --from <file>     a file with all texts, named after its language`

if (import.meta.main)
  await runCommand(
    command(
      HELP,
      { out: { type: 'string', short: 'o' }, from: { type: 'string' } },
      async ({ out, from }) => {
        if (out === undefined && from === undefined)
          throw new UsageError(`Neither --out nor --from.\n\n${HELP}`)
        if (from !== undefined) takeBack(from)
        if (out !== undefined) handOut(out)
      },
    ),
  )
