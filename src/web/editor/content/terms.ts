import { sql } from 'drizzle-orm'
import { literal, mapped } from '../../../db/query.ts'
import { terms } from '../../../db/schema.ts'
import { may } from '../../../lib/roles.ts'
import { isTermListed, selectTerms, termById } from '../../../resources/terms/queries.ts'
import { CATEGORIES, serializeTerm, TAGS, type TermKind } from '../../../resources/terms/resource.ts'
import type { Form } from '../../forms/form.ts'
import { CATEGORY_FORM, TAG_FORM } from '../../forms/forms.ts'
import type { AllFieldWords } from '../../forms/words.ts'
import { inTreeOrder } from '../../html/finder.ts'
import { plain } from '../../html/text.ts'
import { PER_PAGE, type Resource } from './resource.ts'

/** Categories that are shown as a tree. Of more than that, it would be cut anywhere. */
const MOST_IN_TREE = 1_000

/** Categories or tags in the editor. */
function termResource(kind: TermKind, form: Form<keyof AllFieldWords>): Resource {
  return {
    name: kind.plural,
    singular: kind.singular,
    form,
    requires: kind.creatableBy,
    createdBy: kind.creatableBy,
    hasTrash: false,
    isEditable: ({ caller }) => may(caller, 'manage_terms'),
    list: (context, { search, page }) => {
      const isTree = kind.hierarchical && search === ''
      const [most, from] = isTree ? [MOST_IN_TREE, 0] : [PER_PAGE + 1, (page - 1) * PER_PAGE]
      const isEditable = may(context.caller, 'manage_terms')
      return mapped(
        selectTerms(
          kind,
          isTermListed(context, search === '' ? {} : { search }),
          sql`ORDER BY ${terms.sort_name}, ${terms.id} LIMIT ${literal(most)} OFFSET ${from}`,
        ),
        rows =>
          (isTree ? inTreeOrder(rows) : rows.map(term => ({ term, depth: 0 }))).map(({ term, depth }) => ({
            id: term.id,
            name: plain(term.name),
            detail: '',
            events: term.count,
            status: 'publish' as const,
            depth,
            isEditable,
          })),
      )
    },
    find: (context, id) =>
      mapped(termById(context, kind, id), row => {
        if (!row) return undefined
        const body = serializeTerm(row, context)
        const { name, version, count } = row
        return { id, name: plain(name), version, status: 'publish', events: count, body, url: body.url }
      }),
  }
}

export const categoryResource = termResource(CATEGORIES, CATEGORY_FORM)
export const tagResource = termResource(TAGS, TAG_FORM)
