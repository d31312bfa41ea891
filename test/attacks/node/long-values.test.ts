import { describe, expect, it } from 'vitest'
import { abridgeHtml } from '../../../src/kit/lib/abridge.ts'
import { toInlineHtml } from '../../../src/kit/lib/html.ts'
import { isTimeCell } from '../../../src/readers/csv/clock.ts'
import { isDayCell } from '../../../src/readers/csv/days.ts'
import { csvTimes } from '../../../src/readers/csv/times.ts'
import { nodeImage } from '../../../src/readers/jsonld/places.ts'
import { richText } from '../../../src/site/html/text.ts'

// Values so long that a pattern that takes the square of their length would take minutes.

const BLANKS = ' '.repeat(1_000_000)

const timesOf = (cells: Record<string, string>) =>
  csvTimes(
    { cell: column => cells[column] ?? '', headingOf: column => column },
    { timezone: 'Europe/Berlin', nowMs: Date.UTC(2027, 0, 1), dayOrder: 'dmy', note: () => {}, what: 'x' },
  )

describe('a cell of a million blanks', () => {
  it.each([`1${BLANKS}x`, `12. Juni${BLANKS}x`, `0.0T${BLANKS}\n0/0`, `Dec 12, ${BLANKS}\nx`])(
    'is neither a day nor a time: %.10s',
    cell => {
      expect([isDayCell(cell, true), isTimeCell(cell, true)]).toEqual([false, false])
      expect(() => timesOf({ start_date: cell })).toThrow(/^start_date/)
      expect(() => timesOf({ start_date: '2027-06-12', start_time: cell })).toThrow('start_time')
    },
  )

  it('is not read as the time before its blanks', () => {
    expect(() => timesOf({ start_date: `2027-06-12 19${BLANKS}x` })).toThrow('is not a time')
  })

  it('around a time is trimmed', () => {
    const { start } = timesOf({ start_date: '2027-06-12', start_time: `${BLANKS}19 Uhr${BLANKS}` })
    expect(start.wall).toBe('2027-06-12 19:00:00')
  })
})

it.each([
  [BLANKS, undefined],
  [`640${BLANKS}px`, 640],
  ['640 px', 640],
])('the width of an image may have any number of blanks: %.6s', (width, read) => {
  const reading = { byId: new Map(), base: 'https://example.org/', what: 'x', note: () => undefined }
  const image = { url: 'https://example.org/a.jpg', width, height: '480px' }
  // An image needs only these parts of what is known about its page.
  expect(nodeImage(image, reading as unknown as Parameters<typeof nodeImage>[1])?.width).toBe(read)
})

it('a tag that does not end is text', () => {
  const text = `<a${'0'.repeat(200_000)}`
  expect(richText(text)).toBe(text)
  expect(abridgeHtml(text, 100)).toContain('…')
  expect(toInlineHtml(`x${'\t'.repeat(200_000)}y`)).toContain('x')
})
