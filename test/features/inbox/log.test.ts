import { beforeEach, describe, expect, it, vi } from 'vitest'
import { declareUser } from '../../factories.ts'
import { faultyD1 } from '../../kit/http/faulty-d1.ts'
import { openInbox, passed, raw, received } from './mail.ts'

declareUser('administrator')
let day = 0
beforeEach(() => vi.setSystemTime(Date.UTC(2027, 0, ++day, 10)))

const TEXT =
  'Barn dance in the town hall, Friday 19 March 2027, 8 pm. Callers and fiddles, beginners welcome.'

/** The lines that are logged meanwhile. */
async function logged(work: () => Promise<unknown>): Promise<Record<string, unknown>[]> {
  const spies = (['log', 'error', 'warn'] as const).map(name =>
    vi.spyOn(console, name).mockImplementation(() => undefined),
  )
  await work()
  const lines = spies.flatMap(spy => spy.mock.calls.map(([line]) => JSON.parse(String(line))))
  for (const spy of spies) spy.mockRestore()
  return lines
}

describe('the log', () => {
  it('has a line for an e-mail that is taken', async () => {
    const mail = received(passed(), raw({ text: TEXT }))
    const [line, ...others] = await logged(() => openInbox().deliver(mail))
    expect(others).toEqual([])
    expect(line).toEqual({
      id: expect.stringMatching(/^[\da-f-]{36}$/),
      email: 'taken',
      events: 1,
      bytes: new TextEncoder().encode(mail).byteLength,
      ms: expect.any(Number),
      sql_ms: expect.any(Number),
      round_trips: expect.any(Number),
      statements: expect.any(Number),
      rows_read: expect.any(Number),
      rows_written: expect.any(Number),
    })
  })

  it.each([
    ['no_event', { text: 'Hello' }],
    ['mailing_list', { text: TEXT, headers: { 'List-Id': '<club.example>' } }],
    ['automatic', { text: TEXT, headers: { 'Auto-Submitted': 'auto-replied' } }],
    ['own_address', { text: TEXT, from: 'inbox@town.example' }],
    ['no_sender', { text: TEXT, from: 'Nobody' }],
    ['too_large', { text: 'x '.repeat(16_000) }],
    ['calendar_file', { text: TEXT, attached: [{ type: 'text/calendar', content: 'x'.repeat(100_001) }] }],
    ['rest_submission_exists', { text: TEXT }],
  ])('has the code of the reason %s for which an e-mail is refused', async (reason, written) => {
    const inbox = openInbox()
    if (reason === 'rest_submission_exists') await inbox.send({ text: TEXT })
    const lines = await logged(() => inbox.send(written))
    expect(lines).toMatchObject([{ email: 'refused', reason }])
    expect(lines[0]).not.toHaveProperty('events')
  })

  it('says that the calendar accepts no e-mails, or that one is to come again', async () => {
    const off = await logged(() => openInbox({ INBOX: 'off' }).send({ text: TEXT }))
    expect(off).toMatchObject([{ email: 'refused', reason: 'switched_off' }])
    const { DB } = faultyD1({ message: 'D1_ERROR: out of order', writesOnly: true })
    const failed = await logged(() => openInbox({ DB }).send({ text: TEXT.replace('Barn', 'Town') }))
    expect(failed).toContainEqual(
      expect.objectContaining({ email: 'again', reason: 'rest_service_unavailable' }),
    )
  })
})
