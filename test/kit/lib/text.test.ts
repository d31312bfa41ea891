import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  decodeEntities,
  dropControls,
  fold,
  hasStackedMarks,
  htmlToText,
  normalizeText,
  searchWords,
  toPlain,
} from '../../../src/kit/lib/text.ts'

describe('dropControls', () => {
  it.each([
    ['a\u0000b\u0007c\u007fd\u0085e', 'abcde'],
    ['a\r\nb\rc\td\n', 'a\nb\nc\td\n'],
    ['\ufeffa\ud83d-\ude00', 'a-'],
    ['\ud83d\ufeff\ude00', ''],
  ])('%j gives %j', (text, clean) => {
    expect(dropControls(text)).toBe(clean)
  })
})

const PLAIN: [string, string][] = [
  ['a < b', 'a &lt; b'],
  ['I <3 you', 'I &lt;3 you'],
  ['<b>Bold</b> & co', 'Bold & co'],
  ['Rock &amp; Roll &#038; more', 'Rock & Roll & more'],
  ['Caf&eacute; &#8217;n&#x2019; Bar &quot;B&quot;', 'Café ’n’ Bar "B"'],
  ['I &lt;3 you, &lt;b&gt;', 'I &lt;3 you, &lt;b>'],
  ['one&#10;two&nbsp;', 'one two'],
  ['&nope; &amp nbsp; Q&A; a&b', '&nope; &amp nbsp; Q&A; a&b'],
  ['write &amp;amp; or &#38;lt; or &&#97;mp;', 'write &amp;amp; or &amp;lt; or &amp;amp;'],
  ['a > b', 'a > b'],
  ['  one\r\n\ttwo ', 'one two'],
  ['x<script>alert("<b>")</script>y<STYLE >p{}</style\n>z', 'xyz'],
  ['x<!-- <b> -->y<!-->z<!doctype html>', 'xyz'],
  ['<scr<script>x</script>ipt>alert(1)</script>', 'xipt>alert(1)'],
  ['<scr\u0000ipt>x</script>y', 'y'],
  ['write to <me@example.org>', 'write to &lt;me@example.org>'],
  ['<Salsa> & <Tango Argentino!> night <3', '&lt;Salsa> & &lt;Tango Argentino!> night &lt;3'],
  ['The <Big> hall, <Main> <b>stage</b><BR><Img src=x>', 'The &lt;Big> hall, &lt;Main> stage'],
  ['<Big>x</Big>', 'x'],
  ['<Jazz-Nacht> <my-widget>x <odd>y</odd> <o:p><more/><odd z=1>', '&lt;Jazz-Nacht> x y'],
  ['cut <a href="x', 'cut &lt;a href="x'],
  ['<a title="1 > 0">link</a>', 'link'],
  ['Ünïcödé コンサート مشاعرہ 🎉', 'Ünïcödé コンサート مشاعرہ 🎉'],
]

describe('toPlain', () => {
  it.each(PLAIN)('%j gives %j', (input, plain) => {
    expect(toPlain(input)).toBe(plain)
    expect(toPlain(plain)).toBe(plain)
  })

  it('gives the same for its own result, whatever entities it is made of', () => {
    const part = fc.constantFrom(
      '&',
      '#38;',
      'amp;',
      'lt;',
      '#',
      '97',
      'x26',
      ';',
      '<',
      '>',
      'b',
      ' ',
      '\u200b',
    )
    fc.assert(
      fc.property(fc.array(part, { maxLength: 12 }), parts => {
        const plain = toPlain(parts.join(''))
        expect(toPlain(plain)).toBe(plain)
      }),
      { numRuns: 2_000 },
    )
  })

  it('takes linear time for long runs of half tags', () => {
    expect(toPlain('<'.repeat(70_000))).toBe('&lt;'.repeat(70_000))
    expect(toPlain('<a '.repeat(70_000))).toBe(`${'&lt;a '.repeat(70_000)}`.trim())
    expect(toPlain(`${'<a '.repeat(70_000)}>x`)).toBe('x')
    expect(toPlain(`<a ${'b="'.repeat(70_001)}>x`)).toBe('x')
  })
})

describe('text that shows nothing', () => {
  it.each([
    ['zero-width and direction marks', '\u200b\u200c\u200d\u2060\ufeff\u200e\u200f\u202e\u2066\u2069'],
    ['blanks of all widths', ' \u00a0\u2003\u202f\u3000\u205f\t\n'],
    ['fillers of Hangul and a blank of Braille', '\u115f\u1160\u3164\uffa0\u2800'],
    ['variation selectors, tags and joiners', '\ufe0f\u{e0020}\u{e0100}\u034f\u180e'],
    [
      'entities of characters that nobody sees',
      '&shy;&nbsp;&zwj;&#8203;&#x200B;&#x2800;&ZeroWidthSpace;&it;',
    ],
    ['entities that browsers read without their end', '&nbsp&shy&#8203&nbsp'],
    ['tags around nothing, and comments', '<b>\u200b</b><i> </i><br><!-- x -->'],
    ['controls, and a mark of Arabic', '\u0000\u0001\u061c\u202a\u202c\u00ad'],
  ])('is empty: %s', (_, text) => {
    expect(toPlain(text)).toBe('')
  })

  it.each(['0', '.', '🎉', '\u200fא', '&amp;shy;', '&shyly', '\u0600'])('is not empty: %j', text => {
    expect(toPlain(text)).toBe(text)
  })
})

describe('normalizeText', () => {
  const longestRun = (text: string) =>
    Math.max(0, ...(text.match(/[\p{M}\uff9e\uff9f]+/gu) ?? []).map(run => [...run].length))

  it.each([
    ['one mark', '\u0301'],
    ['marks that change places', '\u0301\u0323\u0334'],
    ['marks that come apart', '\u0f73\u0344'],
    ['half-width voicing', '\u0301\uff9e\uff9f'],
    ['marks of the higher planes', '\u{1d165}\u{1e8d0}\u0301'],
  ])('keeps 30 of a run: %s', (_, marks) => {
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
      // A mark comes apart into three at most.
      expect(longestRun(normalizeText(`a${marks.repeat(40_000)}b`, form)), form).toBeLessThanOrEqual(90)
    }
  })

  it('leaves ordinary text unchanged', () => {
    const text = 'é ể कि ไม่ שָׁלוֹם \u1112\u1161\u11ab ﷺ Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢ ｶﾞ'
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'] as const) {
      expect(normalizeText(text, form)).toBe(text.normalize(form))
    }
  })
})

describe('hasStackedMarks', () => {
  it('is true of more than 100 marks in a row, anywhere', () => {
    expect(hasStackedMarks(`a${'\u0301'.repeat(100)}`)).toBe(false)
    expect(hasStackedMarks(`a${'\u0301\u0323'.repeat(50)}b${'\u0301'.repeat(100)}`)).toBe(false)
    expect(hasStackedMarks(`words, a${'\u0301\u0323'.repeat(50)}\u0301b`)).toBe(true)
  })
})

describe('decodeEntities', () => {
  it.each([
    ['&lt;b&gt; &quot;x&apos; &amp;lt;', '<b> "x\' &lt;'],
    ['&#233;&#xE9;&#Xe9;&eacute;&Eacute;&yuml;&nbsp;', 'ééééÉÿ\u00a0'],
    ['&hellip;&ndash;&mdash;&lsquo;&rsquo;&ldquo;&rdquo;', '…–—‘’“”'],
    ['&laquo;&raquo;&copy;&reg;&trade;&euro;&pound;&deg;&middot;&bull;', '«»©®™€£°·•'],
    ['&#146;&#128;', '’€'],
    ['&#0;&#xd800;&#1114112;&#99999999999999999999;', '\ufffd\ufffd\ufffd\ufffd'],
    ['&#106avascript', 'javascript'],
    ['?a=1&copy=2 &unknown; & &;', '?a=1&copy=2 &unknown; & &;'],
    ['&#128512;', '😀'],
    ['&lbrace;&CounterClockwiseContourIntegral;', '{∳'],
  ])('%j gives %j', (text, decoded) => {
    expect(decodeEntities(text)).toBe(decoded)
  })
})

describe('fold', () => {
  it.each([
    ['one word in many spellings', ['Café', 'CAFÉ', 'cafe\u0301', 'cafe', 'ＣＡＦÉ', 'ca\u00adfe']],
    ['German sharp s', ['Straße', 'STRASSE', 'STRAẞE']],
    ['Greek sigma and accents', ['ΟΔΟΣ', 'οδος', 'οδός', 'ΟΔΌΣ', 'οδοσ']],
    ['Turkish i', ['İstanbul', 'istanbul', 'ISTANBUL', 'ıstanbul']],
    ['letters with strokes', ['Łódź Øre Đà Æon Þór', 'lodz ore da aeon thor']],
    ['Cyrillic', ['ЁЛКА Й', 'елка и']],
    ['Hebrew points', ['שָׁלוֹם', 'שלום']],
    ['Arabic vowels, hamza and elongation', ['أَحْمَد', 'احمد', 'احـــمد']],
    ['Persian joiners', ['می\u200cروم', 'میروم']],
    ['typographic quotes', ['Bob’s “x”', 'bob\'s "X"']],
    ['half-width kana', ['ｶﾞ', 'ガ']],
    ['white space', ['  a \n\t b\u00a0c', 'a b c']],
  ])('folds %s to the same text', (_, spellings) => {
    expect(new Set(spellings.map(fold)).size).toBe(1)
  })

  it.each([
    ['Devanagari vowel signs', 'कि', 'क'],
    ['Thai tone marks', 'ไม่', 'ไม'],
    ['voiced kana', 'が', 'か'],
    ['Hangul', '한글', '하그'],
  ])('keeps %s', (_, text, without) => {
    expect(fold(text)).toBe(text)
    expect(fold(text)).not.toBe(fold(without))
  })

  it('finds each word of a text in any case, and is idempotent', () => {
    const text = 'Große ÉTÉ-Fête Ελλάδος Işık Тёмная कार्यक्रम コンサート'
    const folded = fold(text)
    expect(fold(folded)).toBe(folded)
    for (const word of text.split(' ')) {
      for (const variant of [word, word.toUpperCase(), word.toLowerCase(), word.normalize('NFD')]) {
        expect(folded).toContain(fold(variant))
      }
    }
  })

  it('is idempotent on every character of the basic plane', () => {
    const unstable: string[] = []
    for (let code = 1; code < 0xffff; code += 1) {
      const folded = fold(String.fromCharCode(code))
      if (fold(folded) !== folded) unstable.push(code.toString(16))
    }
    expect(unstable).toEqual([])
  })
})

describe('fold of hostile text', () => {
  const MARKS = [
    '\u0301',
    '\u0323',
    '\u0334',
    '\u0f73',
    '\uff9e',
    '\u200d',
    '\u034f',
    '\u0e38',
    '\u093c',
    'a',
    ' ',
  ]

  it('leaves no long run of marks to sort, also where it takes out what parts them', () => {
    // Marks that search keeps, parted after every 30 by a joiner that it drops.
    const text = `क${`${'\u093c\u0e38'.repeat(15)}\u200d`.repeat(2_000)}`
    expect([...fold(text)].length).toBeLessThan(100)
  })

  it.each(['\ufdfa', '\u3316', '\u{1d160}', '\u0390', '\ufb03', 'ﷺ각'])(
    'grows to twice the text at most, where that is long: %s',
    letter => {
      const bytes = new TextEncoder().encode(fold(letter.repeat(200_000 / [...letter].length))).length
      expect(bytes).toBeLessThan(1_700_000)
    },
  )

  it('still decomposes long ligatures and long texts of Hangul', () => {
    expect(fold('\ufdfa')).toBe(fold('صلى الله عليه وسلم'))
    expect(fold('각'.repeat(50_000))).toBe('각'.repeat(50_000))
    expect(fold('Ế'.repeat(50_000))).toBe('e'.repeat(50_000))
  })

  it('is idempotent on any mixture of marks', () => {
    const mixture = fc.array(fc.constantFrom(...MARKS), { maxLength: 300 }).map(parts => parts.join(''))
    fc.assert(
      fc.property(mixture, text => {
        expect(fold(fold(text))).toBe(fold(text))
      }),
      { seed: 20_261_120, numRuns: 300 },
    )
  })
})

describe('htmlToText', () => {
  it.each([
    ['<b>need</b>le', 'needle'],
    ['<p>one</p><p>two</p>three<br>four<ul><li>five</li></ul>', 'one two three four five'],
    ['a<script>x</script>b<style>y</style>c<!-- z -->', 'abc'],
    ['Caf&eacute; &amp; Bar&#8217;s &lt;b&gt;', 'Café & Bar’s <b>'],
    ['<div>\n  x\n</div>', 'x'],
  ])('%j gives %j', (html, text) => {
    expect(htmlToText(html)).toBe(text)
  })
})

describe('searchWords', () => {
  it.each([
    ['  Été  ete\nJAZZ ', ['ete', 'jazz']],
    ['', []],
    [' \u200b ', []],
  ])('%j gives %j', (query, words) => {
    expect(searchWords(query)).toEqual(words)
  })
})
