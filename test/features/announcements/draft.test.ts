import { beforeAll, describe, expect, it } from 'vitest'
import { countRows, declareUser, make, makeUser, makeVenue, send } from '../../factories.ts'

const contributor = declareUser('contributor', 'cat')
const subscriber = declareUser('subscriber', 'sue')
const TEXT = 'Film night: Casablanca, Friday 19 February, 7 pm, in the Palace Theatre. Admission £5'
const NOW = '2027-01-14 10:00:00'
const draft = (json: object, as = contributor) => send('POST', '/events/draft', { as, json })

beforeAll(async () => {
  const admin = await makeUser('ann', 'administrator')
  await makeVenue(admin, 'Palace Theatre')
  await make(admin, 'venues', { venue: 'Secret Cellar', status: 'private' })
})

describe('POST /events/draft', () => {
  it('reads a text with the venues that the caller may use, and writes nothing', async () => {
    const before = await countRows('audit')
    const { status, body } = await draft({ text: TEXT, now: NOW, timezone: 'Europe/Dublin' })
    expect(status).toBe(200)
    expect(body).toMatchObject({
      drafts: [
        {
          title: 'Film night: Casablanca',
          start_date: '2027-02-19 19:00:00',
          all_day: false,
          venue: { venue: 'Palace Theatre' },
          cost: '£5',
          evidence: { venue: [TEXT.indexOf('Palace'), TEXT.indexOf('. Adm')] },
        },
      ],
      ignored: [],
      has_more: false,
    })
    expect(await countRows('audit')).toBe(before)
    expect(await countRows('events')).toBe(0)
  })

  it('begins with the show, not with the doors', async () => {
    const text = 'Ceilidh at Mill Hall, 19 February 2027. Doors 5:30 / show 7 p.m.'
    const { body } = await draft({ text, now: NOW })
    expect(body).toMatchObject({ drafts: [{ start_date: '2027-02-19 19:00:00' }] })
  })

  it('says that a text announces more events than it gives', async () => {
    const day = (i: number) => new Date(Date.UTC(2027, 1, 1 + i)).toISOString().slice(0, 10)
    const text = (n: number) => Array.from({ length: n }, (_, i) => `${day(i)}, 20:00: Choir ${i}`).join('\n')
    const { body } = await draft({ text: text(21), now: NOW })
    expect([body.drafts.length, body.has_more]).toEqual([20, true])
    expect((await draft({ text: text(20), now: NOW })).body.has_more).toBe(false)
  })

  it('does not know what the caller may not see', async () => {
    const { body } = await draft({ text: 'Jam session, 19 February, 7 pm, Secret Cellar', now: NOW })
    expect(body).toMatchObject({ drafts: [{ start_date: '2027-02-19 19:00:00' }] })
    expect(JSON.stringify(body)).not.toContain('"id"')
  })

  it.each([
    [{}, 'text'],
    [{ text: '' }, 'text'],
    [{ text: ' \n ' }, 'text'],
    [{ text: 'x'.repeat(20_001) }, 'text'],
    [{ text: TEXT, timezone: 'Mars/Base' }, 'timezone'],
    [{ text: TEXT, now: 'whenever' }, 'now'],
  ])('refuses %j', async (json, name) => {
    const { status, body } = await draft(json)
    expect([status, Object.keys(Object(Object(body.data).params))]).toEqual([400, [name]])
  })

  it('is for those who may make events', async () => {
    expect((await send('POST', '/events/draft', { json: { text: TEXT } })).status).toBe(401)
    expect((await draft({ text: TEXT }, subscriber)).status).toBe(403)
  })
})
