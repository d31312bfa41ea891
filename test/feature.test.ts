import { env } from 'cloudflare:workers'
import { getTableName, type SQL, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { createApp, ROUTES } from '../src/app.ts'
import { tasksOf } from '../src/cron.ts'
import { FEATURES } from '../src/features.ts'
import worker from '../src/index.ts'
import { Allowance } from '../src/kit/db/allowance.ts'
import { Database } from '../src/kit/db/database.ts'
import { first } from '../src/kit/db/query.ts'
import { startFeatures } from '../src/kit/lib/started-features.ts'
import { settingsOf } from '../src/kit/settings.ts'
import { html } from '../src/site/html/html.ts'
import type { PagePart } from '../src/site/html/slots.ts'
import { signIn } from './editor/session.ts'
import { declareUser, makeCategory, makeEvent, makeOrganizer, makeVenue, SITE, send } from './factories.ts'
import { faultyD1 } from './kit/http/faulty-d1.ts'
import { sendWith } from './kit/http/worker.ts'

const NAMES = FEATURES.map(({ name }) => name)
const as = declareUser('administrator', 'admin')
const WITHOUT = { FEATURES: 'none', CORE_PREFIX: 'wp-json' }
const sendWithout = sendWith(WITHOUT)

const pathOf = (path: string): string => path.replaceAll(/\{\w+\}/g, '1')

it('what features do while they are off waits if the run has no statements left', async () => {
  const allowance = new Allowance({ statements: 0, isStrict: true })
  const run = {
    db: new Database(env.DB, allowance),
    settings: settingsOf(WITHOUT),
    nowMs: Date.now(),
    mailer: undefined,
    model: undefined,
  }
  const tasks = tasksOf(FEATURES, run)
  expect(tasks.length).toBeGreaterThan(3)
  for (const { name, work } of tasks) {
    allowance.postponed.clear()
    await work()
    expect([[...allowance.postponed].length, run.db.metrics.statements], name).toEqual([1, 0])
  }
})

describe('a calendar without features', () => {
  it.each(
    FEATURES.flatMap(({ routes = [], erasing = [] }) =>
      routes
        .filter(route => !erasing.includes(route))
        .flatMap(({ methods, path }) => methods.map((method): [string, string] => [method, path])),
    ),
  )('has no route %s %s', async (method, path) => {
    const { status, body } = await sendWithout(method, pathOf(path), {
      as,
      ...(method !== 'GET' && { json: {} }),
    })
    expect([status, body.code]).toEqual([404, 'rest_no_route'])
  })

  it('has nothing at other addresses', async () => {
    const core = { CORE_PREFIX: 'wp-json' }
    const [all, none] = [core, WITHOUT].map(vars => createApp(settingsOf(vars)).routes)
    const own = new Set(none?.map(({ path }) => path))
    const paths = new Set(
      all?.flatMap(({ path }) => (own.has(path) || /[:*]|^\/admin/.test(path) ? [] : [path])),
    )
    expect(paths.size).toBeGreaterThan(5)
    for (const path of paths) expect((await sendWithout('GET', SITE + path)).status, path).toBe(404)
  })

  it('documents what there is: events, and nothing of features', async () => {
    const { body } = await sendWithout('GET', '/doc')
    const ofFeatures = FEATURES.flatMap(({ routes = [] }) => routes.map(({ path }) => path))
    const expected = ROUTES.map(({ path }) => path || '/').filter(path => !ofFeatures.includes(path))
    expect(Object.keys(body.paths)).toEqual([...new Set(expected)])
    const names = FEATURES.flatMap(({ docTags = {} }) => Object.keys(docTags))
    for (const { name } of body.tags) expect(names).not.toContain(name)
  })

  it('has no menu of theirs, no page in the editor and no link in pages', async () => {
    const { browser } = await signIn('administrator')
    const menu = FEATURES.flatMap(({ area }) => area?.menu ?? [])
    const without = browser.with(WITHOUT)
    const all = (await browser.get('/admin/')).html
    const none = (await without.get('/admin/')).html
    for (const { path } of menu) {
      const link = `href="${path}"`
      expect([all.includes(link), none.includes(link)], path).toEqual([true, false])
      expect((await without.get(path)).status, path).toBe(404)
    }
    const { text, headers } = await sendWithout('GET', `${SITE}/events/`)
    expect([text.includes('api.w.org'), text.includes('service-desc')]).toEqual([false, false])
    expect(headers.get('link')).toBeNull()
  })

  it('lists no features in its index, where others list theirs', async () => {
    expect((await sendWithout('GET', '')).body.features).toEqual([])
    expect((await send('GET', '')).body.features).toEqual(NAMES)
    const [first = ''] = NAMES
    expect((await sendWith({ FEATURES: ` ${first.toUpperCase()},` })('GET', '')).body.features).toEqual([
      first,
    ])
  })
})

it('an unknown feature is a wrong setting, which the log names', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {})
  const { status } = await sendWith({ FEATURES: 'lettres' })('GET', '/events')
  const said = log.mock.calls.flat().join()
  log.mockRestore()
  expect(status).toBe(500)
  expect(said).toContain(`FEATURES: lettres is none of ${NAMES.join(', ')}`)
  const late = worker.scheduled({ scheduledTime: Date.now() } as ScheduledController, {
    ...env,
    FEATURES: 'lettres',
  })
  await expect(late).rejects.toThrow('FEATURES: lettres')
})

describe('a part of a page, with a query', () => {
  const likes = (raisesRevision: boolean): PagePart<{ id: number }> => ({
    raisesRevision,
    select: (_, ids: SQL) => {
      const likers = first(sql`SELECT sum(n) AS n FROM likes WHERE id IN (${ids})`, ({ n }) => Number(n))
      return {
        ...likers,
        read:
          rows =>
          ({ id }) =>
            html`<p>${likers.read(rows)} like ${id}</p>`,
      }
    },
  })
  const addLikes = (raisesRevision: boolean): void => {
    const part = likes(raisesRevision)
    const parts = { event: part, venue: part, organizer: part, category: part, tag: part }
    startFeatures([...FEATURES, { name: 'likes', parts }])
  }
  const exec = (text: string) => env.DB.prepare(text).run()
  let pages: { id: number; path: string }[] = []

  beforeAll(async () => {
    await exec('CREATE TABLE likes (id INTEGER PRIMARY KEY, n INTEGER NOT NULL)')
    const venue = await makeVenue(as, 'Liked Hall')
    const organizer = await makeOrganizer(as, 'Liked Guild')
    await makeCategory(as, 'Liked Music')
    const event = await makeEvent(as, { categories: ['Liked Music'], tags: ['liked'] })
    const subjects: { id: number; url: string }[] = [
      event,
      venue,
      organizer,
      ...event.categories,
      ...event.tags,
    ]
    pages = subjects.map(({ id, url }) => ({ id, path: url.slice(SITE.length) }))
    await exec(
      `INSERT OR IGNORE INTO likes SELECT value, 12 FROM json_each('${JSON.stringify(pages.map(({ id }) => id))}')`,
    )
  })
  afterAll(async () => {
    startFeatures(FEATURES)
    await exec('DROP TABLE likes')
  })

  const shown = async (n: number): Promise<void> => {
    for (const { id, path } of pages)
      expect((await send('GET', SITE + path)).text, path).toEqual(
        expect.stringContaining(`<p>${n} like ${id}</p>`),
      )
  }

  it('stays the same on pages of all kinds until the revision rises', async () => {
    addLikes(true)
    await shown(12)
    await exec('UPDATE likes SET n = 13')
    await shown(12)
    await exec('INSERT INTO new_revisions VALUES (1)')
    await shown(13)
  })

  it('is not kept beyond the minute if nothing raises the revision', async () => {
    addLikes(false)
    await exec('UPDATE likes SET n = 14')
    await exec('INSERT INTO new_revisions VALUES (1)')
    await shown(14)
    await exec('UPDATE likes SET n = 15')
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] })
    await shown(15)
    vi.useRealTimers()
  })

  it('reads no table without triggers that raise the revision, if it says so', async () => {
    const { results } = await env.DB.prepare(
      "SELECT tbl_name AS name FROM sqlite_master WHERE type = 'trigger' AND sql LIKE '%INTO new_revisions %' GROUP BY 1 HAVING count(*) > 2",
    ).all<{ name: string }>()
    const raising = results.map(({ name }) => name)
    const unnoticed = FEATURES.filter(({ parts = {} }) =>
      Object.values(parts).every(part => part.raisesRevision),
    )
      .flatMap(({ tables = {} }) => Object.values(tables).map(getTableName))
      .filter(name => !raising.includes(name))
    const statusesWithout = (names: readonly string[]) => {
      const { DB } = faultyD1({ refused: new RegExp(`\\b(${names.join('|')})\\b`) })
      return Promise.all(
        pages.map(async ({ path }) => (await send('GET', SITE + path, { bindings: { DB } })).status),
      )
    }
    startFeatures(FEATURES)
    await exec('INSERT INTO new_revisions VALUES (1)')
    expect(await statusesWithout(unnoticed)).toEqual(pages.map(() => 200))
    addLikes(true)
    await exec('INSERT INTO new_revisions VALUES (1)')
    expect(await statusesWithout(['likes'])).toEqual(pages.map(() => 500))
  })

  it('is absent where its feature is switched off', async () => {
    addLikes(true)
    for (const { path } of pages) expect((await sendWithout('GET', SITE + path)).text).not.toContain(' like ')
  })
})
