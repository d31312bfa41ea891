import fc from 'fast-check'
import { beforeAll, expect, it } from 'vitest'
import { createAll } from '../../attacks/requests.ts'
import { encode } from '../../conformance/replay.ts'
import { makeUser, send } from '../../factories.ts'
import { type Attempt, attempts } from './arbitraries.ts'
import { type ApiDocument, readDocument, undocumented } from './documented.ts'

const SEED = 20_261_120
/** Some four for each operation, which meet each of its parameters once or twice. */
const RUNS = 300

let document: ApiDocument
const callers: (string | undefined)[] = [undefined, 'Basic wrong']

/** Things for requests to find: ids up to twelve of each kind, and the slug of the document's examples. */
async function makeThings(as: string): Promise<void> {
  const events = Array.from({ length: 12 }, (_, i) => ({
    title: 'Jazz night',
    start_date: `2027-06-${11 + i} 20:00:00`,
    end_date: `2027-06-${11 + i} 23:00:00`,
    status: i % 2 ? 'draft' : 'publish',
    categories: [`Music ${i}`],
    tags: [`tag ${i}`],
    venue: { venue: i === 0 ? 'Jazz night' : `Barn ${i}`, geo_lat: 53, geo_lng: -9 },
    organizer: { organizer: i === 0 ? 'Jazz night' : `Guild ${i}` },
  }))
  await createAll(as, 'events', events)
}

beforeAll(async () => {
  const admin = await makeUser('admin', 'administrator')
  // Those who may do the most reach the most code, so they come more than once.
  const others = [await makeUser('author', 'author'), await makeUser('guest', 'subscriber')]
  callers.push(...others, ...Array<string>(8).fill(admin))
  await makeThings(admin)
  document = await readDocument()
})

function addressOf({ template, path, query }: Attempt): string {
  const filled = template.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(String(path[name])))
  const pairs = Object.entries(query).flatMap(([name, value]): [string, string][] =>
    Array.isArray(value) && value.every(item => typeof item !== 'object')
      ? [[name, value.join(',')]]
      : encode({ [name]: value }),
  )
  return pairs.length > 0 ? `${filled}?${new URLSearchParams(pairs)}` : filled
}

const bodyOf = ({ body, encoding }: Attempt) => {
  if (!body) return {}
  return encoding === 'json' ? { json: body } : { body: new URLSearchParams(encode(body)) }
}

it('every response to a generated request is as documented', async () => {
  const statuses = new Map<number, number>()
  await fc.assert(
    fc.asyncProperty(attempts(document), fc.nat(), async (attempt, who) => {
      const as = callers[who % callers.length]
      const answer = await send(attempt.method, addressOf(attempt), { ...(as && { as }), ...bodyOf(attempt) })
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1)
      // This calendar has no service that sends e-mails or finds addresses, and says so with a 501.
      if (answer.status !== 501) expect(answer.status, JSON.stringify(answer.body)).toBeLessThan(500)
      expect(undocumented(document, attempt.method, attempt.template, answer)).toEqual([])
    }),
    { seed: SEED, numRuns: RUNS },
  )
  // Requests that all fail the same way would prove little.
  expect([...statuses.keys()]).toEqual(expect.arrayContaining([200, 201, 400, 401, 403, 404]))
})
