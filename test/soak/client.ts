import { Random } from '../bench/random.ts'
import { FIELDS } from './fields.ts'
import { LOGIN } from './worker.ts'

type Answer = { status: number; body: Record<string, unknown> }

/** What came of a write: answered with 2xx, refused, or nobody knows. */
type Fate = 'done' | 'refused' | 'unknown'

/** An event that a client made, and how far it got with deleting it. */
export type Made = { name: string; id: number | undefined; deletion: 'none' | Fate }

const AUTHORIZATION = `Basic ${btoa(`${LOGIN.login}:${LOGIN.password}`)}`
const PATIENCE_MS = 10_000

/** A client that records every response, to be compared with the stored rows in the end. */
export class Client {
  readonly #base: string
  readonly #number: number
  readonly #random: Random
  readonly #shared: readonly number[]
  #n = 0
  /** By shared event: the answers that its field may give, at first anything. */
  readonly possible = new Map<number, number[]>()
  readonly made: Made[] = []
  readonly milliseconds: number[] = []
  readonly problems: string[] = []
  counts = { reads: 0, writes: 0, unanswered: 0 }

  constructor(base: string, number: number, shared: readonly number[]) {
    this.#base = base
    this.#number = number
    this.#random = new Random(number + 1)
    this.#shared = shared
  }

  /** Works until it is stopped. */
  async run(until: () => boolean): Promise<void> {
    while (!until()) {
      const dice = this.#random.below(10)
      if (dice < 4) await this.#update()
      else if (dice < 6) await this.#create()
      else if (dice < 7) await this.#remove()
      else await this.#read()
    }
  }

  async #update(): Promise<void> {
    const id = this.#random.pick(this.#shared)
    const n = ++this.#n
    const fate = await this.#write('PATCH', `/events/${id}`, FIELDS[this.#number]?.write(n) ?? {})
    if (fate === 'done') this.possible.set(id, [n])
    if (fate === 'unknown') this.possible.set(id, [...(this.possible.get(id) ?? [0]), n])
    if (fate === 'refused') this.problems.push(`update of event ${id} refused`)
  }

  async #create(): Promise<void> {
    const name = `Made ${this.#number}-${++this.#n}`
    const answer = await this.#send('POST', '/events', {
      title: name,
      start_date: '2030-06-01 10:00:00',
      end_date: '2030-06-01 11:00:00',
      venue: { venue: `Venue of ${name}` },
      organizer: { organizer: `Organizer of ${name}` },
      tags: ['made', `tag ${this.#n % 5}`],
    })
    if (fateOf(answer) === 'refused') this.problems.push(`creation refused: ${JSON.stringify(answer?.body)}`)
    else
      this.made.push({
        name,
        id: answer?.status === 201 ? Number(answer.body.id) : undefined,
        deletion: 'none',
      })
  }

  async #remove(): Promise<void> {
    const known = this.made.filter(made => made.id !== undefined && made.deletion === 'none')
    if (known.length < 3) return
    const made = this.#random.pick(known)
    made.deletion = await this.#write('DELETE', `/events/${made.id}?force=true`)
  }

  async #read(): Promise<void> {
    const paths = [
      '/events?per_page=20&start_date=2030-01-01&end_date=2036-01-01',
      '/events?search=title&per_page=5',
      `/events?tags=tag-${this.#random.below(5)}`,
      '/tags',
      `/events/${this.#random.pick(this.#shared)}`,
    ]
    const path = this.#random.pick(paths)
    this.counts.reads++
    const answer = await this.#send('GET', path)
    const missing = answer?.status === 400 && path.includes('tags=')
    if (answer && answer.status !== 200 && !missing && answer.status !== 503)
      this.problems.push(`GET ${path}: ${answer.status}`)
  }

  async #write(method: string, path: string, json: object = {}): Promise<Fate> {
    return fateOf(await this.#send(method, path, json))
  }

  /** @returns undefined if there was no answer: the server is down, and is waited for */
  async #send(method: string, path: string, json?: object): Promise<Answer | undefined> {
    const began = performance.now()
    try {
      const response = await fetch(this.#base + path, {
        method,
        headers: json ? { authorization: AUTHORIZATION, 'content-type': 'application/json' } : {},
        ...(json && { body: JSON.stringify(json) }),
        signal: AbortSignal.timeout(PATIENCE_MS),
      })
      const body = (await response.json()) as Answer['body']
      this.milliseconds.push(performance.now() - began)
      if (json && response.ok) this.counts.writes++
      if (response.status === 500) this.problems.push(`${method} ${path}: ${JSON.stringify(body)}`)
      return { status: response.status, body }
    } catch {
      this.counts.unanswered++
      await new Promise(resolve => setTimeout(resolve, 50))
      return undefined
    }
  }
}

const fateOf = (answer: Answer | undefined): Fate => {
  if (!answer || answer.status >= 500) return 'unknown'
  return answer.status < 300 ? 'done' : 'refused'
}
