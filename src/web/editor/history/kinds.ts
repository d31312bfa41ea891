import type { SQL } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { AUDITED_KINDS, type AuditedKind, type FeatureKinds } from '../../../db/schema.ts'
import { Registry } from '../../../lib/features.ts'
import type { Capability } from '../../../lib/roles.ts'
import { refuse } from '../../../lib/values.ts'

/** A resource of a feature in the history. */
export type HistoryKind = {
  table: SQLiteTable
  name?: SQL
  /** The capability without which nobody sees its entries and names. */
  requires: Capability
  /** The prefix of the addresses of its forms: `/admin/letters/`. */
  path?: string
}

type FeatureKind = keyof FeatureKinds

type ShownKind = HistoryKind & { feature: string }

const kinds = new Registry<Readonly<Record<FeatureKind, ShownKind>>>('resources')

export const addHistory = (ofFeatures: Readonly<Record<string, ShownKind>>): void =>
  // The kinds are declared beside these.
  kinds.set(ofFeatures as Readonly<Record<FeatureKind, ShownKind>>)

export const featureKind = (kind: FeatureKind): HistoryKind => kinds.value[kind]

export const featureKinds = (): [FeatureKind, ShownKind][] =>
  Object.entries(kinds.value) as [FeatureKind, ShownKind][] // Object.entries forgets the type of the keys.

/** All resources that the audit knows. */
export const auditedKinds = (): AuditedKind[] => [...AUDITED_KINDS, ...featureKinds().map(([name]) => name)]

/** Reads the name of a resource. @throws InvalidValue for an unknown one */
export const toKind = (raw: unknown): AuditedKind =>
  auditedKinds().find(kind => kind === raw) ?? refuse(`must be one of ${auditedKinds().join(', ')}`)
