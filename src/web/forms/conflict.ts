import { filled, formWords } from '../../words/words.ts'
import { type Html, html } from '../html/html.ts'
import { type AllFieldWords, type Body, type Choices, type ValueContext, wordsOfField } from './control.ts'
import { type Entries, entriesNamed, holdSame, withEntries } from './entries.ts'
import { changedFields, entriesFor, type Form, type FormField, valuesOf, wasEntries, wasIn } from './form.ts'
import { choiceInput, ownInputs, theirEntries } from './posted.ts'
import { type FormContext, hiddenInputs, viewOf } from './render.ts'

/** What two people have made of one thing. */
type Conflict = {
  /** What both have changed, each to something else. */
  both: readonly FormField[]
  /** What only the other side has changed. */
  onlyTheirs: readonly FormField[]
  /** Everything that was typed and is not stored; of what was not changed, what is stored now. */
  entries: Entries
  /** What is stored now. */
  stored: Entries
}

type Compared = {
  form: Form<keyof AllFieldWords>
  /** What was typed, with the digests of what the form held when it was made. */
  posted: Entries
  /** The resource as it is now. */
  body: Body
  choices: Choices
}

/** Compares what was typed with what is stored now. @returns undefined if all that was typed is stored */
export function conflictOf(
  page: FormContext,
  context: ValueContext,
  { form, posted, body, choices }: Compared,
): Conflict | undefined {
  const stored = entriesFor(form, body, context)
  const theirs = changedFields(form, withEntries(stored, wasIn(form, posted)))
  const isTheirs = (field: FormField): boolean => theirs.includes(field)
  // A field without a value says nothing.
  const mine = changedFields(form, posted).filter(
    field => Object.keys(valuesOf([field], posted, context)).length > 0,
  )
  const differing = mine.filter(field => {
    const view = viewOf(page, form, { entries: posted, choices, errors: new Map() }, field)
    const read = (entries: Entries): string => field.control.read(entries, field.name, view)
    // A time that was left empty is the one that is stored.
    const value = (entries: Entries): string =>
      JSON.stringify(field.control.value(entries, field.name, context)) ?? ''
    return (
      !holdSame(ownInputs(field), posted, stored) &&
      value(posted) !== value(stored) &&
      read(posted) !== read(stored)
    )
  })
  if (differing.length === 0) return undefined
  const kept = differing.flatMap(ownInputs).map(input => [input, entriesNamed(posted, input)] as const)
  return {
    both: differing.filter(isTheirs),
    onlyTheirs: theirs.filter(field => !mine.includes(field)),
    entries: withEntries(stored, kept),
    stored,
  }
}

type ConflictForm = {
  form: Form<keyof AllFieldWords>
  conflict: Conflict
  choices: Choices
  version: number
  /** True if it was somebody's own earlier request that stored it. */
  isOwn: boolean
}

/** The page on which one chooses, field by field, without the element of the form. */
export function conflictFields(
  page: FormContext,
  { form, conflict, choices, version, isOwn }: ConflictForm,
): Html {
  const words = formWords(page.language)
  const { both, onlyTheirs, entries, stored } = conflict
  const hidden = new Map([
    ...entries,
    ...wasEntries(form, stored),
    ...theirEntries(both, stored),
    ['version', [String(version)]] as const,
  ])
  const label = ({ name }: FormField): string => wordsOfField(page.language, form.kind, name).label
  return html`<h1>${isOwn ? words.conflictNew : words.conflict}</h1>
<p class="lead">${isOwn ? words.conflictNewText : words.conflictText}</p>
${hiddenInputs(hidden)}
${both.map(field => {
  const view = viewOf(page, form, { entries, choices, errors: new Map() }, field)
  const read = (held: Entries): string => field.control.read(held, field.name, view) || words.nothing
  return html`<fieldset class="versus"><legend>${label(field)}</legend>
${versionOf(field.name, 'mine', words.yours, read(entries), true)}${versionOf(field.name, 'theirs', words.theirs, read(stored), false)}</fieldset>`
})}
${onlyTheirs.length > 0 && html`<p class="small">${filled(words.onlyTheirs, { fields: onlyTheirs.map(label).join(', ') })}</p>`}
<button class="button" type="submit" name="do" value="save">${words.resolve}</button>`
}

const versionOf = (
  name: string,
  side: 'mine' | 'theirs',
  label: string,
  text: string,
  isChosen: boolean,
): Html =>
  html`<div class="version"><input id="choose-${name}-${side}" type="radio" name="${choiceInput(name)}" value="${side}"${isChosen && html` checked`}>
<label for="choose-${name}-${side}"><span class="version-of">${label}</span> <span class="version-text">${text}</span></label></div>`
