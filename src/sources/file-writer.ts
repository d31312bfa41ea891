import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inline, literal, type Statement, type Value } from '../lib/connection.ts'
import type { Writer } from './sync/writer.ts'

/** Limit of a statement in a file, in bytes: D1 takes 100 KB. Texts are in hexadecimal, up to 6 bytes of a UTF-16 unit. */
const MOST_BYTES = 90_000
const PART_UNITS = 12_000
/** Texts up to this length stay in a statement that is too long. */
const SHORT_UNITS = 1_000

/**
 * Writes files of statements for a database that only another program can reach.
 *
 * @param runFile runs such a file as one transaction
 */
export const fileWriter = (runFile: (path: string) => Promise<unknown>): Writer => ({
  records: 2_000,
  write: async statements => {
    const folder = await mkdtemp(join(tmpdir(), 'calendar-import-'))
    try {
      const file = join(folder, 'statements.sql')
      await writeFile(file, fileOf(statements), { mode: 0o600 })
      await runFile(file)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
})

/** The lines of a file. Texts that make a statement too long are in a table of their own while it runs. */
function* fileOf(statements: readonly Statement[]): Generator<string> {
  const ids = new Map<string, number>()
  yield 'DROP TABLE IF EXISTS long_texts;\nCREATE TABLE long_texts (text_id INTEGER, part TEXT);\n'
  for (const statement of statements) {
    const whole = inline(statement)
    if (Buffer.byteLength(whole) <= MOST_BYTES) {
      yield `${whole};\n`
      continue
    }
    for (const text of statement.slice(1)) {
      if (typeof text !== 'string' || text.length <= SHORT_UNITS || ids.has(text)) continue
      ids.set(text, ids.size)
      for (const part of partsOf(text))
        yield `INSERT INTO long_texts VALUES (${ids.get(text)}, ${literal(part)});\n`
    }
    const written = (value: Value) => {
      const id = typeof value === 'string' ? ids.get(value) : undefined
      if (id === undefined) return literal(value)
      return `(SELECT group_concat(part, '') FROM (SELECT part FROM long_texts WHERE text_id = ${id} ORDER BY rowid))`
    }
    yield `${inline(statement, written)};\n`
  }
  yield 'DROP TABLE long_texts;\n'
}

/** Splits a text into parts, without cutting surrogate pairs. */
function* partsOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; ) {
    const end = at + PART_UNITS
    const isHigh = /[\uD800-\uDBFF]/.test(text.charAt(end - 1))
    yield text.slice(at, isHigh ? end - 1 : end)
    at = isHigh ? end - 1 : end
  }
}
