import { eq, getTableColumns, type SQL, sql } from 'drizzle-orm'
import type { RequestContext } from '../../context.ts'
import { recordChange, recordInsert } from '../../db/audit.ts'
import { reportUnknown, type UnknownValues, unknownValues } from '../../db/references.ts'
import { insertInto, update } from '../../db/statements.ts'
import { contentColumns } from '../columns.ts'
import { recordImage } from '../images.ts'
import { publicationOf } from '../publication.ts'
import { contentReferences } from '../references.ts'

import { indexNewText, indexTexts, searchText } from '../search.ts'
import { writtenBody } from '../single.ts'
import { changedSlug, newSlug } from '../slugs.ts'
import type { ContentWrites } from '../writes.ts'
import type { RelatedKind, RelatedRow, RelatedTables, RelatedValues } from './kind.ts'
import { sameAs } from './same.ts'

/** The search text of a venue or organizer: folded name, description and other texts. */
export function relatedText(
  { searchColumns }: Pick<RelatedTables, 'searchColumns'>,
  row: Readonly<Record<string, unknown>>,
): string {
  const others = searchColumns.map(column => String(row[column] ?? ''))
  return searchText(String(row.name ?? ''), String(row.description ?? ''), others)
}

const nameOf = ({ singular }: RelatedTables, values: RelatedValues): string => String(values[singular] ?? '')

/** A condition for the rows that count as the same as a new one. @see sameAs */
export const sameRows = (context: RequestContext, kind: RelatedTables, values: RelatedValues): SQL =>
  sameAs(context, {
    kind,
    values,
    publication: publicationOf(context, { given: values }),
    name: nameOf(kind, values),
  })

/**
 * The statements that insert a venue or organizer unless the same one exists, and an expression of the id of the new or
 * existing row. That is decided inside the batch, so that only one of two concurrent requests inserts it.
 */
export function findOrInsert(
  context: RequestContext,
  {
    kind,
    values,
    byExternalId = false,
  }: { kind: RelatedTables; values: RelatedValues; byExternalId?: boolean },
): { insert: SQL[]; id: SQL } {
  const { table, singular, searchTable } = kind
  const publication = publicationOf(context, { given: values })
  const name = nameOf(kind, values)
  const row = {
    ...kind.columnsOf(values),
    ...contentColumns(values),
    ...publication,
    name,
    author_id: values.author ?? context.caller.id,
    slug: newSlug(table, { slug: values.slug, name, status: publication.status, fallback: singular }),
  }
  const same = sameAs(context, { kind, values, publication, name, byExternalId })
  // Ids only grow, and no other request comes between the statements of a batch: else it is the one just made.
  const id = sql`coalesce((SELECT min(${table.id}) FROM ${table} WHERE ${same}), (SELECT max(id) FROM ${table}))`
  return {
    insert: [
      ...recordImage(context, values.image),
      insertInto(table, row, sql`NOT EXISTS (SELECT 1 FROM ${table} WHERE ${same})`),
      recordInsert(context, singular, Object.keys(values)),
      indexNewText(searchTable, id, relatedText(kind, row)),
    ],
    id,
  }
}

/** The writes of venues or organizers. */
export const relatedWrites = <R extends RelatedRow, Body, F extends RelatedValues>(
  kind: RelatedKind<R, Body>,
): ContentWrites<F, R, UnknownValues[], Body> => ({
  selectStored: (context, condition) => kind.select(context, condition),
  lookUp: (context, values) => unknownValues(contentReferences(context, values)),
  validate: (_, { values, found, stored }, errors) => {
    reportUnknown(errors, found)
    kind.validate?.(values, stored, errors)
  },
  isSame: (context, values) => sameRows(context, kind, values),
  create: async (context, { values }) => {
    const { insert, id } = findOrInsert(context, { kind, values })
    const [row] = await context.db.change(insert, kind.select(context, eq(kind.table.id, id)))
    return writtenBody(context, { kind, row })
  },
  update: async (context, { values, stored }) => {
    const [row] = await context.db.change(
      updateStatements(context, { kind, values, stored }),
      kind.select(context, eq(kind.table.id, stored.id)),
    )
    return writtenBody(context, { kind, row })
  },
})

function updateStatements(
  context: RequestContext,
  { kind, values, stored }: { kind: RelatedTables; values: RelatedValues; stored: RelatedRow },
): SQL[] {
  const { table, singular, searchTable } = kind
  const own = kind.columnsOf(values)
  const publication = publicationOf(context, { given: values, stored })
  const name = own.name ?? stored.name
  const naming = { slug: values.slug, name, status: publication.status, fallback: singular }
  const changes = {
    ...own,
    ...contentColumns(values),
    ...publication,
    version: stored.version + 1,
    slug: changedSlug(table, naming, stored),
  }
  const description = values.description ?? stored.description
  const text = relatedText(kind, { ...stored, ...definedValues(own), name, description })
  return [
    ...recordImage(context, values.image),
    update(table, columnsOfTable(table, changes), eq(table.id, stored.id)),
    recordChange(context, { action: 'update', kind: singular, fields: Object.keys(values) }, stored.id),
    indexTexts(searchTable, sql`json_array(json_array(${stored.id}, ${text}))`),
  ]
}

const definedValues = (columns: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined))

/** The changes to columns that the table has: venues and organizers share this code. */
const columnsOfTable = (table: RelatedTables['table'], changes: Readonly<Record<string, unknown>>) =>
  Object.fromEntries(Object.entries(changes).filter(([name]) => Object.hasOwn(getTableColumns(table), name)))
