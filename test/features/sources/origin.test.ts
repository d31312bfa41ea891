import { beforeAll, describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/kit/lib/languages.ts'
import { textsIn } from '../../../src/words/words.ts'
import { Copy, sorted } from '../../calendar/changes/copy.ts'
import {
  countRows,
  declareUser,
  makeEvent,
  makeSource,
  makeUser,
  query,
  queryValue,
  send,
} from '../../factories.ts'
import { dataIn, page } from '../../site/pages/page.ts'

// Which calendar an event comes from: what everybody sees of a source, and nothing else of it is seen.

const URL = 'https://elsewhere.example/feed.ics'
const MARKUP = 'A &lt;b>"Bold"&lt;/b> &lt;/script>'

const as = declareUser('editor', 'eve')
let single: number
let own: number
let hidden: number
let series: { id: number; series: { id: number } }
let theatre: number
let club: number
beforeAll(async () => {
  const make = async (title: string, fields: object = {}) => (await makeEvent(as, { title, ...fields })).id
  single = await make('Single')
  own = await make('Own')
  hidden = await make('Own, elsewhere')
  const body = await makeEvent(as, { title: 'Weekly', recurrence: { rrule: 'FREQ=WEEKLY;COUNT=3' } })
  series = { id: body.id, series: body.series }
  theatre = await makeSource(MARKUP, {
    events: [single],
    series: [series.series.id],
    rights: ['CC BY', 'https://cc.example/by'],
  })
  club = await makeSource('Club', { events: [hidden] })
})

const read = async (path: string, by?: string) => (await send('GET', path, by ? { as: by } : {})).body
const ids = async (query: string) => {
  const { events } = await read(`/events?per_page=50&${query}`)
  return events.map(({ id }: { id: number }) => id)
}
const hide = (duplicate: number, by: number | null) =>
  query('UPDATE events SET duplicate_of = ? WHERE id = ?', by, duplicate)

describe('the source of an event', () => {
  const named = () => ({
    id: theatre,
    name: MARKUP,
    url: URL,
    rights: { text: 'CC BY', url: 'https://cc.example/by' },
  })

  it('is on the event and on every date of a series, wherever these are; own events have none', async () => {
    expect((await read(`/events/${single}`)).source).toEqual(named())
    expect(await read(`/events/${own}`)).not.toHaveProperty('source')
    expect(await read(`/events/${own}`)).not.toHaveProperty('other_sources')
    expect((await read(`/series/${series.series.id}`)).source).toEqual(named())
    const { events } = await read('/events/changes?per_page=50')
    for (const event of events)
      expect(event.source?.id, event.id).toEqual(
        event.title === 'Weekly' || event.id === single ? theatre : event.id === hidden ? club : undefined,
      )
    expect(await read(`/events/${single}?_fields=source.name`)).toEqual({ source: { name: MARKUP } })
    const { features } = await read(`/events.geojson?_fields=source.id`)
    expect(features).toEqual([])
  })

  it('is a filter of lists and feeds', async () => {
    expect(await ids(`source=${theatre}`)).toEqual([single, series.id, series.id + 1, series.id + 2])
    expect(await ids(`source=${theatre},${club}`)).toHaveLength(5)
    expect(await ids(`source=${theatre}&search=weekly`)).toHaveLength(3)
    const { text } = await send('GET', `/events.ics?source=${club}`)
    expect(text.match(/^SUMMARY:.*$/gm)).toEqual([expect.stringContaining('Own\\, elsewhere')])
    for (const unknown of ['99999', '0', 'x', `${theatre},99999`])
      expect((await send('GET', `/events?source=${unknown}`)).body.data.params, unknown).toHaveProperty(
        'source',
      )
  })

  it('is hidden from strangers while none of its events is public', async () => {
    const { id } = await makeEvent(as, { status: 'draft' })
    const quiet = await makeSource('Quiet', { events: [id] })
    for (const by of [undefined, await makeUser('con', 'contributor')])
      expect((await send('GET', `/events?source=${quiet}`, by ? { as: by } : {})).status).toBe(400)
    expect(await read(`/events?source=${quiet}&status=draft`, as)).toMatchObject({
      events: [{ id, source: { name: 'Quiet' } }],
      total: 1,
    })
  })

  it('is in JSON-LD, iCalendar, RSS and JSON Feed', async () => {
    const { json_ld } = await read(`/events/${single}`)
    expect(json_ld.subjectOf).toEqual({
      '@type': 'CreativeWork',
      name: MARKUP,
      url: URL,
      license: 'https://cc.example/by',
      creditText: 'CC BY',
    })
    const feed = async (format: string) =>
      (await send('GET', `/events.${format}?source=${theatre}`)).text.replaceAll('\r\n ', '')
    expect((await feed('ics')).match(/^LINK;.*$/gm)).toEqual(
      Array(2).fill(`LINK;VALUE=URI;LINKREL=via;LABEL=A <b>'Bold'</b> </script>:${URL}`),
    )
    expect(await feed('rss')).toContain(`<source url="${URL}">A &lt;b&gt;`)
    const { items } = JSON.parse((await send('GET', `/events.feed.json?source=${theatre}`)).text)
    expect(items[0]._event.sources).toEqual([{ name: `A <b>"Bold"</b> </script>`, url: URL }])
  })

  it('is ignored when somebody sends the event back as it was read', async () => {
    const event = await read(`/events/${single}`)
    const { status, headers, body } = await send('PUT', `/events/${single}`, { as, json: event })
    expect([status, body.source]).toEqual([200, event.source])
    expect(headers.get('x-ignored-fields')).toContain('source')
    const copy = await send('POST', `/events/${single}/duplicate`, { as })
    expect(copy.status).toBe(201)
    expect(copy.body.source).toBeUndefined()
    await send('DELETE', `/events/${copy.body.id}?force=1`, { as })
  })

  it('is on its page with its rights, in every language, and as text', async () => {
    for (const language of LANGUAGES) {
      const { text, html, links } = await page('/event/single/', { vars: { LANGUAGE: language } })
      expect(text).toContain(`${textsIn(language).pages.source} A <b>"Bold"</b> </script> CC BY`)
      expect(html).not.toContain('<b>"Bold"')
      expect(links).toEqual(expect.arrayContaining([URL, 'https://cc.example/by']))
      expect(dataIn(html)).toBeUndefined()
    }
    expect((await page('/event/own/')).text).not.toContain(textsIn('en').pages.source)
  })
})

describe('an event that hides another', () => {
  it('is found by the source of that one while both are public, and names it if imported', async () => {
    const others = async () => (await read(`/events/${own}`)).other_sources
    const { headers } = await send('GET', `/events/${own}`)
    const copies = ['', `source=${club}`].map(query => new Copy('events', query))
    const expectGood = async () => {
      for (const copy of copies) {
        await copy.sync()
        expect(sorted(copy.rows.values())).toEqual(sorted(await copy.list()))
      }
    }
    await expectGood()
    await hide(hidden, own)
    await expectGood()
    expect(await others()).toBeUndefined()
    expect(await read(`/events/${own}`)).not.toHaveProperty('source')
    expect(await ids(`source=${club}`)).toEqual([own])
    expect((await send('GET', `/events/${own}`)).headers.get('etag')).not.toBe(headers.get('etag'))
    expect((await page('/event/own/')).text).not.toContain('Club')
    await query("UPDATE events SET status = 'draft' WHERE id = ?", hidden)
    expect((await send('GET', `/events?source=${club}`)).status).toBe(400)
    await query("UPDATE events SET status = 'publish' WHERE id = ?", hidden)
    expect(await ids(`source=${club}`)).toEqual([own])
    await hide(hidden, null)
    expect(await ids(`source=${club}`)).toEqual([hidden])
    await expectGood()
    await hide(hidden, single)
    expect((await read(`/events/${single}`)).other_sources).toEqual([{ id: club, name: 'Club', url: URL }])
    await hide(hidden, null)
    await expectGood()
  })
})

describe('a source that is changed', () => {
  it('changes its events for caches and copies, and nothing else', async () => {
    const path = `/events/${single}`
    const tag = async () => (await send('GET', path)).headers.get('etag')
    const newestChange = async () =>
      await queryValue("SELECT max(public_change_number) FROM changes WHERE kind = 'events'")
    const before = await tag()
    const number = await newestChange()
    await send('PATCH', `/sources/${theatre}`, { as, json: { state: 'paused', search: 'x' } })
    expect(await newestChange()).toBe(number)
    expect((await read(path)).source.name).toBe(MARKUP)
    await send('PATCH', `/sources/${theatre}`, { as, json: { name: '<i>Stage', rights: '' } })
    expect((await read(path)).source).toEqual({ id: theatre, name: 'Stage', url: URL })
    expect(await tag()).not.toBe(before)
    const changed = await countRows("changes WHERE kind = 'events' AND public_change_number > ?", number)
    expect(changed).toBe(4)
  })

  it('cannot link to a script', async () => {
    for (const json of [
      { url: 'javascript:alert(1)' },
      { rights: { text: 'x', url: 'javascript:alert(1)' } },
    ])
      expect((await send('PATCH', `/sources/${theatre}`, { as, json })).status).toBe(400)
  })

  it('is on none of its events once it is deleted, or about to be', async () => {
    await send('DELETE', `/sources/${theatre}`, { as })
    expect(await read(`/events/${single}`)).not.toHaveProperty('source')
    expect((await send('GET', `/events?source=${theatre}`)).status).toBe(400)
    expect((await send('GET', `/events?source=${theatre}`, { as })).status).toBe(400)
    expect(await ids('search=weekly')).toHaveLength(3)
    await send('DELETE', `/sources/${club}?events=trash`, { as })
    expect(await read(`/events/${hidden}`)).not.toHaveProperty('source')
    expect((await send('GET', `/events?source=${club}`)).status).toBe(400)
  })
})
