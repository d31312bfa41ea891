import { describe, expect, it } from 'vitest'
import { namedSlug, numberedSlug, slugify, trashedSlug, untrashedSlug } from '../../../src/kit/lib/slug.ts'

const SLUGS: [string, string][] = [
  ['Café Ångström – été', 'cafe-angstrom-ete'],
  ['Straße Øre Æon Đà Nẵng İstanbul Iğdır', 'strasse-ore-aeon-da-nang-istanbul-igdir'],
  ['コンサート 2027', 'コンサート-2027'],
  ['ガ が', 'ガ-が'],
  ['اردو مشاعرہ', 'اردو-مشاعرہ'],
  ['हिन्दी कार्यक्रम', 'हिन्दी-कार्यक्रम'],
  ['Ελλάδα Йога', 'ελλάδα-йога'],
  ["Bob's and Bob’s", 'bobs-and-bobs'],
  ['v1.2/beta & more', 'v1-2-beta-more'],
  ['Rock&amp;Roll caf&eacute;', 'rock-roll-cafe'],
  ['<b>Big</b> day<script>x</script>', 'big-day'],
  ['a — b -- c', 'a-b-c'],
  ['-_x_-', '_x_'],
  ['%d8%b4%D9%84', 'شل'],
  ['%E3%82%B3-2', 'コ-2'],
  ['100%ff sure', '100-ff-sure'],
  ['🎉 party ❤️', 'party'],
  ['🎉❤️', ''],
  ['\u0301', ''],
  ['', ''],
]

it.each([
  ['walk-🎷-3', 'walk-🎷-3'],
  ['walk-%f0%9f%8e%b7-3', 'walk-🎷-3'],
  ['Wave 👋🏽, ☀️ & ★', 'wave-👋🏽-☀-★'],
  ['🎷', '🎷'],
  ['brand™-©-20°', 'brand-20'],
  ['Été 2027', 'ete-2027'],
])('the named slug %j is %s', (text, slug) => {
  expect(namedSlug(text)).toBe(slug)
  expect(namedSlug(slug)).toBe(slug)
})

describe('slugify', () => {
  it('cuts long runs of combining marks instead of sorting them', () => {
    const marks = '\u0e38\u093c\u0301'.repeat(40_000)
    expect(slugify(`ก${marks}`).length).toBeLessThanOrEqual(31)
  })

  it.each(SLUGS)('%j gives %j', (text, slug) => {
    expect(slugify(text)).toBe(slug)
    expect(slugify(slug)).toBe(slug)
  })

  it.each([
    ['de', 'Eröffnungsfest für Große – ÄÖÜ, A\u0308rger', 'eroeffnungsfest-fuer-grosse-aeoeue-aerger'],
    ['de-CH', 'Züri Fäscht', 'zueri-faescht'],
    ['da', 'Åben Ærø: øl', 'aaben-aeroe-oel'],
    ['fr', 'Fête à l’Œuvre über', 'fete-a-loeuvre-uber'],
  ])('spells names as the language does: %s', (language, name, slug) => {
    expect(slugify(name, language)).toBe(slug)
    expect(slugify(slug)).toBe(slug)
  })

  it('cuts at 200 characters, never inside a character or after a hyphen', () => {
    expect(slugify('x'.repeat(250))).toBe('x'.repeat(200))
    expect(slugify(`${'x'.repeat(199)} y`)).toBe('x'.repeat(199))
    expect(slugify(`${'x'.repeat(199)}𠮷`)).toBe('x'.repeat(199))
    expect(slugify(`${'x'.repeat(198)}𠮷`)).toBe(`${'x'.repeat(198)}𠮷`)
  })
})

describe('numbered slugs', () => {
  it('shortens the base to make room', () => {
    expect(numberedSlug('x', 2)).toBe('x-2')
    expect(numberedSlug('x'.repeat(200), 12)).toBe(`${'x'.repeat(197)}-12`)
    expect(numberedSlug(`${'x'.repeat(196)}-yyy`, 12)).toBe(`${'x'.repeat(196)}-12`)
  })
})

describe('slugs in the trash', () => {
  it.each([
    ['x', 'x__trashed'],
    ['x'.repeat(200), `${'x'.repeat(191)}__trashed`],
  ])('%s becomes %s in the trash', (slug, trashed) => {
    expect(trashedSlug(slug)).toBe(trashed)
  })

  it.each([
    ['x__trashed', 'x'],
    ['x__trashed-2', 'x'],
    ['x-2', 'x-2'],
    ['__trashed-tales', '__trashed-tales'],
  ])('%s becomes %s when it is restored', (trashed, slug) => {
    expect(untrashedSlug(trashed)).toBe(slug)
  })
})
