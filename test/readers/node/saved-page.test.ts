import { describe, expect, it } from 'vitest'
import { type EventRecord, type GuessedValue, Unreadable } from '../../../src/calendar/imports/records.ts'
import { isJson, isWebPage, savedItems } from '../../../src/readers/saved-page.ts'
import { CONTEXT } from '../database.ts'

// Pages and JSON-LD that somebody has saved as a file.

const bytesOf = (text: string) => new TextEncoder().encode(text)

async function read(text: string, file = 'events.html') {
  const guesses: GuessedValue[] = []
  const reading = {
    ...CONTEXT,
    timezone: 'Europe/Berlin',
    guess: (guess: GuessedValue) => void guesses.push(guess),
  }
  const items = await Array.fromAsync(savedItems(bytesOf(text), file, reading))
  const events = items.flatMap(item =>
    item.type === 'record' && item.record.kind === 'event' ? [item.record satisfies EventRecord] : [],
  )
  return {
    events,
    guesses,
    failures: items.flatMap(item => (item.type === 'failed' ? [[item.line, item.reason]] : [])),
  }
}

const JAZZ = { '@type': 'Event', name: 'Jazz', startDate: '2027-04-25T19:00', url: '/jazz/' }
const script = (json: unknown) => `<script type="application/ld+json">${JSON.stringify(json)}</script>`
const page = (head: string) => `<!DOCTYPE html>\n<html><head>${head}</head><body></body></html>`

describe('a saved page', () => {
  it.each([
    [
      'the remark of a browser',
      `<!DOCTYPE html>\n<!-- saved from url=(0028)https://hall.example/events/ -->\n<html>${script(JAZZ)}</html>`,
    ],
    ['its own link', page(`<link rel="canonical" href="https://hall.example/events/">${script(JAZZ)}`)],
    [
      'a link with its address first',
      page(`<link href='https://hall.example/events/' rel='canonical'>${script(JAZZ)}`),
    ],
    ['Open Graph', page(`<meta property="og:url" content="https://hall.example/events/">${script(JAZZ)}`)],
  ])('has the events of its address, which is in %s', async (_, text) => {
    const { events, failures } = await read(text)
    expect(failures).toEqual([])
    expect(events).toMatchObject([
      {
        source: 'jsonld:hall.example/events',
        externalId: 'https://hall.example/jazz/',
        title: 'Jazz',
        website: 'https://hall.example/jazz/',
        start: { wall: '2027-04-25 19:00:00' },
      },
    ])
  })

  it('without an address is known by its name, and has no links', async () => {
    const { events } = await read(page(script(JAZZ)))
    expect(events).toMatchObject([{ source: 'jsonld:events.html', website: null, external_id: '' }])
  })

  it('may have microdata, or be in another encoding', async () => {
    const item = `<p itemscope itemtype="https://schema.org/Event"><b itemprop="name">Süd</b><meta itemprop="startDate" content="2027-04-25">`
    const latin = Uint8Array.from(page(`<meta charset="iso-8859-1">${item}`), one => one.charCodeAt(0))
    const items = await Array.fromAsync(savedItems(latin, 'a.html', CONTEXT))
    expect(
      items.flatMap(one => (one.type === 'record' && 'title' in one.record ? [one.record.title] : [])),
    ).toEqual(['Süd'])
  })

  it('names scripts that cannot be read', async () => {
    const { events, failures } = await read(
      page(`${script(JAZZ)}\n<script type="application/ld+json">{"name: 1}`),
    )
    expect(events).toHaveLength(1)
    expect(failures).toMatchObject([[3, expect.stringMatching(/^its JSON-LD is not JSON/)]])
  })

  it('is refused without events, with what would do', async () => {
    await expect(read(page('<title>Welcome</title>'))).rejects.toMatchObject({
      code: 'source_page',
      message: expect.stringContaining('save the calendar that it links to, or import its address'),
    })
  })
})

describe('JSON', () => {
  it('of a page is read', async () => {
    const { events } = await read(JSON.stringify({ '@graph': [JAZZ] }), 'jazz.json')
    expect(events).toMatchObject([{ title: 'Jazz' }])
  })

  it.each(['{"events":[{"name":"Jazz","date":"2027-04-25"}]}', '[{"title":"Jazz"}]', '{}', '{"name":'])(
    'of other programs is refused, with what would do: %s',
    async text => {
      const failure = await read(text).catch(error => error)
      if (text === '{"name":') return expect(failure.failures).toHaveLength(1)
      expect(failure).toBeInstanceOf(Unreadable)
      expect(failure).toMatchObject({
        code: 'source_json',
        message: expect.stringContaining('export the events there as iCalendar (.ics) or as a table (.csv)'),
      })
    },
  )
})

it.each([
  ['<!doctype html><p>', true, false],
  ['\uFEFF\n<!-- a --><HTML lang="en">', true, false],
  ['<?xml version="1.0"?>\n<!DOCTYPE html>', true, false],
  ['<script>x</script>,Date', false, false],
  [' {"a":1}', false, true],
  ['[{"a":1}]', false, true],
  ['Title,Date\n<b>x</b>,2027-04-25', false, false],
  ['[Title],{Date}\nx,2027-04-25', false, false],
  ['BEGIN:VCALENDAR', false, false],
])('%j is a page: %s, JSON: %s', (text, asPage, asJson) => {
  expect([isWebPage(bytesOf(text)), isJson(bytesOf(text))]).toEqual([asPage, asJson])
})
