import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'

const WORDS = join(import.meta.dirname, '../../../src/admin/words')

it('French words keep marks of two parts, and quotation marks, on the line of their words', () => {
  const loose = globSync('src/admin/words/**/*.ts').flatMap(file => {
    const text = readFileSync(file, 'utf8')
    const french = file.endsWith('/fr.ts') ? text : (/\n {2}fr: \{\n[\s\S]*?\n {2}\}/.exec(text)?.[0] ?? '')
    const strings = [...french.matchAll(/'(?:[^'\\\n]|\\.)*'/g)].map(([string]) => string)
    return strings.filter(string => /« | »|\S [?!;:](?:\s|')/.test(string))
  })
  expect(loose).toEqual([])
})

/** All texts in a value, however deep. */
const textsIn = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsIn)
      : []

// As the public pages do. Words of people who are on familiar terms, and requests to them.
const FAMILIAR = {
  de: /\b(du|dein(e[mnrs]?)?|dir|dich|wähle|gib|nimm|versuche es|schreib|sieh|lösche?)\b/iu,
  es: /(?<!\p{L})(tú|tus?|ti|te|tuy[oa]s?|elige|prueba otr|inténtalo|puedes|tienes)(?!\p{L})/iu,
  fr: /(?<!\p{L})(tu|ton|tes|toi|essaie)(?!\p{L})/iu,
}

it.each(Object.entries(FAMILIAR))(
  'the editor is as polite as the public pages: %s',
  async (language, familiar) => {
    const texts: string[] = []
    for (const name of readdirSync(WORDS).filter(name => name.endsWith('.ts')))
      for (const words of Object.values(await import(join(WORDS, name))))
        if (typeof words === 'function' && words.length === 1) texts.push(...textsIn(words(language)))
    expect(texts.length).toBeGreaterThan(500)
    expect(texts.filter(text => familiar.test(text))).toEqual([])
  },
)
