import { env } from 'cloudflare:workers'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import { nextSending } from '../../../src/features/letters/state.ts'
import { ROLES } from '../../../src/kit/lib/roles.ts'
import { Browser } from '../../editor/session.ts'
import {
  declareUser,
  makeCategory,
  makeEvent,
  makeUser,
  query,
  queryAll,
  SITE,
  send,
} from '../../factories.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { linkIn, openOutbox } from '../../outbox.ts'
import { TODAY } from '../../setup.ts'

const outbox = openOutbox()
const as = declareUser('editor', 'ed')

const sendHere = sendWith(outbox.bindings)

/** Asks the API of a calendar that can send e-mails. */
const ask = (method: string, path: string, json?: object, headers = {}) =>
  sendHere(method, path, { as, json, headers })

const LETTER = { name: 'The week', to: 'week@lists.example', weekday: 'thursday', hour: 7 }

async function makeLetter(fields: object = {}) {
  const { status, body } = await ask('POST', '/letters', { ...LETTER, ...fields })
  expect([status, body]).toEqual([201, expect.anything()])
  return body
}

/** Opens the link of the last e-mail, and presses its button. */
async function confirm(): Promise<void> {
  const reader = new Browser(outbox.bindings)
  const link = linkIn(outbox.last())
  await reader.get(link)
  expect((await reader.post(link)).status).toBe(200)
}

beforeEach(async () => {
  // Links of earlier tests count towards the limits of a day.
  await queryAll(
    ['email_links', 'limit_counts', 'letter_deliveries', 'letters'].map(name => `DELETE FROM ${name}`),
  )
})

describe('letters', () => {
  it('go to no address of the calendar itself', async () => {
    const bindings = { ...outbox.bindings, INBOX: 'on', INBOX_ADDRESS: 'inbox@town.example' }
    for (const to of ['events@town.example', 'Inbox@TOWN.example', 'inbox+x@town.example']) {
      const { status, text } = await send('POST', '/letters', { as, json: { ...LETTER, to }, bindings })
      expect([status, text], to).toEqual([400, expect.stringContaining('own_address')])
    }
  })

  it('are made, read, changed and deleted', async () => {
    const made = await makeLetter({
      filters: 'search=jazz',
      subject: ' This\n week \u202e',
      intro: 'Good morning!\r\n',
      days: 10,
    })
    expect(made).toEqual({
      id: made.id,
      rest_url: `${SITE}/calendar/events/v1/letters/${made.id}`,
      ...LETTER,
      days: 10,
      filters: { search: 'jazz' },
      language: 'en',
      subject: 'This week',
      intro: 'Good morning!',
      empty: 'skip',
      active: true,
      state: 'unconfirmed',
      date_utc: '2026-11-20 12:00:00',
      link_sent: true,
    })
    const { link_sent: _, ...shown } = made
    const path = `/letters/${made.id}`
    const read = await ask('GET', path)
    expect(read.body).toEqual(shown)
    expect((await ask('GET', '/letters?per_page=1')).body).toMatchObject({ letters: [shown], total: 1 })
    const before = outbox.mails.length
    const changed = await ask('PATCH', path, { hour: 8, active: false })
    expect(changed.body).toEqual({ ...shown, hour: 8, active: false })
    expect(outbox.mails).toHaveLength(before)
    const tag = read.headers.get('etag') ?? ''
    expect((await ask('PATCH', path, { hour: 9 }, { 'if-match': tag })).status).toBe(412)
    expect((await ask('DELETE', path, undefined, { 'if-match': tag })).status).toBe(412)
    expect((await ask('DELETE', path)).body).toMatchObject({ id: made.id })
    expect(await ask('GET', path)).toMatchObject({ status: 404, body: { code: 'rest-letter-not-found' } })
    const results = await query(
      "SELECT action, fields, changed FROM audit WHERE kind = 'letter' AND object_id = ? ORDER BY id",
      made.id,
    )
    expect(results).toEqual([
      {
        action: 'create',
        fields: '["name","to","weekday","hour","days","filters","subject","intro"]',
        changed: null,
      },
      { action: 'update', fields: '["hour","active"]', changed: null },
      { action: 'delete', fields: '[]', changed: '{"name":["The week",null]}' },
    ])
  })

  it('are for the address that was confirmed by its link, and no other', async () => {
    const { id } = await makeLetter()
    expect(outbox.last()).toMatchObject({
      to: LETTER.to,
      subject: 'Please confirm your address for What’s on in Kilkenny',
    })
    expect(outbox.last().text).toContain('ed wants What’s on in Kilkenny to send the newsletter “The week”')
    await confirm()
    const confirmed = (await ask('GET', `/letters/${id}`)).body
    expect(confirmed).toMatchObject({ state: 'active', next: '2026-11-26 07:00:00' })
    // Naming it again asks nobody.
    const before = outbox.mails.length
    expect((await ask('PATCH', `/letters/${id}`, { to: LETTER.to })).body).toMatchObject({ state: 'active' })
    expect(outbox.mails).toHaveLength(before)
    const other = (await ask('PATCH', `/letters/${id}`, { to: 'other@lists.example' })).body
    expect(other).toMatchObject({ state: 'unconfirmed', link_sent: true })
    expect(other).not.toHaveProperty('next')
    expect(outbox.last().to).toBe('other@lists.example')
    // A link to an address that was replaced confirms nothing.
    const late = linkIn(outbox.last())
    await ask('PATCH', `/letters/${id}`, { to: 'third@lists.example' })
    expect((await new Browser(outbox.bindings).get(late)).status).toBe(410)
    await confirm()
    expect((await ask('GET', `/letters/${id}`)).body).toMatchObject({
      state: 'active',
      to: 'third@lists.example',
    })
  })

  it('need a link each: who confirmed one has agreed to no other', async () => {
    await makeLetter()
    await confirm()
    expect(await makeLetter({ name: 'The month' })).toMatchObject({ state: 'unconfirmed', link_sent: true })
  })

  it('report that the link could not be sent', async () => {
    outbox.onSend = async () => {
      throw new Error('E_SENDER_NOT_VERIFIED')
    }
    const made = await makeLetter({ to: 'unreachable@lists.example' })
    outbox.onSend = async () => {}
    expect(made).toMatchObject({ state: 'unconfirmed', link_sent: false })
  })

  it('are not stored if their address has had three links within a day', async () => {
    for (let i = 0; i < 3; i++) await makeLetter({ to: 'victim@lists.example' })
    const refused = await ask('POST', '/letters', { ...LETTER, to: 'victim@lists.example' })
    expect(refused).toMatchObject({ status: 429, body: { code: 'rest_too_many_requests' } })
    expect(refused.headers.get('retry-after')).toBe('3600')
    expect((await ask('GET', '/letters')).body.total).toBe(3)
  })

  it('ask ten addresses a day, whatever is deleted in between', async () => {
    const before = outbox.mails.length
    const statuses: number[] = []
    for (let i = 0; i < 14; i++) {
      const { status, body } = await ask('POST', '/letters', { ...LETTER, to: `stranger-${i}@lists.example` })
      statuses.push(status)
      if (status === 201) await ask('DELETE', `/letters/${body.id}`)
    }
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(4).fill(429)])
    expect(outbox.mails.length - before).toBe(10)
  })

  it('ask ten addresses a day, however many are made at once', async () => {
    const before = outbox.mails.length
    const all = await Promise.all(
      Array.from({ length: 14 }, (_, i) =>
        ask('POST', '/letters', { ...LETTER, to: `at-once-${i}@lists.example` }),
      ),
    )
    const statuses = all.map(({ status }) => status).toSorted()
    expect(statuses).toEqual([...Array(10).fill(201), ...Array(4).fill(429)])
    expect(outbox.mails.length - before).toBe(10)
    // Those that came too late are not stored either.
    expect((await ask('GET', '/letters')).body.total).toBe(10)
  })

  it('ask a hundred addresses a day, whoever makes them', async () => {
    await query(
      "INSERT INTO limit_counts (key, count, until_utc) VALUES ('links', 99, '2026-11-21 11:00:00')",
    )
    await makeLetter()
    const { status } = await ask('POST', '/letters', { ...LETTER, to: 'other@lists.example' })
    expect(status).toBe(429)
    vi.setSystemTime(TODAY.getTime() + 86_400_000)
    await makeLetter()
    vi.setSystemTime(TODAY)
  })

  it('are at most twenty', async () => {
    for (let i = 0; i < 20; i++) {
      await makeLetter({ to: `list-${i}@lists.example` })
      await env.DB.exec('DELETE FROM limit_counts')
    }
    expect(await ask('POST', '/letters', LETTER)).toMatchObject({
      status: 409,
      body: { code: 'letters-are-too-many' },
    })
  })

  it.each([
    ['to', { to: 'a@lists.example, b@lists.example' }],
    ['to', { to: 'a@lists.example\r\nBcc: eve@evil.example' }],
    ['to', { to: 'List <a@lists.example>' }],
    ['to', { to: ['a@lists.example', 'b@lists.example'] }],
    ['weekday', { weekday: 'someday' }],
    ['hour', { hour: 24 }],
    ['days', { days: 63 }],
    ['days', { days: 0 }],
    ['language', { language: 'tlh' }],
    ['empty', { empty: 'perhaps' }],
    ['subject', { subject: 'x'.repeat(201) }],
    ['intro', { intro: 'x'.repeat(5001) }],
    ['filters', { filters: { nonsense: '1' } }],
    ['filters', { filters: { categories: 'unheard-of' } }],
    ['filters', { filters: { start_date: '2027-01-01' } }],
    ['filters', { filters: { status: 'draft' } }],
    ['filters', { filters: 'happening=today' }],
    ['name', { name: ' ' }],
  ])('refuse %s: %j', async (field, fields) => {
    const { status, body } = await ask('POST', '/letters', { ...LETTER, ...fields })
    expect([status, Object.keys(body.data?.params ?? {})]).toEqual([400, [field]])
  })

  it('say why a filter is refused', async () => {
    const { body } = await ask('POST', '/letters', { ...LETTER, filters: { status: 'draft' } })
    expect(body.data.params.filters).toBe(
      'must not have status: a letter has days of its own, and public events only',
    )
  })

  it('require a name, an address, a day and an hour', async () => {
    const { body } = await ask('POST', '/letters', {})
    expect(body.data.params.toSorted()).toEqual(['hour', 'name', 'to', 'weekday'])
  })
})

describe('a preview', () => {
  it('is the letter as it would go now, with hostile texts as texts', async () => {
    const hostile = '<img src=x onerror=alert(1)>\r\nBcc: eve@evil.example'
    const when = { start_date: '2026-11-21 20:00:00', end_date: '2026-11-21 22:00:00' }
    await makeCategory(as, 'Jazz')
    await makeEvent(as, { title: 'Tonight & <b>tomorrow</b>', ...when, categories: ['Jazz'] })
    await makeEvent(as, { title: 'Elsewhere', ...when })
    await makeEvent(as, { title: 'Secret', status: 'draft', ...when, categories: ['Jazz'] })
    const { id } = await makeLetter({ filters: { categories: 'jazz' }, subject: hostile, intro: hostile })
    const { status, body } = await ask('POST', `/letters/${id}/preview`)
    expect({ status, events: body.events, subject: body.subject }).toEqual({
      status: 200,
      events: 1,
      subject: '<img src=x onerror=alert(1)> Bcc: eve@evil.example',
    })
    for (const form of [body.html, body.text]) {
      expect(form).toContain('Tonight')
      expect(form).not.toMatch(/Elsewhere|Secret/)
    }
    expect(body.html).not.toContain('<img src=x')
  })

  it.each([
    ['en', 'Nothing is announced for these days.'],
    ['de', 'Für diese Tage ist nichts angekündigt.'],
    ['es', 'No hay nada anunciado para estos días.'],
    ['fr', 'Rien n’est annoncé pour ces jours.'],
  ])('is in the language of the letter: %s', async (language, nothing) => {
    const { id } = await makeLetter({ language, filters: { search: 'unheard-of' } })
    const { body } = await ask('POST', `/letters/${id}/preview`)
    expect(body.html).toContain(`lang="${language}"`)
    for (const form of [body.html, body.text]) expect(form).toContain(nothing)
    expect(body.events).toBe(0)
  })

  it('has its name as its subject if it has no other, whatever characters are in it', async () => {
    const { id } = await makeLetter({ name: 'Rock & Roll <3 &amp; more' })
    expect((await ask('POST', `/letters/${id}/preview`)).body.subject).toBe('Rock & Roll <3 &amp; more')
  })
})

describe('a test', () => {
  it('goes to the caller’s own confirmed address, ten times an hour', async () => {
    const { id } = await makeLetter()
    const refused = await ask('POST', `/letters/${id}/test`)
    expect(refused).toMatchObject({ status: 409, body: { code: 'rest_own_address_not_confirmed' } })
    await env.DB.exec("UPDATE users SET email = 'ed@town.example' WHERE login = 'ed'")
    const { body } = await ask('POST', `/letters/${id}/test`)
    expect(body).toMatchObject({ letter_id: id, is_test: true, state: 'sent', reason: '' })
    expect(outbox.last()).toMatchObject({ to: 'ed@town.example', subject: 'The week' })
    expect(outbox.last().headers['List-Id']).toBe(`<letter-${id}.calendar.example>`)
    for (let i = 0; i < 9; i++) expect((await ask('POST', `/letters/${id}/test`)).status).toBe(200)
    expect((await ask('POST', `/letters/${id}/test`)).status).toBe(429)
    expect((await ask('GET', `/letters/${id}/deliveries`)).body.total).toBe(10)
    expect((await ask('GET', `/letters/${id}`)).body).not.toHaveProperty('last_sent')
    // A test is not sent again.
    const again = await ask('POST', `/letters/${id}/deliveries/${body.id}/retry`)
    expect(again).toMatchObject({ status: 409, body: { code: 'rest_letter_cannot_be_sent' } })
    // Deleting the letter doesn't make room for more.
    await ask('DELETE', `/letters/${id}`)
    const other = await makeLetter()
    expect((await ask('POST', `/letters/${other.id}/test`)).status).toBe(429)
    vi.setSystemTime(TODAY.getTime() + 3_600_000)
    expect((await ask('POST', `/letters/${other.id}/test`)).status).toBe(200)
    vi.setSystemTime(TODAY)
  })

  it('goes ten times an hour, however many are asked for at once', async () => {
    const { id } = await makeLetter()
    await env.DB.exec("UPDATE users SET email = 'ed@town.example' WHERE login = 'ed'")
    const before = outbox.mails.length
    const all = await Promise.all(Array.from({ length: 16 }, () => ask('POST', `/letters/${id}/test`)))
    expect(all.map(({ status }) => status).toSorted()).toEqual([
      ...Array(10).fill(200),
      ...Array(6).fill(429),
    ])
    expect(outbox.mails.length - before).toBe(10)
    expect((await ask('GET', `/letters/${id}/deliveries`)).body.total).toBe(10)
  })
})

describe('the route', () => {
  const ROUTES = [
    ['GET', '/letters'],
    ['POST', '/letters'],
    ['GET', '/letters/1'],
    ['PATCH', '/letters/1'],
    ['DELETE', '/letters/1'],
    ['POST', '/letters/1/preview'],
    ['POST', '/letters/1/test'],
    ['GET', '/letters/1/deliveries'],
    ['POST', '/letters/1/deliveries/1/retry'],
  ] as const

  it.each(ROUTES)('%s %s is for editors and administrators', async (method, path) => {
    for (const role of [...ROLES, undefined]) {
      const caller = role && { as: await makeUser(`${role} ${method} ${path}`, role) }
      const { status } = await sendHere(method, path, { ...caller, ...(method !== 'GET' && { json: {} }) })
      const isAllowed = role === 'administrator' || role === 'editor'
      if (isAllowed) expect([401, 403, 501]).not.toContain(status)
      else expect(status, role).toEqual(role ? 403 : 401)
    }
  })

  it.each(ROUTES)('%s %s says so where no e-mails can be sent', async (method, path) => {
    const answer = await send(method, path, { as, ...(method !== 'GET' && { json: LETTER }) })
    expect(answer).toMatchObject({ status: 501, body: { code: 'rest_mail_unavailable' } })
    expect(answer.body.message).toContain('MAIL_FROM')
  })
})

describe('the time', () => {
  const sendingAfter = (
    weekday: Parameters<typeof nextSending>[0]['weekday'],
    hour: number,
    after: string,
    zone = 'Europe/Dublin',
  ) => nextSending({ weekday, hour }, after, zone)

  it('is the next such day and hour in the zone of the calendar', () => {
    // A Friday.
    expect(sendingAfter('friday', 13, '2026-11-20 12:00:00')).toBe('2026-11-20 13:00:00')
    expect(sendingAfter('friday', 12, '2026-11-20 12:00:00')).toBe('2026-11-27 12:00:00')
    expect(sendingAfter('thursday', 12, '2026-11-20 12:00:00')).toBe('2026-11-26 12:00:00')
    // It is Saturday in Auckland.
    expect(sendingAfter('saturday', 2, '2026-11-20 12:30:00', 'Pacific/Auckland')).toBe('2026-11-20 13:00:00')
    expect(sendingAfter('friday', 2, '2026-11-20 12:30:00', 'Pacific/Auckland')).toBe('2026-11-26 13:00:00')
    expect(sendingAfter('monday', 0, '2026-12-31 23:59:59', 'Etc/GMT+12')).toBe('2027-01-04 12:00:00')
  })

  it('is not within twenty hours of the last letter, whatever hour was chosen since', () => {
    const following = (hour: number, last_sent_utc: string) =>
      nextSending({ weekday: 'friday', hour, last_sent_utc }, '2026-11-20 12:00:00', 'Europe/Dublin')
    expect(following(13, '2026-11-19 17:00:00')).toBe('2026-11-27 13:00:00')
    expect(following(14, '2026-11-19 17:00:00')).toBe('2026-11-20 14:00:00')
  })

  it('is an hour later where clocks skip it', () => {
    // From 1:00 to 2:00 on Sunday 28 March.
    expect(sendingAfter('sunday', 1, '2027-03-27 12:00:00')).toBe('2027-03-28 01:00:00')
    expect(sendingAfter('sunday', 1, '2027-03-28 01:00:00')).toBe('2027-04-04 00:00:00')
  })

  it('is once where clocks show it twice', () => {
    // From 2:00 back to 1:00 on Sunday 31 October.
    expect(sendingAfter('sunday', 1, '2027-10-30 12:00:00')).toBe('2027-10-31 00:00:00')
    expect(sendingAfter('sunday', 1, '2027-10-31 00:00:00')).toBe('2027-11-07 01:00:00')
    expect(sendingAfter('sunday', 1, '2027-10-31 00:59:00')).toBe('2027-11-07 01:00:00')
  })
})
