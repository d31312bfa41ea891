import type { Entries } from '../../../site/forms/entries.ts'
import { changedFields } from '../../../site/forms/form.ts'
import { selectChoices } from '../../../site/forms/load.ts'
import { viewOf } from '../../../site/forms/render.ts'
import { type Html, html } from '../../../site/html/html.ts'
import type { PageContext } from '../../../site/html/page-context.ts'
import { textsIn } from '../../../words/words.ts'
import { MAX_REMARK_LENGTH, remarkPath } from '../remarks.ts'
import { SUBMISSION_FORM } from './form.ts'

// What a sender changed in a form that was open while the editors decided. It can no longer be saved, but the
// page repeats it, so that senders can keep it or tell the editors.

/** A field that the sender has changed, in words. */
export type UnsavedField = { label: string; text: string }

/** The fields that a sender has changed, in the words of the sent form. */
export async function readUnsavedFields(site: PageContext, posted: Entries): Promise<UnsavedField[]> {
  const { context, language } = site
  const choices = await context.db.read(selectChoices(context, SUBMISSION_FORM, posted))
  const state = { entries: posted, choices, errors: new Map<string, string>() }
  return changedFields(SUBMISSION_FORM, posted).map(field => {
    const view = viewOf({ site, language }, SUBMISSION_FORM, state, field)
    return { label: view.label, text: field.control.read(posted, field.name, view) || view.words.nothing }
  })
}

export const unsavedList = ({ language }: PageContext, fields: readonly UnsavedField[]): Html | '' =>
  fields.length === 0
    ? ''
    : html`<h2>${textsIn(language).submit.sentNow}</h2><dl class="visitor-summary">${fields.map(({ label, text }) => html`<dt>${label}</dt><dd>${text}</dd>`)}</dl>`

/** The button to the form for remarks on a public event, which is prefilled with what could not be saved. */
export function tellEditorsButton(
  { language, words }: PageContext,
  event: number,
  fields: readonly UnsavedField[],
): Html {
  const text = fields.map(field => `${field.label}${words.colon}${field.text}`).join(';\n')
  const shownText = text.slice(0, MAX_REMARK_LENGTH).toWellFormed()
  return html`<form class="visitor-see" action="${remarkPath(event)}">${shownText && html`<input type="hidden" name="text" value="${shownText}">`}<button class="button button-quiet">${textsIn(language).submit.tellEditors}</button></form>`
}
