import type { Agent } from 'node:http'
import { ADMINISTRATOR, API, authorizationOf, passwordOf } from './api.ts'
import { isFailed, makeAgent, type Sample, send } from './measure.ts'
import { filledIn } from './placeholders.ts'
import type { BenchRequest } from './requests.ts'

/** Samples of a request that nobody had sent since the last write, and of one that somebody had. */
export type Samples = { first: Sample[]; again: Sample[] }

type Shooter = {
  first?: () => Promise<Sample>
  again?: () => Promise<Sample>
  /** Ends a round. */
  undo?: () => Promise<void>
}

/** Returns the milliseconds of CPU that a server has used so far; undefined where the system does not say. */
type Clock = (() => number) | undefined

/** Both servers' accounts of CPU. */
export type Clocks = { service: Clock; floor: Clock }

async function timed<T extends Sample | undefined>(clock: Clock, shoot: () => Promise<T>): Promise<T> {
  const before = clock?.()
  const sample = await shoot()
  if (sample && clock && before !== undefined) sample.cpu = clock() - before
  return sample
}

// Every round measures every request, so that all see the same machine.
const PER_ROUND = 4

// Counts on from one measurement to the next, so that no event is deleted twice.
const sent = new Map<string, number>()

/** A sample without its text, which takes most of the memory and is only needed if a request failed. */
const kept = (sample: Sample): Sample => (isFailed(sample) ? sample : { ...sample, text: '' })

/** The number of times that a request was sent before; counts this time as well. */
function takeNumber({ name }: BenchRequest): number {
  const n = sent.get(name) ?? 0
  sent.set(name, n + 1)
  return n
}

/** Functions that send a request so that its response is worked out, or so that it may come from memory. */
export async function shooter(base: URL, benchRequest: BenchRequest, trashed: number): Promise<Shooter> {
  const { method, path, body, undo, isPage, isEditor, conditional, credentials } = benchRequest
  const agent = makeAgent(1)
  const identity: Record<string, string> = { authorization: authorizationOf(ADMINISTRATOR) }
  if (method) {
    const headers = { ...identity, 'content-type': 'application/json' }
    const made: number[] = []
    return {
      first: () => {
        const n = takeNumber(benchRequest)
        if (undo) made.push(n)
        const url = new URL(API + (typeof path === 'string' ? path : path(trashed + n)), base)
        return send(agent, url, { method, headers, body: body && JSON.stringify(body(n)) })
      },
      ...(undo && {
        undo: async () => {
          for (const n of made.splice(0)) {
            const url = new URL(API + undo(n), base)
            const { status, text } = await send(agent, url, { method: 'DELETE', headers: identity })
            if (status !== 200) throw new Error(`${benchRequest.name}, again without: ${status} ${text}`)
          }
        },
      }),
    }
  }
  const url = new URL((isPage ? '' : API) + (await filledIn({ agent, base }, String(path))), base)
  const session = isEditor ? { cookie: await editorCookie(agent, base) } : {}
  const own = { ...(credentials && identity), ...session }
  const get = (headers: Record<string, string> = {}) => send(agent, url, { headers: { ...own, ...headers } })
  if (conditional) return { again: async () => get({ 'if-none-match': String((await get()).headers.etag) }) }
  // Links name the host that a request came to, so that no response is kept for another one's.
  const fresh = () =>
    send(agent, url, {
      headers: { host: `n${takeNumber(benchRequest)}.bench.test`, ...own },
    })
  return { first: fresh, again: get }
}

/**
 * Measures requests in rounds, each beside the floor.
 *
 * @param trashed how many events earlier runs have deleted
 * @param progress told how far it is, from 0 to 1
 */
export async function measureRounds(
  { base, floor, trashed, clocks }: { base: URL; floor: URL; trashed: number; clocks: Clocks },
  requests: readonly BenchRequest[],
  rounds: number,
  progress: (done: number) => void,
): Promise<{ samples: Map<string, Samples>; floor: Sample[] }> {
  const floorAgent = makeAgent(1)
  const shooters = new Map<string, Shooter>()
  for (const request of requests) shooters.set(request.name, await shooter(base, request, trashed))
  const samples = new Map<string, Samples>(requests.map(({ name }) => [name, { first: [], again: [] }]))
  const floorSamples: Sample[] = []
  // The round before the first warms up.
  for (let round = 0; round <= rounds; round++) {
    for (const [name, shoot] of shooters) {
      const taken = samples.get(name)
      // The writes of the last round have made all kept responses stale.
      await shoot.again?.()
      for (let i = 0; i < PER_ROUND; i++) {
        const floorSample = await timed(clocks.floor, () => send(floorAgent, floor))
        const first = await timed(clocks.service, async () => shoot.first?.())
        const again = await shoot.again?.()
        if (round === 0) continue
        floorSamples.push(kept(floorSample))
        if (first) taken?.first.push(kept(first))
        if (again) taken?.again.push(kept(again))
      }
    }
    for (const { undo } of shooters.values()) await undo?.()
    progress(round / rounds)
  }
  return { samples, floor: floorSamples }
}

let known: Promise<string> | undefined

/**
 * The cookie of an administrator who is signed in to the editor, by the names that it has here and elsewhere.
 */
async function editorCookie(agent: Agent, base: URL): Promise<string> {
  known ??= signIn(agent, base)
  const secret = await known
  return `session=${secret}; __Host-session=${secret}`
}

const cookieIn = (headers: Readonly<Record<string, unknown>>, name: string): string =>
  new RegExp(`\\b${name}=([^;]+)`).exec(String(headers['set-cookie']))?.[1] ?? ''

async function signIn(agent: Agent, base: URL): Promise<string> {
  const shown = await send(agent, new URL('/admin/sign-in/', base))
  const [, action = ''] = /action="([^"]*password[^"]*)"/.exec(shown.text) ?? []
  const [, token = ''] = /name="_token" value="([^"]*)"/.exec(shown.text) ?? []
  const { headers, status } = await send(agent, new URL(action, base), {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      cookie: `visit=${cookieIn(shown.headers, 'visit')}`,
      origin: base.origin,
    },
    body: String(
      new URLSearchParams({ _token: token, login: ADMINISTRATOR, password: passwordOf(ADMINISTRATOR) }),
    ),
  })
  const secret = cookieIn(headers, 'session')
  if (status !== 303 || secret === '')
    throw new Error(`The sign-in of ${ADMINISTRATOR} failed with ${status}.`)
  return secret
}
