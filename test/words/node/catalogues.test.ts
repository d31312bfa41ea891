import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  catalogueByFolder,
  readTexts,
  wholeCatalogue,
  withCatalogue,
  wordFolders,
} from '../../../src/commands/words.ts'
import { LANGUAGES } from '../../../src/kit/lib/languages.ts'
import { REASON_CODES, REASONS } from '../../../src/kit/lib/reasons.ts'
import { filled } from '../../../src/words/words.ts'

const FOLDERS = wordFolders()

/** The texts of a catalogue by their places in it. */
const textsIn = (value: unknown, place = ''): [string, string][] =>
  typeof value === 'string'
    ? [[place, value]]
    : Object.entries(value ?? {}).flatMap(([key, inner]) => textsIn(inner, `${place}.${key}`))

const valuesIn = (text = ''): string[] =>
  [...new Set([...text.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = '']) => name))].sort()

/** The texts of all folders in a language. */
const textsOf = (language: string): [string, string][] =>
  FOLDERS.flatMap(folder => textsIn(readTexts(folder, language)))

const english = new Map(textsOf('en'))

it('a quotation within a quotation has other marks', () => {
  const title = 'Stammtisch „Über den Tellerrand“'
  expect(filled('„{{title}}“ auswählen', { title })).toBe('„Stammtisch ‚Über den Tellerrand‘“ auswählen')
  expect(filled('Auswahl: {{title}}', { title })).toBe(`Auswahl: ${title}`)
  expect(filled('Select “{{title}}”', { title: 'The “Mill”' })).toBe('Select “The ‘Mill’”')
  expect(filled('«{{title}}»', { title: 'El «Molino» y “más”' })).toBe('«El “Molino” y “más”»')
  expect(filled('« {{title}} »', { title: 'Le « Moulin »' })).toBe('« Le “Moulin” »')
})

describe.each(LANGUAGES.filter(language => language !== 'en'))('the catalogue %s', language => {
  const texts = textsOf(language)

  it('has the texts of the English one, in their order, and no other but plural forms that English lacks', () => {
    const isOwnForm = (place: string) => /_(?:zero|two|few|many)$/.test(place)
    expect(texts.map(([place]) => place).filter(place => !isOwnForm(place))).toEqual([...english.keys()])
  })

  it('names the same values', () => {
    // Where English says “one”, other languages may name the number, and the other way round.
    const different = texts.filter(
      ([place, text]) =>
        !place.endsWith('_one') &&
        valuesIn(text).join() !==
          valuesIn(english.get(place.replace(/_(?:zero|two|few|many)$/, '_other'))).join(),
    )
    expect(different).toEqual([])
  })
})

it.each(REASON_CODES)('the text for the reason %s has no value that errors lack', code => {
  const known: readonly string[] = REASONS[code]
  expect(valuesIn(english.get(`.reason.${code}`)).filter(name => !known.includes(name))).toEqual([])
  expect(english.get(`.reason.${code}`)).toBeDefined()
})

describe.each(FOLDERS)('the catalogues of %s', folder => {
  it('have no text of another folder', () => {
    const others = FOLDERS.filter(other => other !== folder)
    const elsewhere = new Set(
      others.flatMap(other => textsIn(readTexts(other, 'en')).map(([place]) => place)),
    )
    const own = textsIn(readTexts(folder, 'en')).map(([place]) => place)
    expect(own.filter(place => elsewhere.has(place))).toEqual([])
  })
})

it('a catalogue that is TypeScript, but not JSON, is named', () => {
  const folder = mkdtempSync(join(tmpdir(), 'words-'))
  const file = join(folder, 'words.ts')
  writeFileSync(file, "function de() {\n  return {\n  title: 'Titel',\n}\n}\n")
  expect(() => readTexts(folder, 'de')).toThrow(`${file} has no JSON within a function de: Expected property`)
  rmSync(folder, { recursive: true })
})

describe('one file a language, for translators', () => {
  it.each(LANGUAGES)('holds all texts of %s, and goes back to the folders as it came', language => {
    const whole = wholeCatalogue(language)
    expect(textsIn(whole)).toHaveLength(textsOf(language).length)
    for (const [folder, texts] of catalogueByFolder(whole)) {
      const name = folder === 'src/words' ? language : 'words'
      const file = readFileSync(`${folder}/${name}.ts`, 'utf8')
      expect(withCatalogue(file, language, texts)).toBe(file)
      expect(JSON.stringify(readTexts(folder, language))).toBe(JSON.stringify(texts))
    }
  })

  it('replaces only the language that it is given, and puts a new one behind the others', () => {
    const english = withCatalogue('', 'en', { title: 'Title' })
    expect(english).toBe('export default function en() {\n  return {\n  "title": "Title"\n} as const\n}\n')
    const both = withCatalogue(english, 'it', { title: 'Titolo' })
    expect(both).toBe(`${english}\nfunction it() {\n  return {\n  "title": "Titolo"\n}\n}\n`)
    expect(withCatalogue(both, 'en', { title: '$&' })).toBe(both.replace('"Title"', () => '"$&"'))
  })

  it('may have plural forms that English lacks', () => {
    const { pages } = wholeCatalogue('en')
    const key = Object.keys(Object(pages)).find(name => name.endsWith('_other')) ?? ''
    const few = key.replace(/other$/, 'few')
    const parts = catalogueByFolder({ ...wholeCatalogue('en'), pages: { ...Object(pages), [few]: 'few' } })
    expect(parts.get('src/words')).toHaveProperty(['pages', few], 'few')
  })

  it('is refused if a text is missing or unknown, with its place', () => {
    const { pages, ...others } = wholeCatalogue('de')
    expect(() => catalogueByFolder(others)).toThrow(/missing: pages\./)
    expect(() => catalogueByFolder({ ...others, pages, pagez: { title: 'x' } })).toThrow(
      'known: pagez.title.',
    )
  })
})

it('French words keep marks of two parts, and quotation marks, on their line', () => {
  const loose = textsOf('fr').filter(([, text]) => /« | »|\S [?!;:](?:\s|$)/.test(text))
  expect(loose).toEqual([])
})

// Words of people who are on familiar terms, and requests to them.
const FAMILIAR = {
  de: /\b(du|dein(e[mnrs]?)?|dir|dich|wähle|gib|nimm|versuche es|schreib|sieh|lösche?)\b/iu,
  es: /(?<!\p{L})(tú|tus?|ti|te|tuy[oa]s?|elige|prueba otr|inténtalo|puedes|tienes)(?!\p{L})/iu,
  fr: /(?<!\p{L})(tu|ton|tes|toi|essaie)(?!\p{L})/iu,
}

it.each(Object.entries(FAMILIAR))('all texts are polite: %s', (language, familiar) => {
  const texts = textsOf(language)
  expect(texts.length).toBeGreaterThan(500)
  expect(texts.filter(([, text]) => familiar.test(text))).toEqual([])
})
