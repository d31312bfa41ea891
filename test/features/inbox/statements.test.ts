import { env } from 'cloudflare:workers'
import { describe, expect, it, vi } from 'vitest'
import { FREE_PLAN } from '../../../src/kit/lib/budgets.ts'
import { countRows, declareUser } from '../../factories.ts'
import { answering, answerOf } from '../../model.ts'
import { watchedD1 } from '../../watched-d1.ts'
import { openInbox } from './mail.ts'

declareUser('administrator')

/** A database that fails, as on the free plan, when an invocation has sent all the statements that it may. */
function onFreePlan() {
  const seen = { statements: 0 }
  const DB = watchedD1(env.DB, {
    batch: ({ length }) => {
      seen.statements += length
      if (seen.statements > FREE_PLAN.statements)
        throw new Error('D1_ERROR: Too many API requests by single Worker invocation.')
    },
  })
  return { DB, seen }
}

const EVENTS = 5
const mail = {
  subject: 'Our programme',
  messageId: '<programme@club.example>',
  text: Array.from(
    { length: EVENTS },
    (_, i) => `- ${i + 1} April 2028, 8 pm: The choir sings songs of the sea, part ${'ABCDE'[i]}, Town hall`,
  ).join('\n'),
}

const { AI } = answering({
  'Our programme': answerOf(
    ...Array.from({ length: EVENTS }, (_, i) => {
      const title = `The choir sings songs of the sea, part ${'ABCDE'[i]}`
      return {
        title,
        date: [`${i + 1} April 2028`, `2028-04-0${i + 1}`],
        time: ['8 pm', '20:00'],
        venue: ['Town hall', 'Town hall'],
      } as const
    }),
  ),
  'Songs of the land': answerOf({
    title: 'Songs of the land',
    date: ['1 May 2028', '2028-05-01'],
    time: ['8 pm', '20:00'],
    venue: ['town hall', 'town hall'],
  }),
})

describe('an e-mail with five events on the free plan', () => {
  it('is taken by some deliveries, each of which takes what fits and replies with the links of that', async () => {
    vi.setSystemTime('2027-01-14T10:00:00Z')
    const linked: number[] = []
    const outcomes: string[] = []
    for (let delivery = 0; outcomes.at(-1) !== 'taken'; delivery++) {
      expect(delivery).toBeLessThan(EVENTS)
      const inbox = openInbox({ DB: onFreePlan().DB, AI })
      outcomes.push(await inbox.send(mail))
      expect(inbox.mails).toHaveLength(1)
      linked.push(inbox.mails[0]?.text.match(/\/submit\//g)?.length ?? 0)
    }
    expect(outcomes.slice(0, -1)).toEqual(outcomes.slice(0, -1).map(() => 'again'))
    expect(linked.reduce((sum, links) => sum + links)).toBe(EVENTS)
    expect(Math.max(...linked.slice(0, -1))).toBeGreaterThan(1)
    expect(await countRows("events WHERE title LIKE '%songs of the sea%'")).toBe(EVENTS)
  })

  it('is within the statements of the plan with one event and a reply', async () => {
    vi.setSystemTime('2027-01-16T10:00:00Z')
    const { DB, seen } = onFreePlan()
    const inbox = openInbox({ DB, AI })
    const text = 'The choir sings songs of the land on 1 May 2028 at 8 pm in the town hall. Tea and cake.'
    expect(await inbox.send({ subject: 'Songs of the land', text })).toBe('taken')
    expect(inbox.mails).toHaveLength(1)
    expect(seen.statements).toBeLessThan(FREE_PLAN.statements * 0.7)
  })
})
