import { env } from 'cloudflare:workers'
import { describe, expect, it } from 'vitest'
import { runCron } from '../../../src/cron.ts'
import { readSources } from '../../../src/features/sources/schedule/run.ts'
import { Database } from '../../../src/kit/db/database.ts'
import { settingsOf } from '../../../src/kit/settings.ts'
import { makeDatabaseAnew, makeEvent, makeUser, query, queryValue, send } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { ignoreDatabaseFailure } from '../../watched-d1.ts'

// An uploaded file is imported once, whatever happens meanwhile.

const MINUTE_MS = 60_000

/** Uploads a file and lets it be imported. @returns the path of its source */
async function begin(as: string, count: number): Promise<string> {
  const rows = Array.from({ length: count }, (_, i) => `Walk ${i},2027-07-01,${8 + (i % 9)}:00,Hill ${i % 7}`)
  const body = new FormData()
  body.append('file', new File([['Title,Date,Time,Place', ...rows].join('\n')], 'walks.csv'))
  const uploaded = await send('POST', '/sources/files', { as, body })
  expect(uploaded.status).toBe(201)
  const path = `/sources/${uploaded.body.id}`
  const begun = await send('PATCH', path, { as, json: { state: 'ok', status: 'publish' } })
  expect(begun.body).toMatchObject({ state: 'ok', file: 'walks.csv', url: '' })
  return path
}

/** Does the work of the cron on sources every minute, for some minutes. */
async function runEveryMinute(from: number, count: number, DB = env.DB): Promise<void> {
  const settings = settingsOf({ TIMEZONE: 'UTC', SITE_URL: 'https://town.example' })
  for (let minute = from; minute < from + count; minute++)
    await readSources({
      db: new Database(DB),
      settings,
      nowMs: Date.now() + minute * MINUTE_MS,
    }).catch(ignoreDatabaseFailure)
}

describe('an import that is killed', () => {
  it.each([1, 3, 5, 8, 12])('after batch %i loses none of its events, and doubles none', async after => {
    await makeDatabaseAnew()
    const as = await makeUser('ada', 'editor')
    const path = await begin(as, 110)
    const { DB } = faultyD1({ message: 'D1_ERROR: killed', times: 1_000, after })
    await runEveryMinute(1, 1, DB)
    expect(await queryValue('SELECT count(*) FROM events')).toBeLessThan(110)
    await runEveryMinute(3, 30)
    const [counted] = await query(
      `SELECT count(*) AS n, count(DISTINCT title) AS titles, (SELECT count(*) FROM venues) AS venues FROM events`,
    )
    expect(counted).toEqual({ n: 110, titles: 110, venues: 7 })
    expect(await queryValue('SELECT count(*) FROM source_documents')).toBe(0)
    expect((await send('GET', path, { as })).body).toMatchObject({ state: 'ok', message: '' })
    // The same file once more.
    await begin(as, 110)
    await runEveryMinute(40, 8)
    expect(await queryValue('SELECT count(*) FROM events')).toBe(110)
    const { body } = await send('GET', `${path}/runs`, { as })
    expect(body.runs[0]).toMatchObject({ state: 'done', created: 0, unchanged: 110 })
  })
})

describe('undoing an import', () => {
  it('is for files, is noted in the history, and goes on if it is killed', async () => {
    await makeDatabaseAnew()
    const as = await makeUser('ada', 'editor')
    const feed = { name: 'Theatre', url: 'https://nobody.invalid/feed.ics', every: '' }
    const { body: other } = await send('POST', '/sources', { as, json: feed })
    expect((await send('POST', `/sources/${other.id}/undo`, { as })).status).toBe(404)
    const path = await begin(as, 70)
    // Nothing is imported yet.
    await query("UPDATE sources SET next_run_utc = NULL WHERE file <> ''")
    expect((await send('POST', `${path}/undo`, { as })).status).toBe(503)
    await send('PATCH', path, { as, json: { state: 'paused' } })
    await send('PATCH', path, { as, json: { state: 'ok' } })
    await runEveryMinute(0, 4)
    expect(await queryValue("SELECT count(*) FROM events WHERE status <> 'trash'")).toBe(70)
    const { DB } = faultyD1({ message: 'D1_ERROR: killed', times: 1_000, after: 4 })
    await send('POST', `${path}/undo`, { as, bindings: { DB } })
    await runEveryMinute(5, 20)
    expect(await queryValue("SELECT count(*) FROM events WHERE status <> 'trash'")).toBe(0)
    const { body } = await send('GET', `${path}/runs`, { as })
    expect(body.runs[0]).toMatchObject({ created: 70, trashed: 70, code: 'undone' })
    const noted = `SELECT count(*) FROM audit WHERE kind = 'source' AND fields = '["undoing"]' AND user_id IS NOT NULL`
    expect(await queryValue(noted)).toBe(1)
  })
})

describe('a file that nobody imports', () => {
  it('is deleted after a day, and what it has brought before stays', async () => {
    await makeDatabaseAnew()
    const as = await makeUser('ada', 'editor')
    const path = await begin(as, 3)
    await runEveryMinute(0, 2)
    const upload = async (name: string) => {
      const body = new FormData()
      body.append('file', new File(['Title,Date\nA,2027-01-01'], name))
      return (await send('POST', '/sources/files', { as, body })).body
    }
    await upload('walks (2).csv')
    await upload('other.csv')
    expect(await queryValue('SELECT count(*) FROM source_documents')).toBe(2)
    await runCron(env, Date.now() + 23 * 60 * MINUTE_MS)
    expect(await queryValue('SELECT count(*) FROM source_documents')).toBe(2)
    await runCron(env, Date.now() + 25 * 60 * MINUTE_MS)
    expect(await queryValue('SELECT count(*) FROM source_documents')).toBe(0)
    const { body } = await send('GET', '/sources', { as })
    expect(body.sources).toMatchObject([{ file: 'walks.csv', state: 'ok' }])
    expect((await send('POST', `${path}/preview`, { as })).status).toBe(404)
    expect(await queryValue('SELECT count(*) FROM events')).toBe(3)
    // Without a file, reading it changes nothing.
    expect((await send('POST', `${path}/sync`, { as })).body).toMatchObject({ state: 'done', created: 0 })
  })

  it('counts towards a limit, above which files are refused', async () => {
    const as = await makeUser('eda', 'editor')
    expect((await send('POST', '/sources/files', { as, json: {} })).status).toBe(400)
    await begin(as, 1)
    await query(`INSERT INTO source_documents (source_id, place, content)
      SELECT (SELECT max(id) FROM sources), -3 - value, '' FROM (SELECT 1) CROSS JOIN json_each('[${Array.from({ length: 100 }, (_, i) => i)}]')`)
    const body = new FormData()
    body.append('file', new File(['Title,Date'], 'more.csv'))
    expect((await send('POST', '/sources/files', { as, body })).body.code).toBe('sources-are-too-many')
  })
})

describe('the preview of a file', () => {
  it('says what stays private, and so does what is imported', async () => {
    await makeDatabaseAnew()
    const as = await makeUser('ada', 'editor')
    const body = new FormData()
    const csv = 'Betreff;Beginnt am;Privat\nArzt;13.04.2027;Ein\nUnklar;14.04.2027;?\nChor;15.04.2027;Aus\n'
    body.append('file', new File([csv], 'outlook.csv'))
    const { id } = (await send('POST', '/sources/files', { as, body })).body
    const { body: shown } = await send('POST', `/sources/${id}/preview`, { as, json: {} })
    expect(shown).toMatchObject({
      ...{ total: 3, private_count: 1 },
      events: [{ status: 'publish' }, { title: 'Arzt', status: 'private' }, { status: 'pending' }],
      guesses: [{ code: 'guess_hides', values: { field: 'Privat', text: '?', times: 1, line: 3 } }],
    })
    await send('PATCH', `/sources/${id}`, { as, json: { state: 'ok', status: 'publish' } })
    await send('POST', `/sources/${id}/sync`, { as })
    const { body: seen } = await send('GET', '/events?start_date=2027-01-01')
    expect(seen.events.map(({ title }: { title: string }) => title)).toEqual(['Chor'])
    const { body: runs } = await send('GET', `/sources/${id}/runs`, { as })
    expect(runs.runs[0].skipped).toMatchObject([{ code: 'guess_hides' }])
  })

  it.each([
    ['the same event', (_: number) => 'Walk,2027-07-01,9:00'],
    ['nothing that can be read', (i: number) => `Walk ${i},someday,9:00`],
  ])('lets others have their turn in thousands of rows with %s', async (_, row) => {
    await makeDatabaseAnew()
    const as = await makeUser('ada', 'editor')
    const turnsOf = async (count: number) => {
      const body = new FormData()
      const rows = ['Title,Date,Time', ...Array.from({ length: count }, (_, i) => row(i))]
      body.append('file', new File([rows.join('\n')], 'walks.csv'))
      const { id } = (await send('POST', '/sources/files', { as, body })).body
      let turns = 0
      const timer = setInterval(() => (turns += 1), 0)
      const { body: shown } = await send('POST', `/sources/${id}/preview`, { as, json: {} }).finally(() =>
        clearInterval(timer),
      )
      expect(shown.problem_count).toBeGreaterThan(count - 2)
      return turns
    }
    const few = await turnsOf(10)
    expect(await turnsOf(4_000)).toBeGreaterThan(few + 20)
  })
})

describe('the venues of a file', () => {
  it.each(['publish', 'draft'])('are one if only capitals or punctuation differ: %s', async status => {
    await makeDatabaseAnew()
    const as = await makeUser('ada', 'editor')
    const places = ['The Barn', 'the barn', 'The-Barn', 'Thé Barn!', 'The Barn Annexe']
    const importRows = async (rows: readonly string[]) => {
      const body = new FormData()
      body.append('file', new File([['Title,Date,Time,Place', ...rows].join('\n')], 'walks.csv'))
      const { body: source } = await send('POST', '/sources/files', { as, body })
      await send('PATCH', `/sources/${source.id}`, { as, json: { state: 'ok', status } })
      await runEveryMinute(0, 4)
    }
    await importRows(places.map((place, i) => `Walk ${i},2027-07-0${i + 1},10:00,${place}`))
    await importRows(['Talk,2027-07-08,10:00,THE BARN'])
    expect(await query('SELECT name FROM venues ORDER BY id')).toEqual([
      { name: 'The Barn' },
      { name: 'The Barn Annexe' },
    ])
    expect(await queryValue('SELECT count(*) FROM event_venues')).toBe(6)
  })
})

describe('a file of this calendar', () => {
  it.each(['at first', 'after choosing how to read it'])(
    'adds nothing, though SITE_URL is not set: %s',
    async when => {
      await makeDatabaseAnew()
      const as = await makeUser('ada', 'editor')
      for (const title of ['Walk', 'Talk'])
        await makeEvent(as, { title, start_date: '2027-07-01 10:00', end_date: '2027-07-01 11:00' })
      const { text } = await send('GET', '/events.csv')
      const body = new FormData()
      body.append('file', new File([text], 'events.csv'))
      const { body: source } = await send('POST', '/sources/files', { as, body })
      const path = `/sources/${source.id}`
      if (when !== 'at first')
        await send('PATCH', path, { as, json: { reading: { columns: {}, dates: 'dmy' } } })
      const begun = await send('PATCH', path, { as, json: { state: 'ok', status: 'publish' } })
      expect(begun.body.reading).toEqual({ columns: {}, dates: when === 'at first' ? '' : 'dmy' })
      await readSources({
        db: new Database(env.DB),
        settings: settingsOf({ TIMEZONE: 'UTC' }),
        nowMs: Date.now(),
      })
      expect((await send('GET', `${path}/runs`, { as })).body.runs[0]).toMatchObject({
        state: 'done',
        created: 0,
      })
      expect(await queryValue('SELECT count(*) FROM events')).toBe(2)
    },
  )
})
