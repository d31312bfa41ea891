import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Connection, inline, type Statement } from '../lib/connection.ts'

/** The destination of an import's statements. */
export interface Writer {
  /** Limit of the JSON text of one statement, in bytes. */
  readonly maxBytes: number
  /** Number of records in one transaction. */
  readonly records: number
  /** Runs statements as one transaction. */
  write(statements: readonly Statement[]): Promise<void>
}

/** Writes to a local database. D1 takes parameters of 2 MB, but several times their size is needed in memory. */
export const localWriter = (db: Connection): Writer => ({
  maxBytes: 250_000,
  records: 200,
  write: async statements => {
    await db.batch(statements)
  },
})

/**
 * Writes files of statements for a database that only another program can reach. D1 takes statements of 100 KB,
 * parameters included. Texts are written in hexadecimal, which doubles their size.
 *
 * @param runFile runs such a file as one transaction
 */
export const fileWriter = (runFile: (path: string) => Promise<unknown>): Writer => ({
  maxBytes: 40_000,
  records: 2_000,
  write: async statements => {
    const folder = await mkdtemp(join(tmpdir(), 'calendar-import-'))
    try {
      const file = join(folder, 'statements.sql')
      await writeFile(file, `${statements.map(inline).join(';\n')};\n`, { mode: 0o600 })
      await runFile(file)
    } finally {
      await rm(folder, { recursive: true })
    }
  },
})
