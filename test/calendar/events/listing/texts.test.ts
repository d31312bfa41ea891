import { expect, it } from 'vitest'
import { keySql } from '../../../../src/calendar/content/visibility.ts'
import { eventPage } from '../../../../src/calendar/events/listing/page.ts'
import { selectEventPage, selectEvents } from '../../../../src/calendar/events/queries.ts'
import type { EventListParams } from '../../../../src/calendar/events/schema.ts'
import type { BaseContext } from '../../../../src/kit/context.ts'
import type { Statement } from '../../../../src/kit/db/query.ts'
import { renderStatement } from '../../../../src/kit/db/statements.ts'
import { events } from '../../../../src/kit/db/tables.ts'
import { ANONYMOUS } from '../../../../src/kit/lib/roles.ts'
import { addDays } from '../../../../src/kit/lib/time.ts'
import { Random } from '../../../bench/random.ts'
import { contextFor } from './calendar.ts'

// SQLite keeps what it has compiled by the text of a statement, in a megabyte of texts. A list's text is 16
// KB long, and compiling it takes ten times as long as running it: requests that differ only in their values
// must have the same text.

const READS = 1_000
const MAX_TEXTS = 60

const SIZES = [6, 10, 12, 20, 24, 50, 100]
const WORDS = ['concert', 'theatre', 'kids', 'open air', 'jazz night']

/** Reads of the kinds that clients send, with values that hardly ever come twice. */
class Reads {
  readonly #random = new Random(65)

  #pick = <T>(choices: readonly [T, ...T[]]): T => choices[this.#random.below(choices.length)] ?? choices[0]
  #upTo = (most: number): number => 1 + this.#random.below(most)
  #day = (after: string): string => addDays(`${after} 00:00:00`, this.#upTo(60)).slice(0, 10)

  #dates(): Partial<EventListParams> {
    const start_date = this.#day(addDays('2026-09-20 00:00:00', 7 * this.#upTo(60)).slice(0, 10))
    const end_date = this.#day(start_date)
    return this.#pick<Partial<EventListParams>>([
      {},
      {},
      { start_date },
      { start_date, end_date },
      { start_date, end_date: start_date },
      { ends_after: 'now' },
      { happening: `${start_date}/${end_date}` },
    ])
  }

  #filters(): Partial<EventListParams> {
    const id = this.#upTo(300)
    return this.#pick<Partial<EventListParams>>([
      {},
      {},
      { categories: [`category-${id}`] },
      { categories: [`category-${id}`, `category-${id + 1}`] },
      { tags: [`tag-${id}`] },
      { venue: [id] },
      { organizer: [id] },
      { featured: true },
      { geoloc_lat: id / 4, geoloc_lng: id / 7, geoloc_radius: this.#upTo(50) },
    ])
  }

  /** The statements of the next read. */
  next(context: BaseContext): readonly Statement[] {
    const id = this.#upTo(500)
    const perPage = SIZES[this.#random.below(SIZES.length)] ?? 10
    const page = this.#pick([1, 1, 1, 2, 3])
    const search = this.#pick(['concert', ...WORDS])
    const list = (values: Partial<EventListParams>) =>
      selectEventPage(
        context,
        eventPage(context, { values, page: { page, perPage, offset: (page - 1) * perPage } }),
      )
    const query = this.#pick([
      () => list({ ...this.#dates(), ...this.#filters() }),
      () => list(this.#dates()),
      () => list({ search }),
      () => selectEvents(context, keySql(events, { id })),
      () => selectEvents(context, keySql(events, { slug: `slug-${id}` })),
    ])
    return query().statements
  }
}

it(`${READS} reads of the kinds that clients send have at most ${MAX_TEXTS} texts`, () => {
  const context = contextFor(ANONYMOUS, 'UTC')
  const reads = new Reads()
  const texts = new Set<string>()
  for (let i = 0; i < READS; i++)
    for (const statement of reads.next(context)) texts.add(renderStatement(statement).text)
  expect(texts.size).toBeLessThanOrEqual(MAX_TEXTS)
})

it('pages of all sizes have the same text, whatever their values are', () => {
  const context = contextFor(ANONYMOUS, 'UTC')
  const texts = [
    { values: { venue: [3] }, page: { page: 1, perPage: 10, offset: 0 } },
    // Equal numbers by chance.
    { values: { venue: [10] }, page: { page: 2, perPage: 10, offset: 10 } },
    // A Monday, on which a period begins.
    { values: { venue: [4], start_date: '2026-11-23' }, page: { page: 1, perPage: 50, offset: 0 } },
    // Within a period.
    {
      values: { venue: [4], start_date: '2026-11-24', end_date: '2026-11-25' },
      page: { page: 1, perPage: 50, offset: 0 },
    },
  ].flatMap(list =>
    selectEventPage(context, eventPage(context, list)).statements.map(one => renderStatement(one).text),
  )
  expect(new Set(texts).size).toBe(1)
})
