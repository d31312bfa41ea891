import type { CalendarContext } from '../../kit/context.ts'
import { filled, textsIn } from '../../words/words.ts'
import { type Html, html } from '../html/html.ts'
import { type Body, type Choices, type FieldResource, wordsOfField } from './control.ts'
import { type Entries, entriesNamed, holdSame, withEntries } from './entries.ts'
import { changedFields, entriesFor, type Form, type FormField, formDigests, formValues } from './form.ts'
import { ownInputs } from './posted.ts'
import { type FormContext, hiddenInputs, viewOf } from './render.ts'

/** The difference between two people's versions of one resource. */
type Conflict = {
  form: Form<FieldResource>
  choices: Choices
  /** Fields that the user has changed, to other values than the stored ones. */
  ownFields: readonly FormField[]
  /** Fields that only the other side has changed. */
  theirFields: readonly FormField[]
  /** The input where it differs from what is stored, and the stored values elsewhere. */
  entries: Entries
  stored: Entries
}

/**
 * Compares the input with what is stored.
 *
 * @param posted the input, with the digests of the values that the form was made with
 * @returns undefined if all input is stored
 */
export function conflictOf(
  page: FormContext,
  context: CalendarContext,
  {
    form,
    posted,
    body,
    choices,
  }: { form: Form<FieldResource>; posted: Entries; body: Body; choices: Choices },
): Conflict | undefined {
  const storedEntries = entriesFor(form, body, context)
  const changedByOthers = changedFields(form, posted, storedEntries)
  // A field without a value is not an input.
  const ownFields = changedFields(form, posted).filter(
    field => Object.keys(formValues([field], posted, context)).length > 0,
  )
  // The inputs of a field include some of others, such as the start for a repetition, so its value in words
  // has to differ as well.
  const differsFromStored = (field: FormField): boolean => {
    const view = viewOf(page, form, { entries: posted, choices, errors: new Map() }, field)
    const read = (entries: Entries): string => field.control.read(entries, field.name, view)
    // An empty time means the stored one.
    const value = (entries: Entries): string =>
      JSON.stringify(field.control.value(entries, field.name, context)) ?? ''
    return (
      !holdSame(ownInputs(field), posted, storedEntries) &&
      value(posted) !== value(storedEntries) &&
      read(posted) !== read(storedEntries)
    )
  }
  const differingFields = ownFields.filter(differsFromStored)
  if (differingFields.length === 0) return undefined
  const keptEntries = differingFields
    .flatMap(ownInputs)
    .map(input => [input, entriesNamed(posted, input)] as const)
  return {
    form,
    choices,
    ownFields: differingFields,
    theirFields: changedByOthers.filter(field => !ownFields.includes(field) && differsFromStored(field)),
    entries: withEntries(storedEntries, keptEntries),
    stored: storedEntries,
  }
}

const labelIn = (page: FormContext, { resource }: Form<FieldResource>, { name }: FormField): string =>
  wordsOfField(page.language, resource, name).label

/** The fields that the user has changed, in both versions. */
export function bothVersions(
  page: FormContext,
  { form, choices, ownFields, entries, stored }: Conflict,
): Html[] {
  const { form: words } = textsIn(page.language)
  return ownFields.map(field => {
    const view = viewOf(page, form, { entries, choices, errors: new Map() }, field)
    const version = (name: string, values: Entries): Html =>
      html`<div class="version"><dt>${name}</dt><dd>${field.control.read(values, field.name, view) || words.nothing}</dd></div>`
    return html`<section class="versus"><h2>${labelIn(page, form, field)}</h2>
<dl>${version(words.yours, entries)}${version(words.theirs, stored)}</dl></section>`
  })
}

/**
 * The content of the form that shows both versions. It has the changed fields and the version that is stored,
 * so that sending it changes these fields only.
 *
 * @param isOwn true if the user's own earlier request stored it
 */
export function conflictFields(
  page: FormContext,
  conflict: Conflict,
  { version, isOwn, address }: { version: number; isOwn: boolean; address: string },
): Html {
  const { form: words, event } = textsIn(page.language)
  const { form, theirFields, entries, stored } = conflict
  const hiddenEntries = new Map([
    ...entries,
    ...formDigests(form, stored),
    ['version', [String(version)]] as const,
  ])
  return html`<h1>${isOwn ? words.conflictNew : words.conflict}</h1>
<p class="lead">${isOwn ? words.conflictNewText : words.conflictText}</p>
${hiddenInputs(hiddenEntries)}
${bothVersions(page, conflict)}
${theirFields.length > 0 && html`<p class="small">${filled(words.onlyTheirs, { fields: theirFields.map(field => labelIn(page, form, field)).join(', ') })}</p>`}
<div class="actions"><button class="button" type="submit" name="do" value="save">${words.keepMine}</button>
<a class="button button-quiet" href="${address}" data-gives-up>${words.takeTheirs}</a>
<button class="button button-quiet" type="submit" name="do" value="edit">${event.backToForm}</button></div>`
}
