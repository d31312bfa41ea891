import { env } from 'cloudflare:workers'
import { sql } from 'drizzle-orm'
import { describe, expect, it, vi } from 'vitest'
import { Database } from '../../../src/kit/db/database.ts'
import {
  declareUser,
  makeEvent,
  makePerson,
  makeSource,
  makeUser,
  query,
  queryAll,
  SITE,
  send,
} from '../../factories.ts'
import { metricsOf } from '../../kit/http/metrics.ts'
import { request, sendTo } from '../../request.ts'
import { callTool, message, post, resultText } from './agent.ts'

// What holds for all ways to read and write a calendar holds for agents, too.

const admin = declareUser('administrator', 'admin')
const update = (args: object, as: string) =>
  message('tools/call', { name: 'update_event', arguments: args }, { as })

describe('with rights that have just been taken away, an agent', () => {
  const revoke = (login: string) =>
    query('DELETE FROM passwords WHERE user_id = (SELECT id FROM users WHERE login = ?)', login)
  const demote = (login: string) => query(`UPDATE users SET role = 'subscriber' WHERE login = ?`, login)

  it.each([
    ['revoked', revoke],
    ['demoted', demote],
  ] as const)('reads and writes nothing: %s', async (way, take) => {
    const { id } = await makeEvent(admin, { title: 'Secret', status: 'draft' })
    const as = await makeUser(way, 'administrator')
    expect((await send('GET', `/events/${id}`, { as })).status).toBe(200)
    await take(way)
    const contents = () => queryAll(['SELECT * FROM events', 'SELECT * FROM audit'])
    const before = await contents()
    const written = await post(update({ id, title: 'Taken' }, as))
    const text = await written.text()
    expect(written.status >= 400 || text.includes('"isError":true')).toBe(true)
    expect(resultText(await callTool('get_event', { id }, { as }))).not.toContain('Secret')
    expect(await contents()).toEqual(before)
  })
})

it('shared caches are purged after a write of an agent, and not after a read', async () => {
  const { id } = await makeEvent(admin)
  const purge = vi.fn(async () => ({ success: true, errors: [] }))
  const waiting: Promise<unknown>[] = []
  // The Worker uses nothing else of it here.
  const context = {
    waitUntil: (work: Promise<unknown>) => waiting.push(work),
    cache: { purge },
  } as unknown as ExecutionContext
  const ask = async (init: RequestInit) => {
    expect((await request(`${SITE}/mcp`, init, env, context)).ok).toBe(true)
    await Promise.all(waiting.splice(0))
  }
  await query('UPDATE revision SET purges_left = 0, image_purges_left = 0')
  // After the pause that follows a purge.
  vi.setSystemTime(Date.now() + 3_600_000)
  await ask(message('tools/list', {}))
  expect(purge).not.toHaveBeenCalled()
  await ask(update({ id, cost: '$10' }, admin))
  expect(purge.mock.calls).toEqual([[{ tags: ['calendar'] }]])
})

it('the dates of a series count towards the write limit of agents', async () => {
  const contributor = await makePerson('contributor', 'contributor')
  const weeks = { recurrence: { rrule: 'FREQ=WEEKLY;COUNT=50' }, status: 'draft' }
  const { id } = await makeEvent(contributor.as, weeks)
  let writes = 0
  const WRITE_LIMIT: RateLimit = {
    limit: async () => {
      writes++
      return { success: true }
    },
  }
  const init = update({ id, title: 'Other', scope: 'all' }, contributor.as)
  const response = await sendTo({ WRITE_LIMIT }, `${SITE}/mcp`, init)
  expect([(await response.json()) as object, writes]).toMatchObject([{ result: {} }, 6])
  expect((await send('GET', `/events/${id}`, contributor)).body.title).toBe('Other')
})

it('settings of another instance hold for agents with the first response', async () => {
  const elsewhere = { DEBUG_TIMING: '1', PER_PAGE: '7', TIMEZONE: 'UTC' }
  const search = async () => {
    const init = message('tools/call', { name: 'search_events', arguments: { when: '2027-05-01' } })
    const response = await sendTo(elsewhere, `${SITE}/mcp`, init)
    const { result } = await response.json<{ result: { structuredContent: { timezone: string } } }>()
    return [result.structuredContent.timezone, metricsOf(response).trips]
  }
  expect(await search()).toEqual(['UTC', 1])
  expect((await send('PATCH', '/settings', { as: admin, json: { timezone: 'Europe/Rome' } })).status).toBe(
    200,
  )
  expect((await search())[0]).toBe('Europe/Rome')
  expect(await search()).toEqual(['Europe/Rome', 1])
})

it('a duplicate leads to the event that is shown, and names the sources', async () => {
  const shown = await makeEvent(admin)
  const hidden = await makeEvent(admin)
  const name = 'A &lt;b>"Bold"&lt;/b>'
  await makeSource(name, { events: [shown.id] })
  await query('UPDATE events SET duplicate_of = ? WHERE id = ?', shown.id, hidden.id)
  expect(resultText(await callTool('get_event', { id: hidden.id }))).toContain(`(id ${shown.id})`)
  const { structuredContent } = await callTool('get_event', { id: shown.id })
  expect(structuredContent.sources).toEqual(['A <b>"Bold"</b>'])
})

describe('JSON of strangers has few values:', () => {
  const calls = (args: string) =>
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search_events","arguments":${args}}}`
  const keys = `{${Array.from({ length: 3_000 }, (_, i) => `"k${i}":1`).join(',')}}`

  it.each([
    ['names in a call', calls(keys)],
    ['calls at once', `{"a":[${Array(3_000).fill(calls('{}')).join(',')}]}`],
  ])('%s', async (_, body) => {
    const headers = { 'content-type': 'application/json' }
    const parse = vi.spyOn(JSON, 'parse')
    expect((await post({ method: 'POST', headers, body })).status).toBe(413)
    expect(parse).not.toHaveBeenCalled()
    parse.mockRestore()
  })
})

it('a calendar that is being restored tells agents so', async () => {
  const mark = `'{"backup":"x","step":"users","rows":0}'`
  await new Database(env.DB).write([sql.raw(`UPDATE revision SET restoring = ${mark}`)])
  const said = await (await post(message('tools/call', { name: 'search_events', arguments: {} }))).text()
  await query('UPDATE revision SET restoring = NULL')
  expect(said).toContain('is being restored')
})
