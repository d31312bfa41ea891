import type { Agent } from 'node:http'
import { ADMINISTRATOR, API, authorizationOf } from './api.ts'
import { send } from './measure.ts'

// Values of the calendar that requests need: slugs, dates, tokens.

/** Events that change between the copy and the request for its changes. */
export const CHANGED = 20
const FIRST_CHANGED = 100

type Service = { agent: Agent; base: URL }

type PatchRequest = { method: 'PATCH'; body: string }

/** The body of a response. With a change, it is an administrator who asks. */
async function ask({ agent, base }: Service, path: string, change?: PatchRequest) {
  const headers = {
    'content-type': 'application/json',
    ...(change && { authorization: authorizationOf(ADMINISTRATOR) }),
  }
  const { status, text } = await send(agent, new URL(API + path, base), { headers, ...change })
  if (status !== 200) throw new Error(`${path}: ${status} ${text.slice(0, 500)}`)
  return JSON.parse(text)
}

/** The next event. */
const nextEvent = async (service: Service) => (await ask(service, '/events')).events[0]

/** The day of the event that is the thousandth from now on. */
async function dayOfThousandthEvent(service: Service): Promise<string> {
  const { events } = await ask(service, '/events?starts_after=now&per_page=50&page=20')
  return events.at(-1).start_date.slice(0, 10)
}

/** The token of a whole copy after which some events were changed. */
async function makeChangesSinceToken(service: Service): Promise<string> {
  let page = { next: '', more: true }
  while (page.more)
    page = await ask(service, `/events/changes?_fields=id&limit=500${page.next && `&since=${page.next}`}`)
  // A title of its own each time: what stays the same is no change.
  const body = JSON.stringify({ title: `Changed ${page.next.slice(-6)}` })
  for (let id = FIRST_CHANGED; id < FIRST_CHANGED + CHANGED; id++)
    await ask(service, `/events/${id}`, { method: 'PATCH', body })
  return page.next
}

const PLACEHOLDERS: Readonly<Record<string, (service: Service) => Promise<string>>> = {
  '{slug}': async service => (await nextEvent(service)).slug,
  // The address of a date of a series is not its slug.
  '{event}': async service => new URL((await nextEvent(service)).url).pathname,
  '{thousandth}': dayOfThousandthEvent,
  '{since}': makeChangesSinceToken,
}

/** A path with values in place of the names in braces. */
export async function filledIn(service: Service, path: string): Promise<string> {
  let filled = path
  for (const [name, find] of Object.entries(PLACEHOLDERS))
    if (filled.includes(name)) filled = filled.replace(name, await find(service))
  return filled
}
