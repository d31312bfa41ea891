import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { Bindings } from '../../../src/kit/env.ts'
import { Browser } from '../../editor/session.ts'
import { make, makeDatabaseAnew, makeEvent, makeUser, makeVenue, query } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { linkIn, type Outbox, openOutbox } from '../../outbox.ts'
import { runCron } from '../../run-cron.ts'
import { dyingAt } from '../../watched-d1.ts'

let outbox: Outbox
let as: string

beforeEach(async () => {
  await makeDatabaseAnew()
  outbox = openOutbox({ TIMEZONE: 'Europe/Dublin' })
  as = await makeUser('ed', 'editor')
  await makeEvent(as, { title: 'Céilí', start_date: '2026-11-27 20:00:00', end_date: '2026-11-27 22:00:00' })
})

/** When the letter of these tests is due: on a Thursday at seven in Dublin. */
const DUE = '2026-11-26T07:00:00Z'
const later = (minutes: number): string => new Date(Date.parse(DUE) + minutes * 60_000).toISOString()

const ask = (method: string, path: string, json?: object) =>
  sendWith(outbox.bindings)(method, path, { as, json })

/** Makes a letter with a confirmed address. @returns its id */
async function makeLetter(fields: object = {}): Promise<number> {
  const all = { name: 'The week', to: 'week@lists.example', weekday: 'thursday', hour: 7, ...fields }
  const { body } = await ask('POST', '/letters', all)
  await query('UPDATE letters SET confirmed_email = to_email WHERE id = ?', body.id)
  outbox.mails.length = 0
  return body.id
}

const tick = (time: string, more: Partial<Bindings> = {}) => runCron(outbox, time, more)

/** Runs the cron that sends the letter, in a Worker that is killed at a statement. */
const tickUntil = (isItsEnd: (text: string) => boolean) => tick(DUE, { DB: dyingAt(env.DB, isItsEnd) })

type Delivery = {
  id: number
  state: string
  tries: number
  next_try_utc?: string
  reason: string
  events: number
}

const deliveriesOf = async (id: number): Promise<Delivery[]> =>
  (await ask('GET', `/letters/${id}/deliveries`)).body.deliveries

const letterOf = async (id: number) => (await ask('GET', `/letters/${id}`)).body

const retry = (id: number, delivery: number) => ask('POST', `/letters/${id}/deliveries/${delivery}/retry`, {})

describe('a letter', () => {
  it('is sent once at its time, and again a week later', async () => {
    const id = await makeLetter({ intro: 'Good morning!', subject: 'This week' })
    await tick(later(-1))
    expect(outbox.mails).toHaveLength(0)
    await tick(later(0))
    expect(outbox.mails).toHaveLength(1)
    const mail = outbox.last()
    expect(mail).toMatchObject({
      to: 'week@lists.example',
      subject: 'This week',
      from: { name: 'Town Hall' },
    })
    expect(mail.headers).toEqual({
      'Auto-Submitted': 'auto-generated',
      'Content-Language': 'en',
      'List-Id': `<letter-${id}.calendar.example>`,
      Precedence: 'list',
      'X-Entity-Ref-ID': expect.stringMatching(/^letter-\d+-\d+$/),
    })
    for (const form of [mail.text, mail.html]) expect(form).toContain('Céilí')
    expect(mail.text).toContain('Good morning!')
    expect(mail.text).toContain('https://calendar.example/')
    for (const minutes of [0, 1, 60, 24 * 60]) await tick(later(minutes))
    expect(outbox.mails).toHaveLength(1)
    expect(await deliveriesOf(id)).toMatchObject([
      { state: 'sent', tries: 1, events: 1, due: '2026-11-26 07:00:00' },
    ])
    expect(await letterOf(id)).toMatchObject({
      last_sent: '2026-11-26 07:00:00',
      next: '2026-12-03 07:00:00',
    })
    await makeEvent(as, { title: 'Next', start_date: '2026-12-04 20:00:00', end_date: '2026-12-04 22:00:00' })
    await tick(later(7 * 24 * 60))
    expect(outbox.mails).toHaveLength(2)
  })

  it('is not sent while its address is not confirmed, or while it is paused', async () => {
    const id = await makeLetter()
    await env.DB.exec("UPDATE letters SET confirmed_email = 'other@lists.example'")
    await tick(later(0))
    await env.DB.exec('UPDATE letters SET confirmed_email = to_email, active = 0')
    await tick(later(1))
    expect(outbox.mails).toHaveLength(0)
    expect(await deliveriesOf(id)).toEqual([])
  })

  it('that is confirmed after its time is first sent a week later', async () => {
    const id = await makeLetter()
    await env.DB.exec("UPDATE letters SET zone = ''")
    await tick(later(3))
    expect(outbox.mails).toHaveLength(0)
    expect(await letterOf(id)).toMatchObject({ next: '2026-12-03 07:00:00' })
    await tick(later(7 * 24 * 60))
    expect(await deliveriesOf(id)).toHaveLength(1)
  })

  it('that is due is still sent if something else of it is changed before the cron comes', async () => {
    const id = await makeLetter()
    vi.setSystemTime(later(0))
    expect((await ask('PATCH', `/letters/${id}`, { name: 'Another name', hour: 7 })).status).toBe(200)
    await tick(later(1))
    expect(outbox.last().subject).toBe('Another name')
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'sent', due: '2026-11-26 07:00:00' }])
    vi.setSystemTime(later(7 * 24 * 60))
    await ask('PATCH', `/letters/${id}`, { hour: 9 })
    await tick(later(7 * 24 * 60 + 1))
    expect(outbox.mails).toHaveLength(1)
    expect(await letterOf(id)).toMatchObject({ next: '2026-12-03 09:00:00' })
  })

  it('that was paused begins anew', async () => {
    const id = await makeLetter()
    await ask('PATCH', `/letters/${id}`, { active: false })
    vi.setSystemTime(later(60))
    await ask('PATCH', `/letters/${id}`, { active: true })
    await tick(later(61))
    expect(await deliveriesOf(id)).toEqual([])
    expect(await letterOf(id)).toMatchObject({ next: '2026-12-03 07:00:00' })
  })

  it('about a series goes on after a change of “this and following” dates', async () => {
    const when = { start_date: '2026-11-27 18:00:00', end_date: '2026-11-27 19:00:00' }
    const { id, series } = await makeEvent(as, { title: 'Set', ...when, recurrence: 'FREQ=DAILY;COUNT=4' })
    await makeLetter({ filters: { series: series.id } })
    await ask('PATCH', `/events/${id + 2}`, { scope: 'following', title: 'Reel' })
    await tick(later(0))
    expect(outbox.mails[0]?.text.match(/^(?:Set|Reel)$/gm)).toEqual(['Set', 'Set', 'Reel', 'Reel'])
  })

  it('without events is skipped, or says that there are none, as its setting says', async () => {
    const filters = { search: 'unheard-of' }
    const skipped = await makeLetter({ filters })
    const said = await makeLetter({ filters, empty: 'say', to: 'say@lists.example' })
    await tick(later(0))
    expect(outbox.mails.map(({ to }) => to)).toEqual(['say@lists.example'])
    expect(await deliveriesOf(skipped)).toMatchObject([{ state: 'empty', tries: 0 }])
    expect(await deliveriesOf(said)).toMatchObject([{ state: 'sent', events: 0 }])
  })

  it('is sent late after some hours without the Worker, and left out after half a day', async () => {
    const id = await makeLetter()
    await tick(later(11 * 60))
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'sent' }])
    await tick(later(7 * 24 * 60 + 13 * 60))
    expect(outbox.mails).toHaveLength(1)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'late' }, { state: 'sent' }])
    expect(await letterOf(id)).toMatchObject({ next: '2026-12-10 07:00:00' })
  })

  it('follows the calendar into another zone', async () => {
    const id = await makeLetter()
    outbox = openOutbox({ TIMEZONE: 'America/New_York' })
    await tick(later(-60))
    await tick(later(0))
    expect(outbox.mails).toHaveLength(0)
    expect(await letterOf(id)).toMatchObject({ next: '2026-11-26 12:00:00' })
    await tick(later(5 * 60))
    expect(outbox.mails).toHaveLength(1)
  })

  it('costs the cron no statement and no write while it is not due', async () => {
    // Then there is nothing else to do.
    for (const minutes of [-9, -8, -7]) await tick(later(minutes))
    const without = await tick(later(-6))
    await makeLetter()
    const idle = await tick(later(-2))
    expect(idle.statements).toBe(without.statements)
    expect(idle.rows_written).toBe(without.rows_written)
    const { statements } = await tick(later(0))
    expect(outbox.mails).toHaveLength(1)
    // What LETTER_WORK leaves for each, and the look for those that are due.
    expect(Number(statements) - Number(idle.statements)).toBeLessThanOrEqual(14 + 3)
  })
})

describe('sending only once', () => {
  it('a letter is sent once if two crons run at the same time', async () => {
    const id = await makeLetter()
    // The second one does everything after the first has read what is due, and before that claims it.
    await tick(DUE, faultyD1({ beforeWrite: () => tick(DUE) }))
    expect(outbox.mails).toHaveLength(1)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'sent', tries: 1 }])
  })

  it('the next run sends a letter if the Worker is killed before sending it', async () => {
    const id = await makeLetter()
    await tickUntil(text => /^update "letter_deliveries"/.test(text))
    expect(outbox.mails).toHaveLength(0)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'waiting', tries: 0 }])
    for (const minutes of [1, 2]) await tick(later(minutes))
    expect(outbox.mails).toHaveLength(1)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'sent', tries: 1 }])
  })

  it('every letter is sent once if more are due than one run can send', async () => {
    for (let n = 0; n < 9; n++) await makeLetter({ to: `list-${n}@lists.example` })
    for (let minutes = 0; minutes < 6; minutes++) await tick(later(minutes))
    const addresses = outbox.mails.map(({ to }) => to)
    expect([addresses.length, new Set(addresses).size]).toEqual([9, 9])
  })

  it('a letter is marked as unknown if the Worker is killed while sending, and can be sent by hand', async () => {
    const id = await makeLetter()
    await tickUntil(() => outbox.mails.length > 0)
    expect(outbox.mails).toHaveLength(1)
    const [killed] = await deliveriesOf(id)
    expect(killed).toMatchObject({ state: 'sending' })
    const early = await retry(id, killed?.id ?? 0)
    expect(early).toMatchObject({ status: 409, body: { code: 'rest_letter_cannot_be_sent' } })
    for (const minutes of [1, 6, 60, 24 * 60]) await tick(later(minutes))
    expect(outbox.mails).toHaveLength(1)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'unknown', tries: 1 }])
    expect(await retry(id, killed?.id ?? 0)).toMatchObject({ status: 200, body: { state: 'sent', tries: 2 } })
    expect(outbox.mails).toHaveLength(2)
    expect(outbox.mails[0]?.headers['X-Entity-Ref-ID']).toBe(outbox.mails[1]?.headers['X-Entity-Ref-ID'])
    expect(await retry(id, killed?.id ?? 0)).toMatchObject({ status: 409 })
  })

  it.each([
    ['an error without a code', new Error('Network connection lost.'), 'error'],
    ['an internal error', Object.assign(new Error('Oops'), { code: 'E_INTERNAL_SERVER_ERROR' }), 'error'],
  ])('a letter is not sent again by itself after %s', async (_, error, reason) => {
    const id = await makeLetter()
    let tries = 0
    outbox.onSend = async () => {
      tries++
      throw error
    }
    for (const minutes of [0, 1, 60, 11 * 60]) await tick(later(minutes))
    expect(tries).toBe(1)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'unknown', reason }])
  })

  it('a letter is not sent if its address is changed between the look and the claim', async () => {
    const id = await makeLetter()
    const change = () =>
      env.DB.exec("UPDATE letters SET version = version + 1, to_email = 'other@lists.example'")
    await tick(later(0), faultyD1({ beforeWrite: change }))
    await tick(later(1))
    expect(outbox.mails).toHaveLength(0)
    expect(await deliveriesOf(id)).toEqual([])
  })
})

describe('a letter that cannot be composed', () => {
  it('is tried again with the pauses of one that was refused', async () => {
    const id = await makeLetter()
    // Only the events of the letter: if the cron can't ask what is due, all tasks share its statements.
    const broken = () => faultyD1({ refused: /WITH unindexed\b/ })
    await tick(later(0), broken())
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'waiting', tries: 1, reason: 'text' }])
    for (const minutes of [1, 2, 3, 4, 5]) await tick(later(minutes), broken())
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'waiting', tries: 2 }])
    await tick(later(60))
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'sent', tries: 3, reason: '' }])
  })
})

describe('a letter about what visitors cannot see', () => {
  const hide = (path: string, status: string) =>
    status === 'private' ? ask('PATCH', path, { status }) : ask('DELETE', `${path}${status}`)

  it.each([
    ['venue', 'venues', 'private'],
    ['venue', 'venues', ''],
    ['organizer', 'organizers', 'private'],
    ['organizer', 'organizers', ''],
    ['categories', 'categories', ''],
    ['tags', 'tags', ''],
  ] as const)('is not sent, and says why: %s, %s %s', async (filter, plural, status) => {
    const { id: target } = await make(as, plural, { [filter]: 'Cellar', name: 'Cellar' })
    await makeEvent(as, {
      ...{ title: 'Play', start_date: '2026-11-26 20:00:00', end_date: '2026-11-26 22:00:00' },
      [filter]: [target],
    })
    const id = await makeLetter({ filters: { [filter]: [target] }, empty: 'say' })
    const { body: preview } = await ask('POST', `/letters/${id}/preview`)
    expect(preview.text).toContain('Play')
    expect((await hide(`/${plural}/${target}`, status)).status).toBe(200)
    await tick(later(0))
    expect(outbox.mails).toHaveLength(0)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'waiting', reason: 'filters' }])
    expect(await ask('POST', `/letters/${id}/preview`)).toMatchObject({
      status: 409,
      body: { code: 'rest_letter_cannot_be_sent' },
    })
  })

  it('is sent with the rest of what its filter names, which it keeps', async () => {
    const hall = await makeVenue(as, 'Hall')
    const cellar = await makeVenue(as, 'Cellar')
    for (const { id, venue } of [hall, cellar])
      await makeEvent(as, { title: `In ${venue}`, start_date: '2026-11-28 20:00:00', venue: [id] })
    const filters = { venue: [hall.id, cellar.id] }
    const id = await makeLetter({ filters })
    await hide(`/venues/${cellar.id}`, 'private')
    await tick(later(0))
    const { text } = outbox.last()
    expect([text.includes('In Hall'), text.includes('In Cellar')]).toEqual([true, false])
    expect(text).not.toMatch(new RegExp(`venue=.*${cellar.id}`))
    expect(await letterOf(id)).toMatchObject({ filters })
  })
})

describe('a letter that the platform refuses', () => {
  const refusing = () => {
    outbox.onSend = async () => {
      throw Object.assign(new Error('Slow down'), { code: 'E_RATE_LIMIT_EXCEEDED' })
    }
  }

  it('is tried again, less and less often, until it is taken', async () => {
    const id = await makeLetter()
    refusing()
    await tick(later(0))
    expect(await deliveriesOf(id)).toMatchObject([
      { state: 'waiting', tries: 1, reason: 'E_RATE_LIMIT_EXCEEDED', next_try_utc: '2026-11-26 07:00:05' },
    ])
    await tick(later(1))
    expect(await deliveriesOf(id)).toMatchObject([
      { state: 'waiting', tries: 2, next_try_utc: '2026-11-26 07:06:00' },
    ])
    await tick(later(5))
    expect(await deliveriesOf(id)).toMatchObject([{ tries: 2 }])
    outbox.onSend = async () => {}
    await tick(later(6))
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'sent', tries: 3, reason: '' }])
    expect(outbox.mails).toHaveLength(1)
    expect(await letterOf(id)).toMatchObject({ last_sent: '2026-11-26 07:06:00' })
  })

  it('is given up after half a day, and can then be sent by hand', async () => {
    const id = await makeLetter()
    refusing()
    for (let minutes = 0; minutes <= 12 * 60; minutes += 30) await tick(later(minutes))
    const [failed] = await deliveriesOf(id)
    expect(failed).toMatchObject({ state: 'failed', tries: 6 })
    expect(await retry(id, failed?.id ?? 0)).toMatchObject({ body: { state: 'failed', tries: 7 } })
    outbox.onSend = async () => {}
    expect(await retry(id, failed?.id ?? 0)).toMatchObject({ body: { state: 'sent', tries: 8 } })
  })

  it('is given up at once when it is paused', async () => {
    const id = await makeLetter()
    refusing()
    await tick(later(0))
    await ask('PATCH', `/letters/${id}`, { active: false })
    outbox.onSend = async () => {}
    await tick(later(1))
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', tries: 1 }])
    expect(outbox.mails).toHaveLength(0)
  })

  it.each([
    ['given up when its address is changed', { to: 'other@lists.example' }, 'failed'],
    ['kept when something else is changed', { subject: 'Soon' }, 'waiting'],
  ])('is %s', async (_, change, state) => {
    const id = await makeLetter()
    refusing()
    await tick(later(0))
    outbox.onSend = async () => {}
    expect((await ask('PATCH', `/letters/${id}`, change)).status).toBe(200)
    expect(await deliveriesOf(id)).toMatchObject([{ state, tries: 1 }])
    // Whoever confirms the new address agrees to what is sent from then on.
    await query('UPDATE letters SET confirmed_email = to_email')
    outbox.mails.length = 0
    await tick(later(1))
    expect(outbox.mails).toHaveLength(state === 'waiting' ? 1 : 0)
  })

  it('is not sent if it is paused right before it is tried again', async () => {
    const id = await makeLetter()
    refusing()
    await tick(later(0))
    outbox.onSend = async () => {}
    const beforeWrite = () => ask('PATCH', `/letters/${id}`, { active: false })
    await tick(later(1), faultyD1({ beforeWrite }))
    expect(outbox.mails).toHaveLength(0)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed', tries: 1 }])
  })

  it.each([
    ['late', 13 * 60],
    ['in time', 60],
  ])('is tried again only if that is not half a day late: %s', async (when, minutes) => {
    const id = await makeLetter()
    refusing()
    await tick(later(0))
    outbox.onSend = async () => {}
    await tick(later(minutes))
    expect(await deliveriesOf(id)).toMatchObject([{ state: when === 'late' ? 'failed' : 'sent' }])
    expect(outbox.mails).toHaveLength(when === 'late' ? 0 : 1)
  })

  it('delays neither other letters nor writes', async () => {
    await makeLetter()
    const second = await makeLetter({ to: 'second@lists.example' })
    outbox.onSend = async ({ to }) => {
      if (to === 'week@lists.example') throw new Error('E_RECIPIENT_SUPPRESSED')
    }
    await tick(later(0))
    expect(await deliveriesOf(second)).toMatchObject([{ state: 'sent' }])
    // Throws unless the event is written.
    await makeEvent(as, { title: 'Meanwhile' })
  })
})

describe('letters that were switched off', () => {
  const off = { FEATURES: 'none' }

  it('begin anew: nothing that was due meanwhile is sent', async () => {
    const id = await makeLetter({ empty: 'say' })
    await tick('2026-11-26T06:50:00Z', off)
    await tick(later(5), off)
    expect(outbox.mails).toHaveLength(0)
    await tick(later(60))
    expect([outbox.mails, await deliveriesOf(id)]).toEqual([[], []])
    await tick('2026-12-03T07:00:00Z')
    expect(outbox.mails).toHaveLength(1)
  })

  it('don’t send what waited for another try', async () => {
    const id = await makeLetter()
    outbox.onSend = async () => {
      throw Object.assign(new Error('no'), { code: 'E_RATE_LIMIT_EXCEEDED' })
    }
    await tick(DUE)
    outbox.onSend = async () => {}
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'waiting' }])
    await tick(later(2), off)
    await tick(later(30))
    expect(outbox.mails).toHaveLength(0)
    expect(await deliveriesOf(id)).toMatchObject([{ state: 'failed' }])
  })

  it('confirm no address', async () => {
    await ask('POST', '/letters', { name: 'Next', to: 'next@lists.example', weekday: 'monday', hour: 7 })
    const link = linkIn(outbox.last())
    const reader = new Browser({ ...outbox.bindings, ...off })
    expect((await reader.get(link)).status).toBe(410)
    expect((await new Browser(outbox.bindings).get(link)).status).toBe(200)
  })
})
