import { restUrl, type SerializeContext } from '../../context.ts'
import { columnsWithout, type RowOf } from '../../db/columns.ts'
import { terms } from '../../db/schema.ts'
import { kindOf } from './kind.ts'
import type { TermResponse } from './schema.ts'

export const termColumns = columnsWithout(terms, 'name_key', 'standalone')
export type TermRow = RowOf<typeof termColumns>

/** A term as its own routes show it: there, tags have no `parent`. */
export function serializeTerm(row: TermRow, context: SerializeContext): TermResponse {
  const { parent: _, ...term } = serializeEmbeddedTerm(row, context)
  return kindOf(row.taxonomy).hierarchical ? { ...term, parent: row.parent } : term
}

/** A term that is embedded in an event. */
export function serializeEmbeddedTerm(row: TermRow, context: SerializeContext): TermResponse {
  const kind = kindOf(row.taxonomy)
  const path = row.path.split('/').map(encodeURIComponent).join('/')
  return {
    id: row.id,
    name: row.name,
    slug: row.slug,
    description: row.description,
    count: row.count,
    parent: row.parent,
    taxonomy: row.taxonomy,
    url: `${context.site}/${kind.permalinkBase}/${path}/`,
    urls: {
      self: restUrl(context, kind.plural, row.id),
      collection: `${context.api}/${kind.plural}`,
      ...(row.parent > 0 && { up: restUrl(context, kind.plural, row.parent) }),
    },
  }
}
