import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toHtml } from '../../../src/kit/lib/html.ts'
import { dropInvisible } from '../../../src/kit/lib/invisible.ts'
import { cleanText, decodeEntities, htmlToText, toPlain } from '../../../src/kit/lib/text.ts'

const INVISIBLE = /[\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
const VISIBLE = /[^\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
const DIRECTION = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu
const count = (pattern: RegExp, text: string): number => text.match(pattern)?.length ?? 0

describe('invisible characters that scripts and emoji need are kept', () => {
  it.each([
    ['Persian', 'می\u200cخواهم به کتاب\u200cخانه بروم، ه\u200d.ش'],
    ['Urdu with marks of direction', '\u2067مشاعرہ\u2069 \u200fA\u200e'],
    ['Hindi', 'क्\u200dष क्\u200cष र्\u200dय'],
    ['Malayalam at the end of a word', 'അവന്\u200d വന്നു'],
    ['Sinhala', 'ශ්\u200dරී ලංකාව'],
    ['Bengali', 'র\u200d্যাব'],
    ['Khmer with breaks', 'សួស្តី\u200bពិភពលោក'],
    ['Thai with breaks', 'สวัสดี\u200bชาวโลก'],
    ['Mongolian', 'ᠭᠠᠯ\u180eᠠ ᠠ\u180b'],
    ['Japanese names', '葛\udb40\udd00城市、辻\u{e0101}さん'],
    ['Korean of the Middle Ages', 'ᄒ\u1160ᆞ'],
    ['German with soft hyphens', 'Donau\u00addampf\u00adschiff'],
    ['families', '👨‍👩‍👧‍👦 👩🏽‍🚀 🧑🏽‍🤝‍🧑🏿 ❤️‍🔥 🏳️‍🌈 🏴‍☠️ 👁️‍🗨️'],
    ['keys and colours', '1️⃣ #️⃣ ☎️ ☎︎ ✈️ ©️'],
    ['flags', '🏴󠁧󠁢󠁳󠁣󠁴󠁿 🏴󠁧󠁢󠁥󠁮󠁧󠁿 🇫🇷'],
    ['symbols', '∩︀ ≨︀'],
  ])('%s', (_, text) => {
    expect(dropInvisible(text)).toBe(text)
    expect(toPlain(text)).toBe(text)
    expect(htmlToText(toHtml(text))).toBe(text)
  })

  it('are kept when written as entities, too', () => {
    expect(toPlain('&#x1f468;&zwj;&#x1f469;&#8205;👧')).toBe('👨‍👩‍👧')
    expect(toPlain('می&zwnj;خواهم')).toBe('می\u200cخواهم')
    expect(toHtml('Donau&shy;dampf &amp; &lt;b&gt;')).toContain('Donau\u00addampf &amp; &lt;b')
  })
})

describe('all other invisible characters are dropped', () => {
  it.each([
    ['a\u200bb\u200cc\u200dd\u2060e\u2063f\ufeffg', 'abcdefg'],
    ['a\ufe0fb\ufe00c\u{e0100}d\u034f', 'abcd'],
    ['Hi\u{e0049}\u{e0067}\u{e006e}\u{e006f}\u{e007f}!', 'Hi!'],
    ['🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e0068}\u{e0069}\u{e007f}', '🏴'],
    ['👩\u200d\u200d\u200d', '👩'],
    ['👩\ufe0f\ufe0f\ufe0e', '👩\ufe0f'],
    ['1\ufe0f2\ufe0e', '12'],
    ['می\u200c\u200c\u200d\u200cخ', 'می\u200cخ'],
    ['अ\u200d\u200bआ\u200b', 'अ\u200dआ'],
    ['\u202e\u202d\u202e\u202e\u2066abc', '\u202e\u202dabc'],
    ['a\u3164\uffa0\u115f\u17b4b', 'ab'],
    ['\u115fᄒ\u1160', 'ᄒ\u1160'],
    ['co\u00adop al\u00ad\u00adso 1\u00ad2', 'co\u00adop also 12'],
  ])('%j becomes %j', (text, clean) => {
    expect(dropInvisible(text)).toBe(clean)
  })

  it.each(['&#8203;', '&#x200b;', '&ZeroWidthSpace;', '&#917569;', '&NoBreak;', '&#8288', '&af;'])(
    'the entity %s',
    entity => {
      const text = `a${entity.repeat(20)} b`
      expect(toPlain(text)).toBe('a b')
      expect(htmlToText(toHtml(text))).toBe('a b')
    },
  )

  it('the characters around them form no tag, and no hidden entity', () => {
    expect(toHtml('<scr\u200bipt>alert(1)</scr\u200bipt>x')).not.toContain('script')
    const nested = (depth: number): string => (depth === 0 ? '\u200b' : `&#82${nested(depth - 1)}03;`)
    for (const depth of [1, 2, 3, 4, 50])
      expect(decodeEntities(cleanText(`a ${nested(depth)}`))).not.toMatch(INVISIBLE)
  })
})

it('visible characters bound the number of invisible ones in any text, and cleaning twice changes nothing', () => {
  const pieces = fc.constantFrom(
    ...'\u200b \u200c \u200d \u2060 \u00ad \ufe00 \ufe0e \ufe0f \u{e0100} \u{e0067} \u{e007f} \u034f \u180b \u180e \u1160 \u115f'.split(
      ' ',
    ),
    ...'\u200e \u202e \u2067 \u2069 \u061c'.split(' '),
    ...'a م क ന് ᠠ 葛 ᄒ ᆞ ส ស 👩 🏽 🏴 1 # \u20e3 ∩ \u05b0 & &# &zwj; &#8203; &#x1f468; 82 03; ; < > b'.split(
      ' ',
    ),
    ' ',
  )
  fc.assert(
    fc.property(fc.array(pieces, { maxLength: 60 }), parts => {
      const text = parts.join('')
      const kept = dropInvisible(text)
      expect(dropInvisible(kept)).toBe(kept)
      // A flag has six tags.
      const most = count(VISIBLE, kept) + 5 * count(/🏴/gu, kept)
      expect(count(INVISIBLE, kept.replace(DIRECTION, ''))).toBeLessThanOrEqual(most)
      expect(kept).not.toMatch(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]{3}/)
      expect(kept.replace(INVISIBLE, '')).toBe(text.replace(INVISIBLE, ''))
      const shown = decodeEntities(cleanText(text))
      expect(count(INVISIBLE, shown.replace(DIRECTION, ''))).toBeLessThanOrEqual(
        count(VISIBLE, shown) + 5 * count(/🏴/gu, shown),
      )
      expect(cleanText(cleanText(text))).toBe(cleanText(text))
    }),
    { numRuns: 2_000 },
  )
})

it('takes time that follows the length of the text', () => {
  for (const part of [
    '\u200b',
    'a\u00ad',
    '&zwj;',
    '&#8203',
    '👩\u200d',
    '\u202e',
    '\u0301\u00ad',
    '&#82\u200b03;',
  ])
    expect(cleanText(part.repeat(100_000)).length).toBeLessThanOrEqual(part.length * 200_000)
})
