import { expect } from 'vitest'
import { send } from '../../factories.ts'

type Body = Record<string, ReturnType<typeof JSON.parse>>
type Row = Body

/** A copy of a list that follows its changes, as the program in RECIPES does. */
export class Copy {
  readonly rows = new Map<number, Row>()
  since: string | undefined
  readonly plural: string
  readonly query: string
  readonly #as: string | undefined

  /** @param as the password of the caller; undefined for anonymous ones */
  constructor(plural: string, query: string, as?: string) {
    this.plural = plural
    this.query = query
    this.#as = as
  }

  #read(path: string) {
    return send('GET', path, this.#as === undefined ? {} : { as: this.#as })
  }

  /** One request. @returns true if there is more */
  async step(limit?: number): Promise<boolean> {
    const params = [this.query, limit && `limit=${limit}`, this.since && `since=${this.since}`]
    const { status, body } = await this.#read(`/${this.plural}/changes?${params.filter(Boolean).join('&')}`)
    if (status === 410) {
      this.rows.clear()
      this.since = undefined
      return true
    }
    expect(status, `${this.plural} ${this.query}: ${JSON.stringify(body)}`).toBe(200)
    for (const row of body[this.plural]) this.rows.set(row.id, row)
    for (const id of body.deleted) this.rows.delete(id)
    this.since = body.next
    return body.more
  }

  async sync(limit?: number): Promise<void> {
    for (let n = 0; await this.step(limit); n++) expect(n).toBeLessThan(2_000)
  }

  /** The list itself, all pages of it. */
  async list(): Promise<Row[]> {
    const all: Row[] = []
    const window =
      this.plural === 'events' && !/start|end|happening/.test(this.query)
        ? 'start_date=0001-01-01&end_date=9999-12-31'
        : ''
    const shown = /categories|tags/.test(this.plural) ? 'hide_empty=false' : ''
    for (let page = 1; ; page++) {
      const query = [this.query, window, shown, 'per_page=100', `page=${page}`].filter(Boolean).join('&')
      const { status, body } = await this.#read(`/${this.plural}?${query}`)
      expect(status, `${query}: ${JSON.stringify(body)}`).toBe(200)
      all.push(...body[this.plural])
      if (!body.next_rest_url) return all
    }
  }
}

/** A row without fields of other resources: an event's venues, organizers and terms as ids only. */
export function own(row: Row): Row {
  const ids = (value: unknown): unknown => [value].flat().map(one => Object(one).id)
  const links = ['venue', 'organizer', 'categories', 'tags'].filter(name => typeof row[name] === 'object')
  return { ...row, ...Object.fromEntries(links.map(name => [name, ids(row[name])])) }
}

export const sorted = (rows: Iterable<Row>): Row[] => [...rows].map(own).sort((a, b) => a.id - b.id)
