import { utcValue } from '../lib/ical/lines.ts'
import type { RecordKind } from './records.ts'

/** Prefix of the source of a restored backup's mappings; they are not part of the next backup. */
export const BACKUP_SOURCE = 'backup:'

/** The key of a record in maps. */
export const importKey = (source: string, kind: RecordKind, externalId: string): string =>
  `${source}\n${kind}\n${externalId}`

/** The parts of a key made by {@link importKey}. */
export const fromImportKey = (key: string): { source: string; kind: string; externalId: string } => {
  const [source = '', kind = '', ...externalId] = key.split('\n')
  return { source, kind, externalId: externalId.join('\n') }
}

// The UID, then the occurrence's original start in UTC, which sorts as text.
const OCCURRENCE = /^(.*)#(\d{8}T\d{6}Z)$/s

/** The external id of one occurrence of a recurring event. @param utc its original start */
export const occurrenceId = (uid: string, utc: string): string => `${uid}#${utcValue(utc)}`

/** The UID that an occurrence's external id begins with. */
export const seriesOf = (externalId: string): string | undefined => OCCURRENCE.exec(externalId)?.[1]
