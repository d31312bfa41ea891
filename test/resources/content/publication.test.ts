import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { Database } from '../../../src/db/database.ts'
import worker from '../../../src/index.ts'
import { publishDue } from '../../../src/resources/content/publication.ts'
import { eventsBy, send, user } from '../../factories.ts'
import { TODAY } from '../../setup.ts'

const admin = user('administrator', 'admin')
const contributor = user('contributor')

const { create, change } = eventsBy(admin)

describe('publishing', () => {
  it('in the future waits, shows when it is due, and is stored by the cron', async () => {
    const { body } = await create({ title: 'Later', date: '2026-11-20 13:00:00', tags: ['later'] })
    expect(body.status).toBe('future')
    expect((await send('GET', `/events/${body.id}`)).status).toBe(403)
    vi.setSystemTime(TODAY.getTime() + 3_600_000)
    expect((await send('GET', `/events/${body.id}`)).body.status).toBe('publish')
    expect((await send('GET', '/events?search=later')).body.total).toBe(1)
    expect((await send('GET', '/events?tags=later')).body.total).toBe(1)
    const cron = { scheduledTime: Date.now(), cron: '* * * * *', noRetry: () => undefined }
    await Promise.all([worker.scheduled(cron, env), worker.scheduled(cron, env)])
    vi.setSystemTime(TODAY)
    expect((await send('GET', `/events/${body.id}`)).body.status).toBe('publish')
    expect((await send('GET', '/tags?search=later')).body).toMatchObject({ total: 1, tags: [{ count: 1 }] })
  })

  it('takes one statement, which writes nothing, when nothing is due', async () => {
    await create({ title: 'Much later', date: '2028-01-01 13:00:00' })
    const db = new Database(env.DB)
    await publishDue(db, TODAY.getTime())
    expect(db.metrics).toMatchObject({ statements: 1, rowsWritten: 0 })
    expect(db.metrics.rowsRead).toBeLessThan(5)
  })

  it('happens at once if the time is missing or past', async () => {
    expect((await create({ status: 'future' })).body.status).toBe('publish')
    expect((await create({ status: 'future', date: '2020-01-01' })).body.status).toBe('publish')
  })

  it('is not possible for contributors, whose content is pending instead', async () => {
    for (const status of ['publish', 'future', 'private'])
      expect((await create({ status, date: '2028-01-01' }, contributor)).body.status).toBe('pending')
    const { body } = await create({}, contributor)
    expect((await change(body.id, { status: 'publish' }, contributor)).body.status).toBe('pending')
    await change(body.id, { status: 'publish' })
    expect((await change(body.id, { title: 'Mine' }, contributor)).status).toBe(403)
    expect((await send('DELETE', `/events/${body.id}`, { as: contributor })).status).toBe(403)
  })
})
