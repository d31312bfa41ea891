import type { EditorContext } from '../../../editor/context.ts'
import type { EditorPage } from '../../../editor/layout.ts'
import { notePage } from '../../../editor/respond.ts'
import { form } from '../../../site/forms/field-html.ts'
import { type Html, html } from '../../../site/html/html.ts'
import { filled, plural } from '../../../words/words.ts'
import type { RegistrantRow } from '../links.ts'
import type { OccasionWithRegistration } from '../occasion.ts'
import { personPath, registrationPath } from './page.ts'

// What can't be undone asks on a page of its own: people are in no history, and get an e-mail.

type Question = { title: string; text: string; action: string; button: Html; backPath: string }

const question = (editor: EditorContext, { title, text, action, button, backPath }: Question): EditorPage =>
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
  return question(editor, {
    title: filled(words.removeTitle, { name }),
    text: filled<string>(email ? words.removeText : words.removeByHand, { name }),
    action: personPath(event.id, id),
    button: html`<button class="button button-danger" name="do" value="remove">${words.remove}</button>`,
    backPath: `${registrationPath(event.id)}#person-${id}`,
  })
}

export function endPage(
  editor: EditorContext,
  { event }: OccasionWithRegistration,
  { people, unconfirmed }: { people: number; unconfirmed: number },
): EditorPage {
  const words = editor.texts.registration
  const counted = (name: 'endText' | 'endUnconfirmed', count: number) =>
    filled(plural(editor.language, words, name, count), { count: editor.site.dates.number(count) })
  const unconfirmedText = unconfirmed > 0 && counted('endUnconfirmed', unconfirmed)
  return question(editor, {
    title: words.endQuestion,
    text: [unconfirmedText, people > 0 ? counted('endText', people) : words.endNobody]
      .filter(Boolean)
      .join(' '),
    action: `${registrationPath(event.id)}end/`,
    button: html`<input type="hidden" name="confirm" value="${people}"><button class="button button-danger">${words.end}</button>`,
    backPath: registrationPath(event.id),
  })
}
