import type { TermRow } from '../../resources/terms/serialize.ts'
import { historyWords } from '../../words/words.ts'
import { type Html, html } from '../html/html.ts'
import type { Body } from './control.ts'
import { holdSame } from './entries.ts'
import { entriesFor, type Form } from './form.ts'
import { withStored } from './load.ts'
import { ownInputs } from './posted.ts'
import { type FormContext, viewOf } from './render.ts'
import { type AllFieldWords, wordsOfField } from './words.ts'

type Read = {
  form: Form<keyof AllFieldWords>
  /** As the API's responses show it. */
  body: Body
  /** The names of the fields that are shown, whatever they hold; if absent, those that hold something else than a new form. */
  names?: readonly string[]
  /** The names of fields that are left out. */
  without?: readonly string[]
  categories?: readonly TermRow[]
}

/** Fields with their values in words, for those who read them and change nothing. */
export function fieldList(
  page: FormContext,
  { form, body, names, without = [], categories = [] }: Read,
): Html | '' {
  const { context } = page.site
  const { empty } = historyWords(page.language)
  const entries = entriesFor(form, body, context)
  const blank = entriesFor(form, { timezone: context.settings.timezone }, context)
  const choices = withStored({ categories }, body)
  const fields = form.fields.filter(field => {
    const isShown = names ? names.includes(field.name) : !holdSame(ownInputs(field), entries, blank)
    return isShown && !without.includes(field.name)
  })
  if (fields.length === 0) return ''
  return html`<dl class="changes">${fields.map(field => {
    const text = field.control.read(
      entries,
      field.name,
      viewOf(page, form, { entries, choices, errors: new Map() }, field),
    )
    const { label } = wordsOfField(page.language, form.kind, field.name)
    return html`<div><dt>${label}</dt><dd>${text.trim() === '' ? html`<span class="nothing">${empty}</span>` : html`<span class="value">${text}</span>`}</dd></div>\n`
  })}</dl>`
}
