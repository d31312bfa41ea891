import { describe, expect, it } from 'vitest'
import { linkedAddresses, toHtml, toInlineHtml, toSimpleHtml } from '../../../src/kit/lib/html.ts'
import { htmlToText } from '../../../src/kit/lib/text.ts'
import { ATTACKS, KEPT, mixtures } from './hostile-html.ts'

const VOID = ['br', 'col', 'hr', 'img', 'source', 'wbr']
const DANGEROUS =
  /^(?:script|style|iframe|frame|object|embed|applet|form|input|button|svg|math|meta|link|base|template|textarea|title)$/

/** Faults in sanitised HTML, found by a scanner that shares no code with the sanitiser. */
const faults = (html: string): string[] => {
  const found: string[] = []
  const open: string[] = []
  for (const chunk of html.split('<').slice(1)) {
    const tag = /^(\/?)([a-z][a-z0-9]*)((?: [a-z]+(?:="[^"<>]*")?)*)(?: \/)?>/.exec(chunk)
    if (!tag) {
      found.push(`no proper tag: <${chunk}`)
      continue
    }
    const [, slash, name = '', attributes = ''] = tag
    if (DANGEROUS.test(name)) found.push(`element ${name}`)
    if (slash && open.pop() !== name) found.push(`stray </${name}>`)
    if (!slash && !VOID.includes(name)) open.push(name)
    for (const [, attribute = '', value = ''] of attributes.matchAll(/ ([a-z]+)(?:="([^"]*)")?/g)) {
      if (/^on|^(?:id|name|srcdoc|action|formaction|background|ping)$/.test(attribute)) found.push(attribute)
      const read = value
        .replace(/&#x([\da-f]+);?/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16) % 0x110000))
        .replace(/&#(\d+);?/g, (_, code) => String.fromCodePoint(Number(code) % 0x110000))
        .replace(/&(?:tab|newline|zwnj|nbsp);/gi, '')
        .replace(/&colon;/g, ':')
        .split('')
        .filter(letter => letter > ' ')
        .join('')
      if (/(?:javascript|vbscript|data|file|blob):/i.test(read)) found.push(`${attribute}=${read}`)
      if (attribute === 'style' && /url|expression|import|position|\\/i.test(read))
        found.push(`style ${read}`)
    }
  }
  if (open.length > 0) found.push(`left open: ${open}`)
  return found
}

describe('hostile HTML', () => {
  it.each([
    '<script>x</script>',
    '<p onclick="x">y</p>',
    '<a href="jav&#x09;ascript&colon;x">y</a>',
    '<p style="background: url(x)">y</p>',
    '<img src=x>',
    '<b><i>x</b></i>',
    '</div>',
  ])('the scanner sees the fault in %s', html => {
    expect(faults(html)).not.toEqual([])
  })

  it.each(ATTACKS)('is made safe: %j', attack => {
    for (const html of [attack, `before ${attack} after`, `<div>${attack}</div>\n\ntext`]) {
      for (const sanitised of [toHtml, toInlineHtml]) {
        const clean = sanitised(html)
        expect(faults(clean)).toEqual([])
        expect(sanitised(clean)).toBe(clean)
      }
    }
  })

  it('is made safe in random mixtures of its parts, and the result is stable', () => {
    for (const html of mixtures(5000)) {
      const clean = toHtml(html)
      expect(faults(clean), html).toEqual([])
      expect(toHtml(clean), html).toBe(clean)
      const simple = toSimpleHtml(html)
      expect(faults(simple), html).toEqual([])
      expect(toSimpleHtml(simple), html).toBe(simple)
      const inline = toInlineHtml(html)
      expect(faults(inline), html).toEqual([])
      expect(toInlineHtml(inline), html).toBe(inline)
      expect(inline).not.toMatch(/<(?!\/?(?:em|strong)>|a(?: href="[^"]*")?>|\/a>)/)
    }
  })

  it.each([
    ['Concerts &amp; sessions', 'Concerts &amp; sessions'],
    ['One\r\n  two\n\n\n\nthree ', 'One\ntwo\n\nthree'],
    ['<p>One<br />\ntwo</p>\n<p><b>three</b></p>', 'One\ntwo\n\n<strong>three</strong>'],
    [
      '<i class="x">so</i> <a href="https://a.example/?a=1&b=2" onclick="x()" title="t">there</a>',
      '<em>so</em> <a href="https://a.example/?a=1&b=2">there</a>',
    ],
    ['<a href="javascript:x()">off</a> <img src="x"> 1 < 2', '<a>off</a>  1 &lt; 2'],
    ['<em>never closed', '<em>never closed</em>'],
    ['<script>x</script><em> </em>', ''],
  ])('of a term keeps lines, emphasis and links: %j', (given, kept) => {
    expect(toInlineHtml(given)).toBe(kept)
  })
})

describe('harmless HTML is kept', () => {
  it.each(KEPT)('%s', html => {
    expect(toHtml(html)).toBe(html)
  })
})

const CLEANED: [string, string, string][] = [
  ['nothing', '', ''],
  ['a plain text', 'A description', '<p>A description</p>'],
  ['paragraphs and lines', 'One\nstill one\n\nTwo', '<p>One<br />\nstill one</p>\n<p>Two</p>'],
  ['lines of Windows', 'One\r\n \r\n\r\nTwo', '<p>One</p>\n<p>Two</p>'],
  ['only white space', ' \n\n\t ', ''],
  ['a bare <', 'a < b & c <3 > d', '<p>a &lt; b & c &lt;3 > d</p>'],
  ['an address in angles', 'me <me@example.org>', '<p>me &lt;me@example.org></p>'],
  [
    'inline tags',
    '<b>One</b> x\n\n<i>Two\n\n2</i>',
    '<p><b>One</b> x</p>\n<p><i>Two<br />\n<br />\n2</i></p>',
  ],
  ['a break before a newline', 'a<br>\nb<br />c\nd', '<p>a<br>\nb<br />c<br />\nd</p>'],
  ['newlines in a tag', 'a <img\nalt="b\nc"\nsrc=d>', '<p>a <img alt="b c" src="d"></p>'],
  [
    'text around a block',
    'a\nb\n<div>c\nd</div>\ne\n\nf',
    '<p>a<br />\nb</p>\n<div>c\nd</div>\n<p>e</p>\n<p>f</p>',
  ],
  ['breaks between blocks', '<p>a</p>\n<br>\n<p>b</p>', '<p>a</p>\n<br>\n<p>b</p>'],
  ['an indented Japanese paragraph', '　今日は', '<p>　今日は</p>'],
  ['comments', '<!-- wp:paragraph -->\n<p>x</p>\n<!-- /wp:paragraph -->', '<p>x</p>'],
  ['a comment between lines', 'a\n<!-- x -->\nb', '<p>a</p>\n<p>b</p>'],
  ['words in angle brackets', '<Salsa> night <b><3</b>', '<p>&lt;Salsa> night <b>&lt;3</b></p>'],
  ['unknown tags', '<p><widget>x</widget> <marquee>y</marquee></p>', '<p>x y</p>'],
  ['hidden content', 'a<style>b{}</style>c<iframe src=x>d</iframe>e<iframe src=x />f', '<p>acef</p>'],
  ['what stays open', '<div><b>x', '<div><b>x</b></div>'],
  ['stray ends', '</div>x</b></p>', '<p>x</p>'],
  ['wrong order', '<b><i>x</b>y</i>', '<p><b><i>x</i></b>y</p>'],
  ['implied ends', '<p>a<p>b<ul><li>c<li>d</ul>', '<p>a</p><p>b</p><ul><li>c</li><li>d</li></ul>'],
  ['cells without a table', '<tr><td>x</td></tr>', '<p>x</p>'],
  [
    'rows',
    '<table><tr><td>a<td>b<tr><th>c</table>',
    '<table><tr><td>a</td><td>b</td></tr><tr><th>c</th></tr></table>',
  ],
  ['lists in lists', '<ul><li>a<ul><li>b</ul><li>c</ul>', '<ul><li>a<ul><li>b</li></ul></li><li>c</li></ul>'],
  ['links in links', '<a href=x>a<a href=y>b</a>', '<p><a href="x">a</a><a href="y">b</a></p>'],
  [
    'a target',
    '<p><a target=_blank rel=nofollow>x</a></p>',
    '<p><a target="_blank" rel="nofollow noopener">x</a></p>',
  ],
  ['a frame as a target', '<p><a target=top>x</a></p>', '<p><a>x</a></p>'],
  [
    'styles',
    '<p style="COLOR:Red;margin:0;border-color:red;text-align : center">x</p>',
    '<p style="color: red; text-align: center">x</p>',
  ],
  [
    'an address that blanks surround',
    '<p><a href=" https://x ">y</a></p>',
    '<p><a href="https://x">y</a></p>',
  ],
  ['an entity that might be a colon', '<p><a href="tel&unknown;1">x</a></p>', '<p><a>x</a></p>'],
  ['an attribute that is there twice', '<p title=a title=b>x</p>', '<p title="a">x</p>'],
  ['quotes', '<p title=\'a "b" > c\'>x</p>', '<p title="a &quot;b&quot; &gt; c">x</p>'],
  ['a slash that ends nothing', '<b/>x', '<p><b>x</b></p>'],
  ['ids and data', '<p id=a data-x="b" class=c>x</p>', '<p class="c">x</p>'],
  ['capitals', '<P CLASS=a>x<BR/></P>', '<p class="a">x<br /></p>'],
]

describe('toHtml', () => {
  it.each(CLEANED)('cleans %s', (_, html, clean) => {
    expect(toHtml(html)).toBe(clean)
    expect(toHtml(clean)).toBe(clean)
    expect(faults(clean)).toEqual([])
  })

  it('changes no word of a text', () => {
    const text = 'Ünïcödé コンサート, مشاعرہ\n\nहिन्दी 🎉 & more'
    expect(htmlToText(toHtml(text))).toBe(text.replace('\n\n', ' '))
  })
})

describe('toSimpleHtml', () => {
  it('leaves nothing that loads anything or has a look of its own, in hostile and in harmless HTML', () => {
    for (const html of [...ATTACKS, ATTACKS.join(' '), ...KEPT, KEPT.join('')]) {
      const clean = toSimpleHtml(html)
      expect(faults(clean)).toEqual([])
      expect(clean).not.toMatch(
        /<\/?(?:img|video|audio|source|picture|details|summary|font|span|div|figure|data|time|wbr|col)\b/,
      )
      expect(clean.match(/<\w+ (?!href="[^"]*" rel="nofollow ugc noopener">|\/>)/)).toBeNull()
      expect([toSimpleHtml(clean), toHtml(clean)]).toEqual([clean, clean])
    }
  })

  it('distinguishes addresses of links from text that only looks like one', () => {
    const html =
      '<p title=\' href="no"\'><a href="https://a.example/?x=1&amp;y=2">a</a><img src="/b.png"></p>'
    expect(linkedAddresses(toHtml(html))).toEqual(['https://a.example/?x=1&y=2', '/b.png'])
    expect(linkedAddresses(toSimpleHtml(html))).toEqual(['https://a.example/?x=1&y=2'])
  })
})

describe('500,000 characters', () => {
  const length = 500_000

  it('of one kind take linear time', () => {
    expect(toHtml('a'.repeat(length))).toBe(`<p>${'a'.repeat(length)}</p>`)
    expect(toHtml('<'.repeat(length))).toBe(`<p>${'&lt;'.repeat(length)}</p>`)
    expect(toHtml('&'.repeat(length))).toBe(`<p>${'&'.repeat(length)}</p>`)
    expect(toHtml('a\n\n'.repeat(length / 4))).toBe(
      Array(length / 4)
        .fill('<p>a</p>')
        .join('\n'),
    )
    expect(toHtml('\n'.repeat(length))).toBe('')
    expect(toHtml('<br>'.repeat(length / 4))).toBe('<br>'.repeat(length / 4))
  })

  it('of open tags stop nesting at a hundred', () => {
    expect(toHtml('<div>'.repeat(length / 5))).toBe('<div>'.repeat(100) + '</div>'.repeat(100))
    expect(toHtml('<b>'.repeat(length / 5))).toBe(`<p>${'<b>'.repeat(100)}${'</b>'.repeat(100)}</p>`)
  })

  it('of one tag, or of quotes that never close, take linear time', () => {
    expect(toHtml(`<a ${'b '.repeat(length / 2)}>x</a>`)).toBe('<p><a>x</a></p>')
    expect(toHtml(`<a href=${' '.repeat(length)}x>x</a>`)).toBe('<p><a href="x">x</a></p>')
    expect(faults(toHtml('<a x="'.repeat(length / 6)))).toEqual([])
    expect(faults(toHtml(`${'<a x=\'">'.repeat(length / 8)}`))).toEqual([])
    expect(toHtml('<![CDATA[>'.repeat(length / 10))).toBe('')
    expect(toHtml(`<x${'@'.repeat(length)} >y`)).toBe('<p>y</p>')
  })
})
