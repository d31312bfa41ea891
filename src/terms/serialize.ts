import { columnsWithout, type Row } from '../db/rows.ts'
import { terms } from '../db/schema.ts'
import { restUrl, type View } from '../view.ts'
import { kindOf } from './kind.ts'
import type { TermAnswer } from './schema.ts'

export const termColumns = columnsWithout(terms, 'name_key', 'sort_name')
export type TermRow = Row<typeof termColumns>

/** A term as its own routes answer it: tags have no `parent` there. */
export function termAnswer(row: TermRow, view: View): TermAnswer {
  const { parent, ...answer } = embeddedTermAnswer(row, view)
  return kindOf(row.taxonomy).hierarchical ? { ...answer, parent: row.parent } : answer
}

/** A term as events carry it. */
export function embeddedTermAnswer(row: TermRow, view: View): TermAnswer {
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
    url: `${view.site}/${kind.permalinkBase}/${path}/`,
    urls: {
      self: restUrl(view, kind.plural, row.id),
      collection: `${view.api}/${kind.plural}`,
      ...(row.parent > 0 && { up: restUrl(view, kind.plural, row.parent) }),
    },
  }
}
