import type * as z from 'zod/mini'
import type { Role } from '../src/kit/lib/roles.ts'
import type { Receiver } from './receiver.ts'

/** A value of a field, and how responses show it where that differs; `along` are fields that it needs. */
export type Sample = { sent: unknown; shown?: unknown; along?: object }

type Row = Record<string, unknown>

/** A calendar, as an administrator writes to it, and its database. */
export type Written = {
  must: (method: string, path: string, json?: object) => Promise<Row>
  rows: (sql: string) => Promise<Row[]>
}

/**
 * What a feature adds to tests that go through everything. `test/features.ts` lists the parts: whoever takes
 * a feature away takes a line away there, too.
 */
export type FeaturePart = {
  /** The fields of its files in backups, which keep their meanings. */
  backup?: Readonly<Record<string, string>>
  /** Makes some of its rows in a calendar that is backed up. */
  fill?: (calendar: Written) => Promise<void>
  /** What is in these rows, and in no file of a backup. */
  keptOut?: RegExp
  /** Makes its rows for an event, so that what is read about the event is there. */
  ofEvent?: (calendar: Pick<Written, 'rows'>, event: number) => Promise<void>
  /** Work of the cron that is due at once, and counts that are 0 when nothing of it is left. */
  due?: {
    make: (calendar: Written, surroundings: { receiver: Receiver }) => Promise<void>
    leftAt: (end: string) => Readonly<Record<string, string>>
  }
  /** The least role for its pages and actions in the editor. */
  rights?: readonly (readonly [RegExp, Role])[]
  /** Its entries in the menu of an editor. */
  menu?: readonly string[]
  /**
   * Its routes in attacks: a row of its own for each path with an id or a secret, and whether these need a
   * calendar that can send e-mails.
   */
  attacked?: readonly {
    path: string
    makeRow?: (calendar: Written) => Promise<unknown>
    sendsMail?: true
  }[]
  /**
   * The routes at which anybody may write without a secret, `POST /picks`, each with the body of the n-th
   * request from one network.
   */
  fromStrangers?: Readonly<Record<string, (n: number) => object>>
  /** A sample for each of its fields, its schema, and the fields without which no row is made. */
  fields?: {
    plural: string
    samples: Readonly<Record<string, Sample>>
    schema: z.ZodMiniObject
    required: () => object
  }
  /** Requests to others after a write. */
  requestsAfterWrite?: number
}
