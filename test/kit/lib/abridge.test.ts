import { describe, expect, it } from 'vitest'
import { abridgeHtml } from '../../../src/kit/lib/abridge.ts'
import { readMarkup, withoutTags } from '../../../src/kit/lib/text.ts'

/** Elements that HTML leaves open or closes in the wrong order. */
function unbalanced(html: string): string[] {
  const open: string[] = []
  const wrong: string[] = []
  readMarkup(html, {
    onTag: ({ name, isClosing }) => {
      if (name === 'br' || name === 'img') return
      if (!isClosing) open.push(name)
      else if (open.pop() !== name) wrong.push(name)
    },
  })
  return [...wrong, ...open]
}

describe('HTML', () => {
  it.each([
    ['<p>One two three</p>', 9, '<p>One two …</p>'],
    ['<p>One two three</p>', 20, undefined],
    ['<p>One two <b>three <i>four</i></b> five</p>', 15, '<p>One two <b>three …</b></p>'],
    // A word that goes on in the next element.
    ['<p>One two th<b>ree</b> four</p>', 13, '<p>One two …</p>'],
    ['<p>A &amp; B &lt; C</p>', 6, '<p>A &amp; …</p>'],
    ['<p>a&#128512;&eacute;b c</p>', 7, '<p>a&#128512;&eacute;b …</p>'],
    ['<ul><li>One</li><li>Two</li></ul>', 13, '<ul><li>One</li> …</ul>'],
    ['<p>One<br>two<img src="/a.png"> and three</p>', 13, '<p>One<br>two<img src="/a.png"> and …</p>'],
    ['One two three', 9, 'One two …'],
  ])('is cut between words: %s', (html, most, expected) => {
    expect(abridgeHtml(`${html}${'<i></i>'.repeat(20)}`, most)?.replace(/(<i><\/i>)+$/, '')).toBe(expected)
  })

  it.each([
    ['one long word', 'x'.repeat(5_000)],
    ['a language without blanks', '日本語の文章は空白なしで書かれます。'.repeat(300)],
    ['characters of two units', '𝄞'.repeat(3_000)],
    ['characters that are joined', '👨‍👩‍👧‍👦'.repeat(500)],
    ['marks', 'e\u0301\u0323'.repeat(2_000)],
    ['entities', '&amp;&#x1F600;'.repeat(1_000)],
    ['elements in each other', `${'<b>w <i>x</i> '.repeat(90)}${'</b>'.repeat(90)}`.repeat(20)],
  ])('the beginning of %s is valid HTML of the full length, and divides no character', (_, text) => {
    const html = abridgeHtml(`<p>${text}</p>`, 1_500) ?? ''
    expect(unbalanced(html)).toEqual([])
    const shown = withoutTags(html).replace(/ …$/, '')
    expect(withoutTags(text).startsWith(shown)).toBe(true)
    expect([shown.isWellFormed(), shown.length > 1_300]).toEqual([true, true])
    const graphemes = (of: string) =>
      Array.from(new Intl.Segmenter(undefined).segment(of.slice(0, 8_000)), ({ segment }) => segment)
    expect(graphemes(withoutTags(text)).slice(0, graphemes(shown).length)).toEqual(graphemes(shown))
    expect(/&[^;]*$/.test(shown)).toBe(false)
  })

  it.each([
    ['<p>One <b>two</b> thr', '<p>One <b>two</b> thr …</p>'],
    ['<p>One <a href="https://exam', '<p>One …</p>'],
    ['<p>One &am', '<p>One …</p>'],
  ])('that was cut off is closed: %s', (html, expected) => {
    expect(abridgeHtml(html, Number.POSITIVE_INFINITY, true)).toBe(expected)
  })

  it('of the largest size is cut in time', () => {
    const started = performance.now()
    for (const text of ['<b>x</b>', '&amp;', 'x', ' ', '日', '<br>', '<p>'])
      abridgeHtml(text.repeat(200_000 / text.length), 1_500)
    expect(performance.now() - started).toBeLessThan(2_000)
  })
})
