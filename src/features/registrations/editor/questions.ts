import { sql } from 'drizzle-orm'
import type { EditorContext } from '../../../editor/context.ts'
import type { EditorPage } from '../../../editor/layout.ts'
import { notePage } from '../../../editor/respond.ts'
import { combineQueries, countOf, inList } from '../../../kit/db/query.ts'
import { events } from '../../../kit/db/tables.ts'
import { form } from '../../../site/forms/field-html.ts'
import { type Html, html } from '../../../site/html/html.ts'
import { filled, plural } from '../../../words/words.ts'
import type { RegistrantRow } from '../links.ts'
import type { OccasionWithRegistration } from '../occasion.ts'
import { registrants, registrations, unconfirmedSql } from '../tables.ts'
import { personPath, registrationPath } from './page.ts'

// What can't be undone asks on a page of its own: people are in no history, and get an e-mail.

type PeopleCounts = { people: number; unconfirmed: number }

type Confirmation = { title: string; text: string; action: string; button: Html; backPath: string }

const confirmationPage = (
  editor: EditorContext,
  { title, text, action, button, backPath }: Confirmation,
): EditorPage =>
  notePage({
    title,
    text,
    body: form(editor, {
      action,
      body: html`<div class="actions">${button}
<a class="button button-quiet" href="${backPath}">${editor.words.back}</a></div>`,
    }),
  })

export function personRemovalPage(
  editor: EditorContext,
  { event }: OccasionWithRegistration,
  { id, name, email }: RegistrantRow,
): EditorPage {
  const words = editor.texts.registration
  return confirmationPage(editor, {
    title: filled(words.removeTitle, { name }),
    text: filled<string>(email ? words.removeText : words.removeByHand, { name }),
    action: personPath(event.id, id),
    button: html`<button class="button button-danger" name="do" value="remove">${words.remove}</button>`,
    backPath: `${registrationPath(event.id)}#person-${id}`,
  })
}

/** Whom the end of registrations erases, and who is told. */
function erasedTexts(editor: EditorContext, { people, unconfirmed }: PeopleCounts): string[] {
  const counted = (name: 'endText' | 'endUnconfirmed', count: number) =>
    count > 0
      ? [
          filled(plural(editor.language, editor.texts.registration, name, count), {
            count: editor.site.dates.number(count),
          }),
        ]
      : []
  return [...counted('endUnconfirmed', unconfirmed), ...counted('endText', people)]
}

/** Whom deleting events for good erases as well; '' if nobody has registered for them. */
export async function deletionNote(
  editor: EditorContext,
  deletedRows: readonly { kind: string; id: number }[],
): Promise<string> {
  const idsOf = (kind: string) => inList(deletedRows.filter(thing => thing.kind === kind).map(({ id }) => id))
  const people = sql`${registrants} WHERE registration_id IN (SELECT id FROM ${registrations}
    WHERE series_id IN ${idsOf('series')} OR event_id IN ${idsOf('event')}
    OR event_id IN (SELECT id FROM ${events} WHERE series_id IN ${idsOf('series')}))`
  const counts = await editor.context.db.read(
    combineQueries({
      people: countOf(sql`${people} AND NOT ${unconfirmedSql(sql`state`)}`),
      unconfirmed: countOf(sql`${people} AND ${unconfirmedSql(sql`state`)}`),
    }),
  )
  return erasedTexts(editor, counts).join(' ')
}

export function endPage(
  editor: EditorContext,
  { event }: OccasionWithRegistration,
  counts: PeopleCounts,
): EditorPage {
  const words = editor.texts.registration
  const { people } = counts
  return confirmationPage(editor, {
    title: words.endQuestion,
    text: [...erasedTexts(editor, counts), ...(people > 0 ? [] : [words.endNobody])].join(' '),
    action: `${registrationPath(event.id)}end/`,
    button: html`<input type="hidden" name="confirm" value="${people}"><button class="button button-danger">${words.end}</button>`,
    backPath: registrationPath(event.id),
  })
}
