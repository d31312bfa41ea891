import { describe, expect, it } from 'vitest'
import { importSource } from '../../../../src/kit/db/tables.ts'
import { numberedEvents, useFeed, vevent } from './feed.ts'

// A document that takes several batches is read once: the later ones find its records in the database.

const feed = await useFeed()
const { calendar } = feed

const MANY = 170
/** As many as three batches take. */
const FEW = 120
const places = (i: number) => [`LOCATION:Hall ${i % 7}`, `CATEGORIES:C${i % 3}`]
const countStoredRows = async () =>
  Number((await calendar.rows('SELECT count(*) AS n FROM source_documents'))[0]?.n)
const requests = () => feed.statuses().length

/** Adds the feed, and does as much of it as the first minute does. */
async function begin(fields: object = {}): Promise<number> {
  const id = await feed.add(fields)
  await feed.runEveryOtherMinute(2)
  expect(await countStoredRows()).toBeGreaterThan(1)
  expect((await feed.titles()).length).toBeLessThan(MANY)
  return id
}

describe('a large document', () => {
  it('is requested and read once, brings the same as in one batch, and leaves no rows behind', async () => {
    feed.serve([
      ...numberedEvents(MANY, places),
      vevent('w', 'Weekly', ['RRULE:FREQ=WEEKLY;COUNT=3', 'LOCATION:Hall 1']),
    ])
    const id = await begin({ mirror: true })
    feed.answer(response => void response.writeHead(500).end())
    await feed.runEveryOtherMinute(60)
    expect(requests()).toBe(1)
    expect(await feed.titles()).toHaveLength(MANY + 3)
    expect(await feed.runs(id)).toMatchObject([{ state: 'done', created: MANY + 3, updated: 0, skipped: [] }])
    expect(await feed.state()).toMatchObject({ state: 'ok', message: '' })
    expect(await countStoredRows()).toBe(0)
    // The same events in a document of few batches.
    const hashes = () =>
      calendar.rows(
        `SELECT kind, external_id, hash FROM imports WHERE source = '${importSource(id)}' ORDER BY 1, 2`,
      )
    const before = await hashes()
    feed.serve(numberedEvents(FEW, places))
    await calendar.must('PATCH', `/sources/${id}`, { mirror: false })
    feed.passMinutes(24 * 60)
    await feed.runEveryOtherMinute(12)
    expect(await countStoredRows()).toBe(0)
    expect((await feed.runs(id))[0]).toMatchObject({ state: 'done', updated: 0, unchanged: FEW })
    expect(await hashes()).toEqual(before)
  })

  it('is requested anew once it has changed', async () => {
    feed.serve(numberedEvents(MANY))
    const id = await begin()
    feed.serve(numberedEvents(MANY, i => (i === 3 ? ['URL:https://three.example/'] : [])))
    await feed.runEveryOtherMinute(60)
    expect(requests()).toBe(1)
    feed.passMinutes(24 * 60)
    await feed.runEveryOtherMinute(60)
    expect(requests()).toBe(2)
    expect((await feed.runs(id))[0]).toMatchObject({ state: 'done', updated: 1, unchanged: MANY - 1 })
    feed.passMinutes(24 * 60)
    await feed.runEveryOtherMinute(2)
    expect(feed.statuses().at(-1)).toBe(304)
  })

  it('of few batches that changes between them loses no event', async () => {
    const events = numberedEvents(60)
    feed.serve(events)
    const id = await feed.add()
    await feed.runEveryOtherMinute(2)
    expect(await feed.titles()).toHaveLength(50)
    feed.serve(events.slice(1))
    await feed.runEveryOtherMinute(10)
    expect(requests()).toBe(1)
    expect(await feed.titles()).toHaveLength(60)
    expect(await feed.runs(id)).toMatchObject([{ state: 'done', created: 60 }])
    feed.passMinutes(24 * 60)
    await feed.runEveryOtherMinute(10)
    expect((await feed.runs(id))[0]).toMatchObject({ state: 'done', created: 0, unchanged: 59 })
  })

  it('is stored with one copy of what its dates share', async () => {
    const text = `DESCRIPTION:${'a'.repeat(20_000)}`
    feed.serve([
      vevent('w', 'Weekly', ['RRULE:FREQ=WEEKLY;COUNT=80', text]),
      vevent('x', 'Other', ['RRULE:FREQ=WEEKLY;COUNT=80', 'DESCRIPTION:b']),
    ])
    await feed.add()
    await feed.runEveryOtherMinute(2)
    const [stored] = await calendar.rows('SELECT sum(length(content)) AS length FROM source_documents')
    expect(Number(stored?.length)).toBeGreaterThan(20_000)
    expect(Number(stored?.length)).toBeLessThan(300_000)
    await feed.runEveryOtherMinute(20)
    const [texts] = await calendar.rows('SELECT group_concat(length(description)) AS all_of FROM series')
    expect(texts).toEqual({ all_of: '20007,8' })
    expect(await feed.titles()).toHaveLength(160)
  })

  it('waits while there is no room for it', async () => {
    feed.serve(numberedEvents(60, i => [`DESCRIPTION:${String(i).repeat(20_000)}`]))
    await calendar.rows(
      "INSERT INTO sources (id, name, url, kind, every, status, author_id, created_utc) VALUES (999, 'x', 'x', '', '', 'publish', 1, 'x')",
    )
    await calendar.rows(`INSERT INTO source_documents (source_id, place, content)
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT 999, i, '[]' FROM n`)
    await feed.add()
    await feed.runEveryOtherMinute(6)
    expect(await feed.state()).toMatchObject({
      state: 'failing',
      message: expect.stringContaining('no room'),
    })
    await calendar.rows('DELETE FROM source_documents')
    await feed.runEveryOtherMinute(60)
    expect(await feed.titles()).toHaveLength(60)
    expect(await feed.state()).toMatchObject({ state: 'ok', message: '' })
  })

  it('is read again by another version of the Worker, which may read it differently', async () => {
    feed.serve(numberedEvents(MANY))
    const id = await begin()
    await calendar.rows(
      `UPDATE source_documents SET content = '[{"kind": "event", "what": "another form"}]' WHERE place >= 0`,
    )
    await feed.runEveryOtherMinute(60, calendar.DB, 'next')
    expect(requests()).toBeGreaterThan(1)
    expect(await feed.titles()).toHaveLength(MANY)
    expect(await feed.runs(id)).toMatchObject([{ state: 'done', skipped: [] }])
    expect(await countStoredRows()).toBe(0)
  })

  it('is read again if its rows are missing', async () => {
    feed.serve(numberedEvents(MANY))
    await begin()
    await calendar.rows('DELETE FROM source_documents WHERE place >= 0')
    await feed.runEveryOtherMinute(60)
    expect(requests()).toBeGreaterThan(1)
    expect(await feed.titles()).toHaveLength(MANY)
  })

  it.each<[string, (id: number) => Promise<unknown>]>([
    ['deleted', id => calendar.must('DELETE', `/sources/${id}`)],
    ['paused', id => calendar.must('PATCH', `/sources/${id}`, { state: 'paused' })],
    ['set to let in others', id => calendar.must('PATCH', `/sources/${id}`, { search: 'jazz' })],
    ['set to another address', id => calendar.must('PATCH', `/sources/${id}`, { url: 'https://x.example/' })],
  ])('is forgotten when its source is %s', async (_, act) => {
    feed.serve(numberedEvents(MANY))
    await act(await begin())
    expect(await countStoredRows()).toBe(0)
  })

  it('is forgotten when its source fails, and when its events are on their way to the trash', async () => {
    feed.serve(numberedEvents(MANY))
    const id = await begin()
    await calendar.rows("UPDATE users SET role = 'author'")
    await feed.runEveryOtherMinute(2)
    expect(await calendar.rows('SELECT state FROM sources')).toEqual([{ state: 'failing' }])
    await calendar.rows("UPDATE users SET role = 'administrator'")
    expect(await countStoredRows()).toBe(0)
    await calendar.must('POST', `/sources/${id}/sync`)
    expect(await countStoredRows()).toBeGreaterThan(1)
    await calendar.must('DELETE', `/sources/${id}?events=trash`)
    await feed.runEveryOtherMinute(60)
    expect([await feed.titles(), await countStoredRows()]).toEqual([[], 0])
  })

  it('that lacks events makes a mirror trash them, but asks before it trashes half', async () => {
    feed.serve(numberedEvents(MANY, places))
    const id = await feed.add({ mirror: true })
    await feed.runEveryOtherMinute(60)
    feed.serve(numberedEvents(MANY - 8, places))
    feed.passMinutes(24 * 60)
    await feed.runEveryOtherMinute(60)
    expect(await feed.runs(id)).toMatchObject([{ state: 'done', trashed: 8, unchanged: MANY - 8 }, {}])
    expect(await feed.titles()).toHaveLength(MANY - 8)
    feed.serve(numberedEvents(60, places))
    feed.passMinutes(24 * 60)
    await feed.runEveryOtherMinute(20)
    expect(await feed.state()).toMatchObject({ state: 'asking' })
    expect(await feed.titles()).toHaveLength(MANY - 8)
  })
})
