import type { SQL } from 'drizzle-orm'
import type { Connection } from '../../lib/connection.ts'
import { messageOf } from '../../lib/errors.ts'
import { importKey } from '../keys.ts'
import {
  type AnyRecord,
  COLLECTIONS,
  type Item,
  isRecordKind,
  lengthOf,
  nameOf,
  type RecordKind,
  zoneOf,
} from '../records.ts'
import { auditStatements, statementsFor, trashStatements } from './apply.ts'
import type { Decision, Planned, PlanOptions } from './decisions.ts'
import { plan } from './plan.ts'
import { preload } from './preload.ts'
import { Report } from './report.ts'
import { restoreImages, restoreMappings, restoreUsers } from './restore.ts'
import { loadState, type State } from './state.ts'
import { type Complete, endOfSeries, goneFrom, removalOfTerms, trashedOf, unusedTerms } from './vanished.ts'
import { statementOf, type Writer } from './writer.ts'

export type ImportOptions = Omit<PlanOptions, 'authorId'> & {
  dryRun: boolean
  /** Login of the author of imported content; the first administrator by default. */
  author?: string | undefined
  /** Takes a line for each change that a dry run would make. */
  say: (line: string) => void
  /** Called after each transaction. */
  afterChunk?: (() => void) | undefined
  /** Called after each chunk, with numbers of records. */
  progress: (done: number, expected: number) => void
}

// A chunk is one transaction and one JSON text a table. It ends after so many characters of descriptions.
const MAX_CHUNK_CHARACTERS = 4_000_000

/** Errors that every further write would meet as well. */
const DISK = /SQLITE_(?:FULL|IOERR)|ENOSPC|disk is full/
const DISK_FULL =
  'The disk is full, or cannot be written to. What the table counts was written; the same command goes on when there is room.'

/** One import: reads items of a source, plans and writes them. */
export class Import {
  readonly report = new Report()
  readonly #db: Connection
  readonly #writer: Writer
  readonly #options: ImportOptions
  #state: State
  #authorId = 0
  #chunk: AnyRecord[] = []
  #characters = 0
  #done = 0
  #expected = 0
  readonly #seen = new Set<string>()
  readonly #unread = new Set<string>()
  readonly #incomplete = new Map<string, AnyRecord>()
  readonly #completes: Complete[] = []
  readonly #atEnd: Extract<Item, { type: 'imports' }>[] = []

  private constructor(db: Connection, writer: Writer, options: ImportOptions, state: State) {
    this.#db = db
    this.#writer = writer
    this.#options = options
    this.#state = state
  }

  /** Starts an import: loads the state of the database. */
  static async begin(db: Connection, writer: Writer, options: ImportOptions): Promise<Import> {
    return new Import(db, writer, options, await loadState(db))
  }

  /** Imports all items. */
  async run(items: AsyncIterable<Item> | Iterable<Item>): Promise<Report> {
    for await (const item of items) await this.#take(item)
    await this.#flush()
    // Records that refer to later ones are planned again.
    this.#chunk = [...this.#incomplete.values()]
    this.#incomplete.clear()
    await this.#flush({ quietly: true })
    if (this.#options.mirror) for (const complete of this.#completes) await this.#trash(complete)
    for (const { source, rows } of this.#atEnd)
      await this.#write(() => restoreMappings(source, rows, this.#state))
    return this.report
  }

  async #take(item: Item): Promise<void> {
    if (item.type === 'note') this.report.note(item.text)
    else if (item.type === 'expect') this.#expected += item.count
    else if (item.type === 'total') this.report.compare(item.kind, item.read, item.listed)
    else if (item.type === 'incomplete') this.#noteIncomplete(item)
    else if (item.type === 'complete') this.#completes.push(item)
    else if (item.type === 'imports') this.#atEnd.push(item)
    else if (item.type === 'users') await this.#write(() => restoreUsers(item.rows, this.#state))
    else if (item.type === 'images') await this.#write(() => restoreImages(item, this.#state))
    else if (item.type === 'record') await this.#add(item.record)
    else {
      const { what, title, line } = item
      const details = [title, line === undefined ? '' : `line ${line}`].filter(Boolean).join(', ')
      this.report.explain(item.kind, item.type, details ? `${what} (${details})` : what, item.reason)
      // It is still there at the source, although it cannot be imported.
      if (isRecordKind(item.kind) && item.source)
        this.#unread.add(importKey(item.source, item.kind, item.what))
    }
  }

  /** Adds a note about an incomplete list, which matters to a mirror only: nothing else trashes vanished records. */
  #noteIncomplete({ kind, source }: Extract<Item, { type: 'incomplete' }>): void {
    if (!this.#options.mirror) return
    this.report.note(
      `Not all pages of the ${COLLECTIONS[kind]} of ${source} are there: of these, none counts as vanished.`,
    )
  }

  /** Adds a record to the chunk. Of two with the same id the first counts: lists come before embedded records. */
  async #add(record: AnyRecord): Promise<void> {
    const key = importKey(record.source, record.kind, record.externalId)
    if (this.#seen.has(key)) return
    this.#seen.add(key)
    this.#chunk.push(record)
    const zone = zoneOf(record)
    if (zone !== undefined) this.report.zones.set(zone, (this.report.zones.get(zone) ?? 0) + 1)
    this.#characters += lengthOf(record)
    if (this.#chunk.length >= this.#writer.records || this.#characters > MAX_CHUNK_CHARACTERS)
      await this.#flush()
  }

  async #flush({ quietly = false } = {}): Promise<void> {
    const records = this.#chunk
    this.#chunk = []
    this.#characters = 0
    if (records.length === 0) return
    await this.#assertAuthor()
    await this.#import(records, quietly)
    this.#done += quietly ? 0 : records.length
    this.#options.afterChunk?.()
    this.#options.progress(this.#done, Math.max(this.#expected, this.#done))
  }

  /**
   * Plans and writes records. If the database refuses them, the state is loaded again and each half is tried by itself:
   * this gets past a change by somebody else in between, and narrows a bad record down.
   */
  async #import(records: readonly AnyRecord[], quietly: boolean): Promise<void> {
    try {
      const options = { ...this.#options, authorId: this.#authorId }
      await preload(this.#db, records, this.#state)
      const planned: Planned[] = []
      // One after the other: each sees what those before it do.
      for (const record of records) planned.push(await plan(record, this.#state, options))
      await this.#write(() => statementsFor(planned, options.now))
      for (const one of planned) this.#reportOutcome(one, quietly)
    } catch (error) {
      if (DISK.test(messageOf(error))) throw new Error(DISK_FULL, { cause: error })
      this.#state = await loadState(this.#db)
      const [only, ...others] = records
      if (!only) return
      if (others.length === 0)
        return this.report.explain(only.kind, 'failed', describe(only), messageOf(error))
      const half = Math.ceil(records.length / 2)
      await this.#import(records.slice(0, half), quietly)
      await this.#import(records.slice(half), quietly)
    }
  }

  async #write(statements: () => readonly SQL[]): Promise<void> {
    const list = statements()
    if (!this.#options.dryRun && list.length > 0) await this.#writer.write(list.map(statementOf))
  }

  #reportOutcome({ decision, incomplete, note, series }: Planned, quietly: boolean): void {
    const { record } = decision
    this.#reportTrashed('event', series?.trashed ?? [])
    if (note !== undefined) this.report.note(note)
    if (incomplete && !quietly)
      this.#incomplete.set(importKey(record.source, record.kind, record.externalId), record)
    if (quietly) return
    if (decision.action === 'skip') {
      this.report.explain(record.kind, 'skipped', describe(record), decision.reason)
      return
    }
    this.report.count(record.kind, OUTCOME[decision.action])
    if (this.#options.dryRun && (decision.action === 'create' || decision.action === 'update'))
      this.#options.say(`would ${decision.action} ${record.kind} ${decision.id}: ${nameOf(record)}`)
  }

  async #assertAuthor(): Promise<void> {
    if (this.#authorId > 0) return
    const { author, dryRun } = this.#options
    const id =
      author === undefined ? this.#state.firstAdministrator : this.#state.users.get(author.toLowerCase())
    if (id !== undefined) this.#authorId = id
    else if (author !== undefined) throw new Error(`--author: there is no user ${author}.`)
    else if (dryRun) this.#authorId = 1
    else {
      const created_utc = this.#options.now
      await this.#write(() =>
        restoreUsers([{ login: 'admin', role: 'administrator', created_utc }], this.#state),
      )
      this.#authorId = this.#state.users.get('admin') ?? 0
      this.report.note(
        'There was no administrator: "admin" was made, the author of what is imported. For a password: npm run user -- password admin',
      )
    }
  }

  /** Trashes content that has vanished at the source, and deletes vanished terms that are not used any more. */
  async #trash(complete: Complete): Promise<void> {
    const { kind } = complete
    const options = { ...this.#options, authorId: this.#authorId }
    let gone = goneFrom(complete, this.#seen, this.#unread, this.#state)
    if (kind === 'series') {
      for (const one of gone) await this.#end(complete, one)
      return
    }
    if (kind === 'category' || kind === 'tag') {
      gone = gone.length > 0 ? await unusedTerms(this.#db, gone) : gone
      if (gone.length > 0) await this.#write(() => removalOfTerms(gone, this.#options.now))
    } else {
      const trashed = trashedOf(kind, gone, this.#state, options)
      await this.#write(() => trashStatements(kind, trashed, options.now))
    }
    this.#reportTrashed(kind, gone)
  }

  /** Ends a series that has vanished. */
  async #end(complete: Complete, gone: ReturnType<typeof goneFrom>[number]): Promise<void> {
    const options = { ...this.#options, authorId: this.#authorId }
    const { trashed, statements, isWhole } = await endOfSeries(this.#db, complete, gone, this.#state, options)
    const { source, mapping } = gone
    await this.#write(() => [
      ...statements,
      ...trashStatements('event', trashed, options.now),
      ...auditStatements(
        [{ action: isWhole ? 'trash' : 'update', kind: 'series', source, id: mapping.target }],
        options.now,
      ),
    ])
    if (isWhole) this.#reportTrashed('series', [gone])
    else this.report.count('series', 'updated')
    this.#reportTrashed('event', trashed)
  }

  #reportTrashed(kind: RecordKind, trashed: readonly { mapping: { target: number } }[]): void {
    this.report.count(kind, 'trashed', trashed.length)
    if (!this.#options.dryRun) return
    for (const { mapping } of trashed) this.#options.say(`would trash ${kind} ${mapping.target}`)
  }
}

const OUTCOME = {
  create: 'created',
  update: 'updated',
  adopt: 'unchanged',
  unchanged: 'unchanged',
} as const satisfies Record<Exclude<Decision['action'], 'skip'>, string>

const describe = (record: AnyRecord): string => `${record.externalId} (${nameOf(record)})`
