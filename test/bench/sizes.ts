import { readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { markdown } from './report.ts'

/** The largest database that D1 allows. */
const MAX_BYTES = 10_000_000_000

const fileOf = (state: string): string => {
  const folder = join(state, 'v3')
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(name => name.endsWith('.sqlite') && !name.endsWith('metadata.sqlite'))
    .map(name => join(folder, name))
    .sort((a, b) => statSync(b).size - statSync(a).size)
  const [largest] = files
  if (!largest) throw new Error(`There is no database in ${folder}.`)
  return largest
}

// A full-text table keeps its text and its index in tables of its own, and an index belongs to its table.
const BY_TABLE = `
  SELECT iif(tbl_name GLOB '*_search_*', substr(tbl_name, 1, instr(tbl_name, '_search_') + 6), tbl_name) AS name,
    sum(iif(dbstat.name = tbl_name, pgsize, 0)) AS rows_bytes, sum(pgsize) AS bytes
  FROM dbstat LEFT JOIN sqlite_master ON sqlite_master.name = dbstat.name
  WHERE aggregate = 1 GROUP BY 1 ORDER BY bytes DESC`

const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)

/**
 * A table of the sizes of a database's tables, of which no Worker may have the database open any more.
 *
 * @param state the folder of its data, as for `--persist-to`
 */
export function sizes(state: string): string {
  const db = new DatabaseSync(fileOf(state), { readOnly: true })
  try {
    const events = Number(db.prepare('SELECT count(*) AS n FROM events').get()?.n)
    const tables = db
      .prepare(BY_TABLE)
      .all()
      .map(row => ({
        name: String(row.name ?? 'schema'),
        rows: Number(row.rows_bytes),
        bytes: Number(row.bytes),
      }))
    const total = tables.reduce((sum, { bytes }) => sum + bytes, 0)
    const line = (name: string, rows: number, bytes: number) => [
      name,
      megabytes(rows),
      megabytes(bytes - rows),
      megabytes(bytes),
      (bytes / events).toFixed(0),
    ]
    const large = tables.filter(({ bytes }) => bytes >= total / 1000)
    const small = tables.filter(({ bytes }) => bytes < total / 1000)
    const sum = (list: typeof tables, key: 'rows' | 'bytes') => list.reduce((all, row) => all + row[key], 0)
    return [
      markdown([
        ['table', 'rows MB', 'indexes MB', 'MB', 'bytes an event'],
        ...large.map(({ name, rows, bytes }) => line(name, rows, bytes)),
        line(`${small.length} others`, sum(small, 'rows'), sum(small, 'bytes')),
        line('all', sum(tables, 'rows'), total),
      ]),
      '',
      `${Math.floor(MAX_BYTES / (total / events) / 1000)} thousand such events fit into the 10 GB of a D1 database.`,
    ].join('\n')
  } finally {
    db.close()
  }
}
