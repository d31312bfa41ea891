import { describe, expect, it } from 'vitest'
import { pageText, readPage } from '../../src/readers/html-page.ts'
import { decodeText } from '../../src/readers/http.ts'
import { readIcs } from '../../src/readers/ics/file.ts'
import { icsItems } from '../../src/readers/ics/items.ts'
import { nodesOf } from '../../src/readers/jsonld/nodes.ts'
import { isCalendar, jsonIn } from '../../src/readers/site-address.ts'
import { isSitemap } from '../../src/readers/sitemap.ts'

// Some programs for Windows write UTF-16. This is the Worker's own decoder.

function utf16(text: string, isLittle: boolean): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length))
  for (let i = 0; i < text.length; i += 1) view.setUint16(2 * i, text.charCodeAt(i), isLittle)
  return new Uint8Array(view.buffer)
}

const TITLE = 'Café „Łódź“ 東京 🎷'
const MARK = '\ufeff'

const encodings: [string, (text: string) => Uint8Array][] = [
  ['UTF-8', text => new TextEncoder().encode(text)],
  ['UTF-8 with a byte order mark', text => new TextEncoder().encode(MARK + text)],
  ['UTF-16LE', text => utf16(text, true)],
  ['UTF-16LE with a byte order mark', text => utf16(MARK + text, true)],
  ['UTF-16BE', text => utf16(text, false)],
  ['UTF-16BE with a byte order mark', text => utf16(MARK + text, false)],
]

describe.each(encodings)('%s', (_, encoded) => {
  it('is read as a calendar, folded anywhere', async () => {
    const lines = [
      ...['BEGIN:VCALENDAR', 'BEGIN:VEVENT', 'UID:1', 'DTSTART:20270101T100000Z'],
      ...[`SUMMARY:${TITLE.slice(0, 5)}\r\n ${TITLE.slice(5)}`, 'END:VEVENT', 'END:VCALENDAR'],
    ]
    const bytes = encoded(lines.join('\r\n'))
    expect(isCalendar({ bytes })).toBe(true)
    const window = { from: '2026-01-01 00:00:00', to: '2028-01-01 00:00:00' }
    const reading = { timezone: 'UTC', nowMs: 0, note: () => {} }
    const items = await Array.fromAsync(icsItems(readIcs(bytes), 's', window, reading))
    const records = items.flatMap(item => (item.type === 'record' ? [item.record] : []))
    expect(records).toEqual([expect.objectContaining({ title: TITLE })])
  })

  it.each(['text/html', 'text/html; charset=utf-16', 'text/html; charset=iso-8859-1'])(
    'is read as a page of type %s',
    type => {
      // Bytes without a mark are in what the header says, if they may be.
      const isPlain = encoded('<').length === 1
      if (isPlain && type.includes('charset')) return
      const json = JSON.stringify({ '@type': 'Event', name: TITLE, startDate: '2027-01-01' })
      const html = `<html><meta charset="utf-16"><script type="application/ld+json">${json}</script>`
      const text = pageText({ headers: new Headers({ 'content-type': type }), bytes: encoded(html) })
      const { scripts } = readPage(text, 'https://hall.example/')
      expect(nodesOf(scripts, 'https://hall.example/').events.map(({ node }) => node.name)).toEqual([TITLE])
    },
  )

  it('is read as JSON and as a sitemap', () => {
    expect(jsonIn({ bytes: encoded(JSON.stringify({ a: TITLE })) })).toEqual({ a: TITLE })
    expect(isSitemap({ headers: new Headers(), bytes: encoded('<urlset >') })).toBe(true)
  })
})

it.each([true, false])('half a character of UTF-16 leaves the rest as it is, little-endian: %s', isLittle => {
  const html = `<title>${TITLE}\ud800</title>`
  const headers = new Headers({ 'content-type': 'text/html' })
  expect(pageText({ headers, bytes: utf16(html, isLittle) })).toBe(`<title>${TITLE}\ufffd</title>`)
  const lines = ['BEGIN:VCALENDAR', 'BEGIN:VEVENT', `SUMMARY:${TITLE}\ud800`, 'END:VEVENT', 'END:VCALENDAR']
  expect(decodeText(utf16(lines.join('\n'), isLittle))).toBe(lines.join('\n').replace('\ud800', '\ufffd'))
})

it('other encodings are those that the header names', () => {
  const bytes = Uint8Array.of(0xe9)
  expect(pageText({ headers: new Headers({ 'content-type': 'text/html; charset=iso-8859-1' }), bytes })).toBe(
    'é',
  )
  expect(pageText({ headers: new Headers({ 'content-type': 'text/html; charset=koi8-r' }), bytes })).toBe('И')
})
