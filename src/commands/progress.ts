import { type AnyRecord, type EventLike, hiddenText, type SourceItem } from '../calendar/imports/records.ts'
import { FREE_PLAN, ROWS_WRITTEN } from '../kit/lib/budgets.ts'
import { decodeEntities } from '../kit/lib/text.ts'

const formattedCount = (n: number): string => n.toLocaleString('en')

/**
 * A count of records on stderr, with the expected number if it is known; nothing if stderr is not a terminal.
 */
export function progressLine(): { show: (done: number, expected?: number) => void; stop: () => void } {
  const write = (text: string) => {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`)
  }
  return {
    show: (doneCount, expected) =>
      write(
        expected === undefined
          ? `${formattedCount(doneCount)} records`
          : `${formattedCount(doneCount)} of ${formattedCount(expected)} records`,
      ),
    stop: () => write(''),
  }
}

/**
 * The notice before a command writes many rows to a database at Cloudflare.
 * @param records the expected number
 */
export function rowsNotice(records: number): string {
  const rows = records * ROWS_WRITTEN.event
  const days = Math.ceil(rows / FREE_PLAN.rowsWrittenADay)
  return (
    `${formattedCount(records)} records are expected: about ${formattedCount(rows)} rows written if all are new events, and ${ROWS_WRITTEN.date} for each date of a series. ` +
    `D1's free plan has ${formattedCount(FREE_PLAN.rowsWrittenADay)} a day${
      days > 1
        ? `, so that this takes ${days} days there: each time it stops at the limit, run the same command again after midnight UTC`
        : ''
    }.`
  )
}

/** The events of an import that a dry run shows, so that people can check how they were read. */
const MAX_EVENTS_SHOWN = 10

/** The first events of an import, each with its day, time, title and venue. */
export class FirstEvents {
  readonly #events: EventLike[] = []
  readonly #venues = new Map<string, string>()

  /** Yields the items, and stores the first events among them. */
  async *noting(items: AsyncIterable<SourceItem>): AsyncGenerator<SourceItem> {
    for await (const item of items) {
      if (item.type === 'record' && this.#events.length < MAX_EVENTS_SHOWN) this.#note(item.record)
      yield item
    }
  }

  #note(record: AnyRecord): void {
    if (record.kind === 'venue') this.#venues.set(record.externalId, record.name)
    const isDate = record.kind === 'event' && record.occurrence !== undefined
    if (record.kind === 'series' || (record.kind === 'event' && !isDate)) this.#events.push(record)
  }

  lines(): string[] {
    if (this.#events.length === 0) return []
    return ['The first events, as they were read:', ...this.#events.map(event => `  ${this.#line(event)}`)]
  }

  #line(event: EventLike): string {
    const {
      title,
      start,
      end,
      all_day,
      venues: [venue = ''],
    } = event
    const [day = '', time = ''] = start.wall.slice(0, 16).split(' ')
    const [lastDay = '', lastTime = ''] = end.wall.slice(0, 16).split(' ')
    const to = [lastDay === day ? '' : lastDay, all_day ? '' : lastTime].filter(Boolean).join(' ')
    const from = all_day ? day : `${day} ${time}`
    const timeText = to === '' || to === time ? from : `${from} - ${to}`
    const parts = [all_day && to === '' ? `${timeText} (all day)` : timeText, title, this.#venues.get(venue)]
    return decodeEntities(parts.filter(Boolean).join(', ')) + hiddenText(event)
  }
}
