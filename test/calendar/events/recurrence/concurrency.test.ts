import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it } from 'vitest'
import { extendSeries } from '../../../../src/calendar/events/extend-series.ts'
import { Database } from '../../../../src/kit/db/database.ts'
import { settingsOf } from '../../../../src/kit/settings.ts'
import { findDriftIn } from '../../../derived/values.ts'
import { declareUser, makeEvent, query, queryValue, send } from '../../../factories.ts'
import { deleteEvents, makeWeekly, patch, readListed } from './calendar.ts'

const as = declareUser('editor')
let ids: number[]

beforeEach(async () => {
  await deleteEvents()
  await makeWeekly(as)
  ids = (await readListed()).map(({ id }) => id)
})

const id = (at: number) => ids[at] ?? 0

describe('at the same time', () => {
  it('changes of different fields of all occurrences both take effect', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        patch(as, id(0), { title: `Title ${round}`, scope: 'all' }),
        patch(as, id(1), { cost: `$${round + 1}`, scope: 'all' }),
        patch(as, id(2), { description: `Text ${round}`, scope: 'all' }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      for (const event of await readListed())
        expect(event).toMatchObject({
          title: `Title ${round}`,
          cost: `$${round + 1}`,
          description: `<p>Text ${round}</p>`,
        })
    }
    expect(await findDriftIn(env.DB)).toEqual([])
  })

  it('one occurrence is detached and all are changed, in either order', async () => {
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        patch(as, id(round), { title: 'Special' }),
        patch(as, id((round + 1) % 5), { title: `Title ${round}`, cost: `$${round}`, scope: 'all' }),
        send('DELETE', `/events/${id((round + 2) % 5)}`, { as }),
      ])
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
      const event = (await send('GET', `/events/${id(round)}`, { as })).body
      expect(event.title).toBe('Special')
      await patch(as, id((round + 2) % 5), { status: 'publish' })
    }
    expect(await readListed()).toHaveLength(5)
    expect(await findDriftIn(env.DB)).toEqual([])
  })

  it('the rule is changed twice, and the last change counts as a whole', async () => {
    for (let round = 0; round < 5; round++) {
      const rules = ['FREQ=WEEKLY;COUNT=3', 'FREQ=DAILY;COUNT=4']
      const answers = await Promise.all(
        rules.map(rrule => patch(as, id(0), { recurrence: { rrule }, scope: 'all' })),
      )
      expect(answers.map(({ status }) => status)).toEqual([200, 200])
      const rule = await queryValue('SELECT rrule FROM series')
      expect(rules).toContain(rule)
      expect((await readListed()).map(({ start_date }) => start_date.slice(8, 10))).toEqual(
        rule === rules[0] ? ['05', '12', '19'] : ['05', '06', '07', '08'],
      )
    }
    expect(await findDriftIn(env.DB)).toEqual([])
  })

  it('several are deleted, and the series excludes each', async () => {
    const answers = await Promise.all([1, 2, 3].map(at => send('DELETE', `/events/${id(at)}`, { as })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    expect((await readListed()).map(event => event.id)).toEqual([id(0), id(4)])
    expect(JSON.parse(String(await queryValue('SELECT exdate FROM series')))).toHaveLength(3)
  })

  it('the cron runs and somebody edits', async () => {
    const { id: first, series } = await makeEvent(as, {
      start_date: '2026-12-01 10:00:00',
      end_date: '2026-12-01 11:00:00',
      recurrence: 'FREQ=WEEKLY',
    })
    for (let month = 1; month <= 6; month++) {
      const now = Date.UTC(2026, 10 + month, 20)
      const cron = () => extendSeries({ db: new Database(env.DB), settings: settingsOf({}), nowMs: now })
      const [answer] = await Promise.all([
        patch(as, first, { title: `Month ${month}`, scope: 'all' }),
        cron(),
        cron(),
      ])
      expect(answer.status).toBe(200)
      await cron()
      const rows = await query(
        `SELECT count(*) AS n, count(DISTINCT occurrence_date) AS dates, count(DISTINCT title) AS titles
          FROM events WHERE series_id = ${series.id}`,
      )
      expect(rows[0]).toMatchObject({ titles: 1 })
      expect(rows[0]?.n).toBe(rows[0]?.dates)
    }
    expect(await findDriftIn(env.DB)).toEqual([])
  })

  it('only the first of two callers who have read the same version may change all', async () => {
    const { headers } = await send('GET', `/events/${id(0)}`, { as })
    const tag = headers.get('etag') ?? ''
    const change = (title: string) =>
      send('PATCH', `/events/${id(0)}`, { as, json: { title, scope: 'all' }, headers: { 'if-match': tag } })
    const statuses = (await Promise.all([change('One'), change('Two')])).map(({ status }) => status)
    expect(statuses.sort()).toEqual([200, 412])
  })
})
