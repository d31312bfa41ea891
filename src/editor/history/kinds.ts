import type { SQL } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import { AUDITED_KINDS, type AuditedKind, type FeatureKind } from '../../kit/db/tables.ts'
import type { Capability } from '../../kit/lib/roles.ts'
import { fromFeatures } from '../../kit/lib/started-features.ts'
import { refuse } from '../../kit/lib/values.ts'

export type HistoryKind = {
  table: SQLiteTable
  name?: SQL
  /** The capability without which nobody sees its entries and names. */
  requires: Capability
  /** The prefix of the addresses of its forms: `/admin/letters/`. */
  path?: string
}

type ShownKind = HistoryKind & { feature: string }

// Object.entries and Object.fromEntries forget the type of the keys.
const kinds = fromFeatures(
  features =>
    Object.fromEntries(
      features.flatMap(({ name: feature, declares }) =>
        Object.entries(declares?.history ?? {}).map(([kind, shown]) => [kind, { ...shown, feature }]),
      ),
    ) as Readonly<Record<FeatureKind, ShownKind>>,
)

export const featureKind = (kind: FeatureKind): HistoryKind => kinds()[kind]

export const featureKinds = () => Object.entries(kinds()) as [FeatureKind, ShownKind][]

/** All resources that the audit knows. */
export const auditedKinds = (): AuditedKind[] => [...AUDITED_KINDS, ...featureKinds().map(([name]) => name)]

/** Reads the name of a resource. @throws InvalidValue for an unknown one */
export const toKind = (raw: unknown): AuditedKind =>
  auditedKinds().find(kind => kind === raw) ?? refuse(`must be one of ${auditedKinds().join(', ')}`)
