import { importKey } from '../keys.ts'
import { type AnyRecord, isTerm, type SourceItem } from '../records.ts'

/** Holds records back until those that they refer to have passed. */
export class ParentsFirst {
  readonly #coming: ReadonlySet<string>
  readonly #passed = new Set<string>()
  readonly #waiting = new Map<string, AnyRecord[]>()

  /** @param coming the terms and series that are still to pass; any event may be */
  constructor(coming: readonly AnyRecord[]) {
    this.#coming = new Set(coming.map(keyOf))
  }

  *offer(given: AnyRecord): Generator<SourceItem> {
    // Each before its children, which are before what comes after it. Chains may be longer than calls may nest.
    const left = [given]
    for (let record = left.pop(); record; record = left.pop()) {
      const missing = this.#needs(record).find(key => !this.#passed.has(key))
      if (missing !== undefined) {
        const waiting = this.#waiting.get(missing) ?? []
        waiting.push(record)
        this.#waiting.set(missing, waiting)
        continue
      }
      const key = keyOf(record)
      this.#passed.add(key)
      yield { type: 'record', record }
      left.push(...(this.#waiting.get(key) ?? []).reverse())
      this.#waiting.delete(key)
    }
  }

  /** Records that refer to what is missing, or to each other. */
  *rest(): Generator<SourceItem> {
    const left = [...this.#waiting.values()].flat()
    const isSeries = ({ kind }: AnyRecord) => kind === 'series'
    for (const record of [...left.filter(isSeries), ...left.filter(one => !isSeries(one))])
      yield { type: 'record', record }
  }

  #needs(record: AnyRecord): string[] {
    const { source, kind } = record
    const parent = 'parent' in record ? record.parent : undefined
    const series = seriesNamed(record)
    const above = parent === undefined ? [] : [importKey(source, isTerm(record) ? kind : 'event', parent)]
    const named = series === undefined ? [] : [importKey(source, 'series', series)]
    const isComing = (key: string) => this.#coming.has(key)
    return [...(isTerm(record) ? above.filter(isComing) : above), ...named.filter(isComing)]
  }
}

const keyOf = ({ source, kind, externalId }: AnyRecord): string => importKey(source, kind, externalId)

/** The external id of the series that an event is in. */
export function seriesNamed(record: AnyRecord): string | undefined {
  if ('columns' in record) return record.series
  return record.kind === 'event' ? record.occurrence?.series : undefined
}

/** Records, each after its parent, if that is among them. */
export function* parentsFirst(records: readonly AnyRecord[]): Generator<SourceItem> {
  const order = new ParentsFirst(records)
  for (const record of records) yield* order.offer(record)
  yield* order.rest()
}
