import { parseDate } from '../lib/parse-date.ts'
import type { DateTime } from '../lib/time.ts'
import { parseStrictly, runCommand, TARGET_HELP, TARGET_OPTIONS, targetOf, UsageError } from './arguments.ts'
import { type Connection, openDatabase, type Row } from './database.ts'

const DEFAULT_LIMIT = 50

const HELP = `Who changed what, the newest first: users, times and names of fields, but never contents.

  npm run audit -- [--since <date>] [--limit <n>] [--json]

  --since <date>       only what was changed from then on; a date without an offset is UTC
  --limit <n>          at most so many entries; ${DEFAULT_LIMIT} unless told
${TARGET_HELP}
  --json               answer with one JSON object`

const OPTIONS = {
  ...TARGET_OPTIONS,
  since: { type: 'string' },
  limit: { type: 'string' },
  json: { type: 'boolean' },
  help: { type: 'boolean', short: 'h' },
} as const

/** An entry; no user means the command line or, for `publish`, the clock. */
type Entry = {
  id: number
  at_utc: DateTime
  user_id: number | null
  login: string | null
  request_id: string | null
  action: string
  kind: string
  object_id: number
  fields: string[]
}

async function readEntries(db: Connection, since: DateTime | null, limit: number): Promise<Entry[]> {
  const rows = await db.query(
    `SELECT audit.*, users.login FROM audit LEFT JOIN users ON users.id = audit.user_id
     WHERE ? IS NULL OR at_utc >= ? ORDER BY audit.id DESC LIMIT ?`,
    since,
    since,
    limit,
  )
  return rows.map(entryOf)
}

const text = (value: Row[string] | undefined): string | null => (value == null ? null : String(value))

const entryOf = (row: Row): Entry => ({
  id: Number(row.id),
  at_utc: String(row.at_utc),
  user_id: row.user_id == null ? null : Number(row.user_id),
  login: text(row.login),
  request_id: text(row.request_id),
  action: String(row.action),
  kind: String(row.kind),
  object_id: Number(row.object_id),
  fields: JSON.parse(String(row.fields)),
})

function line({ at_utc, user_id, login, action, kind, object_id, fields }: Entry): string {
  const who = user_id === null ? '-' : (login ?? `user ${user_id}, since removed`)
  const which = fields.length > 0 ? `: ${fields.join(', ')}` : ''
  return `${at_utc}  ${who}  ${action} ${kind} ${object_id}${which}`
}

function sinceOf(value: string | undefined): DateTime | null {
  if (value === undefined) return null
  const instant = parseDate(value, 'UTC', Date.now())?.utc
  if (!instant)
    throw new UsageError(`--since must be a date such as 2027-01-31, not ${JSON.stringify(value)}.`)
  return instant
}

function limitOf(value: string | undefined): number {
  if (value === undefined) return DEFAULT_LIMIT
  if (/^\d+$/.test(value) && Number(value) > 0 && Number.isSafeInteger(Number(value))) return Number(value)
  throw new UsageError(`--limit must be a positive whole number, not ${JSON.stringify(value)}.`)
}

await runCommand(async () => {
  const { values, positionals } = parseStrictly(process.argv.slice(2), OPTIONS)
  if (values.help) return console.log(HELP)
  if (positionals[0] !== undefined) throw new UsageError(`Unexpected argument ${positionals[0]}.\n\n${HELP}`)
  const since = sinceOf(values.since)
  const limit = limitOf(values.limit)
  const db = await openDatabase(targetOf(values))
  try {
    const entries = await readEntries(db, since, limit)
    const lines = entries.map(line).join('\n') || 'Nothing has been changed.'
    console.log(values.json ? JSON.stringify({ entries }) : lines)
  } finally {
    await db.close()
  }
})
