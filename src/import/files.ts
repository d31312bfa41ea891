import { readdir, readFile, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import type { DateTime } from '../lib/time.ts'
import { type Backup, backupItems, backupOf, MANIFEST } from './backup.ts'
import { COLLECTIONS, type Document, documentOf, KINDS, parentsFirst, readDocument } from './documents.ts'
import { icsItems } from './ics.ts'
import { type IcsFile, readIcs, textOf } from './ics-file.ts'
import type { Window } from './ics-recurrence.ts'
import type { Place } from './read-posts.ts'
import {
  type AnyRecord,
  type Context,
  type EventRecord,
  type Item,
  type Kind,
  type TermRecord,
  Unreadable,
} from './records.ts'
import { isCalendar, jsonOf } from './site-address.ts'
import { importKey } from './state.ts'

/** Everything below a folder, in the order of names; a file is itself. @throws Error if there is no such thing */
async function filesIn(path: string): Promise<string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  const entries = await readdir(path, { recursive: true, withFileTypes: true })
  return entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name))
    .sort()
}

type Read = {
  documents: { document: Document; path: string }[]
  calendars: { file: IcsFile; path: string }[]
  items: Item[]
}

/**
 * What some files and folders hold: saved answers of the interface, iCalendar files, and a backup made by
 * exporting.
 */
export async function* fileItems(
  paths: readonly string[],
  window: Window,
  context: Context,
): AsyncGenerator<Item> {
  const files = (await Promise.all(paths.map(filesIn))).flat()
  const backups = await Promise.all(files.filter(path => basename(path) === MANIFEST).map(readBackup))
  const folders = backups.map(({ folder }) => `${folder}/`)
  const loose = files.filter(path => !folders.some(folder => path.startsWith(folder)))
  for (const { folder, backup } of backups) {
    // Its calendar.ics says the same again, for other programs.
    const pages = files.filter(path => path.startsWith(`${folder}/`) && path.endsWith('.json'))
    const { documents, items } = await readFiles(
      pages.filter(path => basename(path) !== MANIFEST),
      context,
    )
    yield* items
    yield* backupItems(backup, place => documentItems(documents, place, context))
  }
  const { documents, calendars, items } = await readFiles(loose, context, paths)
  yield* items
  yield* documentItems(documents, undefined, context)
  for (const { file, path } of calendars) yield* icsItems(file, icsSource(file, path), window, context)
}

const readBackup = async (path: string): Promise<{ folder: string; backup: Backup }> => ({
  folder: path.slice(0, -MANIFEST.length - 1),
  backup: backupOf(JSON.parse(await readFile(path, 'utf8'))),
})

/**
 * A calendar's own name is kept when its file gets another one, such as that of a second download.
 */
const icsSource = ({ calendar }: IcsFile, path: string): string =>
  `ics:${textOf(calendar, 'x-wr-relcalid') || textOf(calendar, 'x-wr-calname') || basename(path)}`

/** @param named what the user named: of these, what holds nothing of ours is an error, and elsewhere it is not */
async function readFiles(
  files: readonly string[],
  context: Context,
  named: readonly string[] = [],
): Promise<Read> {
  const read: Read = { documents: [], calendars: [], items: [] }
  for (const path of files) {
    const bytes = new Uint8Array(await readFile(path))
    try {
      if (isCalendar({ bytes })) read.calendars.push({ file: readIcs(bytes), path })
      else {
        const json = jsonOf({ bytes })
        if (json !== undefined)
          read.documents.push({ document: documentOf(json, `file:${basename(path)}`), path })
        else if (named.includes(path) || /\.(?:json|ics)$/i.test(path))
          throw new Unreadable('it is neither JSON nor iCalendar')
      }
    } catch (error) {
      if (!(error instanceof Unreadable)) throw error
      if (/index of an API/.test(error.message)) context.note(`${basename(path)}: ${error.message}`)
      else read.items.push({ type: 'failed', kind: 'page', what: basename(path), reason: error.message })
    }
  }
  return read
}

/**
 * The records of saved answers. All are read before the first is passed on, so that lists come before what events
 * embed, and what belongs to something comes after it.
 */
function* documentItems(
  documents: Read['documents'],
  own: Place | undefined,
  context: Context,
): Generator<Item> {
  const records = new Map<string, AnyRecord>()
  const sorted = KINDS.flatMap(kind => documents.filter(({ document }) => document.kind === kind))
  for (const { document } of sorted) {
    const place = own ?? { source: document.source, own: false, logins: new Map() }
    const { records: found, failures } = readDocument(document, place, context)
    yield* failures
    for (const record of found) {
      const key = importKey(record.source, record.kind, record.foreign)
      if (!records.has(key)) records.set(key, record)
    }
  }
  const all = [...records.values()]
  yield { type: 'expect', count: all.length }
  const terms = parentsFirst(all.filter((record): record is TermRecord => !('status' in record)))
  const events = parentsFirst(all.filter((record): record is EventRecord => record.kind === 'event'))
  const others = all.filter(({ kind }) => kind === 'venue' || kind === 'organizer')
  for (const record of [...terms, ...others, ...events]) yield { type: 'record', record }
  yield* completeLists(
    documents.map(({ document }) => document),
    own?.source,
  )
}

/** Of which kinds all pages are there: each link to a next one has its counterpart. */
function* completeLists(documents: readonly Document[], own: string | undefined): Generator<Item> {
  const lists = new Map<
    string,
    { source: string; kind: Kind; pages: NonNullable<Document['neighbours']>[] }
  >()
  for (const { kind, source: told, neighbours } of documents) {
    if (!neighbours) continue
    const source = own ?? told
    const list = lists.get(`${source} ${kind}`) ?? { source, kind, pages: [] }
    lists.set(`${source} ${kind}`, list)
    list.pages.push(neighbours)
  }
  for (const { source, kind, pages } of lists.values()) {
    const firsts = pages.filter(({ previous }) => !previous).length
    const lasts = pages.filter(({ next }) => !next).length
    if (firsts === 1 && lasts === 1) yield { type: 'complete', source, kind }
    else
      yield {
        type: 'note',
        text: `Not all pages of the ${COLLECTIONS[kind]} of ${source} are there: of these, none counts as vanished.`,
      }
  }
}

/** Leaves out events that start before an instant. */
export async function* since(items: AsyncIterable<Item>, utc: DateTime | undefined): AsyncGenerator<Item> {
  for await (const item of items) {
    if (utc === undefined) yield item
    else if (item.type === 'complete' && item.kind === 'event') {
      yield { ...item, from: item.from !== undefined && item.from > utc ? item.from : utc }
    } else if (item.type !== 'record' || item.record.kind !== 'event' || item.record.start.utc >= utc)
      yield item
  }
}
