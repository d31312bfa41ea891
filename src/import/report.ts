import { KINDS } from './documents.ts'
import type { Kind } from './records.ts'

const OUTCOMES = ['created', 'updated', 'unchanged', 'skipped', 'failed', 'trashed'] as const
export type Outcome = (typeof OUTCOMES)[number]

type Subject = Kind | 'page'

/** What happened to every record, counted by kind, with reasons where it did not end up as it is at the source. */
export class Report {
  readonly #counts = new Map<string, number>()
  readonly reasons: string[] = []
  readonly notes = new Set<string>()

  count(kind: Subject, outcome: Outcome, by = 1): void {
    this.#counts.set(`${kind} ${outcome}`, this.of(kind, outcome) + by)
  }

  of(kind: Subject, outcome: Outcome): number {
    return this.#counts.get(`${kind} ${outcome}`) ?? 0
  }

  /** A record that was skipped or failed. @param what its id or name */
  explain(kind: Subject, outcome: 'skipped' | 'failed', what: string, reason: string): void {
    this.count(kind, outcome)
    this.reasons.push(`${outcome}: ${kind} ${what}: ${reason}`)
  }

  /** A remark; of many alike, one is enough. */
  note = (text: string): void => {
    this.notes.add(text)
  }

  total(outcome: Outcome): number {
    return this.#subjects.reduce((sum, kind) => sum + this.of(kind, outcome), 0)
  }

  get #subjects(): Subject[] {
    return [...KINDS, 'page']
  }

  /** A table of counts, and before it whatever needs words. */
  toString(): string {
    const kinds = this.#subjects.filter(kind => OUTCOMES.some(outcome => this.of(kind, outcome) > 0))
    const outcomes = OUTCOMES.filter(outcome => outcome !== 'trashed' || this.total('trashed') > 0)
    const rows = [
      ['', ...outcomes],
      ...kinds.map(kind => [kind, ...outcomes.map(outcome => String(this.of(kind, outcome)))]),
    ]
    const table = rows.map(([kind = '', ...cells]) =>
      [kind.padEnd(9), ...cells.map((cell, i) => cell.padStart((outcomes[i]?.length ?? 0) + 2))].join(''),
    )
    const notes = [...this.notes].map(note => `note: ${note}`)
    return [...notes, ...this.reasons, ...(kinds.length > 0 ? table : ['There was nothing to import.'])].join(
      '\n',
    )
  }
}
