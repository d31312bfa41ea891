import { describe, expect, it } from 'vitest'
import { decodeEntities, dropControls, fold, htmlToText, searchWords, toPlain } from '../../src/lib/text.ts'

describe('dropControls', () => {
  it.each([
    ['a\u0000b\u0007c\u007fd\u0085e', 'abcde'],
    ['a\r\nb\rc\td\n', 'a\nb\nc\td\n'],
    ['\ufeffa\ud83d-\ude00', 'a-'],
    ['\ud83d\ufeff\ude00', ''],
    ['👨‍👩‍👧 \u200fא', '👨‍👩‍👧 \u200fא'],
  ])('%j gives %j', (text, clean) => {
    expect(dropControls(text)).toBe(clean)
  })
})

const PLAIN: [string, string][] = [
  ['a < b', 'a &lt; b'],
  ['I <3 you', 'I &lt;3 you'],
  ['<b>Bold</b> & co', 'Bold & co'],
  ['Rock &amp; Roll &#038; more', 'Rock &amp; Roll &#038; more'],
  ['a > b', 'a > b'],
  ['  one\r\n\ttwo ', 'one two'],
  ['x<script>alert("<b>")</script>y<STYLE >p{}</style\n>z', 'xyz'],
  ['x<!-- <b> -->y<!-->z<!doctype html>', 'xyz'],
  ['<scr<script>x</script>ipt>alert(1)</script>', 'xipt>alert(1)'],
  ['<scr\u0000ipt>x</script>y', 'y'],
  ['write to <me@example.org>', 'write to &lt;me@example.org>'],
  ['cut <a href="x', 'cut &lt;a href="x'],
  ['<a title="1 > 0">link</a>', 'link'],
  ['Ünïcödé コンサート مشاعرہ 🎉', 'Ünïcödé コンサート مشاعرہ 🎉'],
]

describe('toPlain', () => {
  it.each(PLAIN)('%j gives %j', (input, plain) => {
    expect(toPlain(input)).toBe(plain)
    expect(toPlain(plain)).toBe(plain)
  })

  it('takes long runs of half tags in its stride', () => {
    expect(toPlain('<'.repeat(70_000))).toBe('&lt;'.repeat(70_000))
    expect(toPlain('<a '.repeat(70_000))).toBe(`${'&lt;a '.repeat(70_000)}`.trim())
    expect(toPlain(`${'<a '.repeat(70_000)}>x`)).toBe('x')
    expect(toPlain(`<a ${'b="'.repeat(70_001)}>x`)).toBe('x')
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
  ])('makes one of %s', (_, spellings) => {
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
