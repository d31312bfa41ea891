import type { TermRow } from '../../calendar/terms/resource.ts'
import { may } from '../../kit/lib/roles.ts'
import { filled, plural, textsIn } from '../../words/words.ts'
import { type Html, html } from '../html/html.ts'
import type { PageContext } from '../html/page-context.ts'
import { type Body, type Choices, type FieldResource, type FieldView, wordsOfField } from './control.ts'
import { type Entries, holdSame } from './entries.ts'
import { entriesFor, FOLDED_GROUPS, type Form, type FormField, type Group, withoutFields } from './form.ts'
import { withStored } from './load.ts'
import { ownInputs } from './posted.ts'
import type { FormErrors } from './requests.ts'

export type FormContext = { site: PageContext; language: string }

export type FormState = {
  /** The contents of its inputs. */
  entries: Entries
  /** Hidden inputs: the digests of its original contents, and those of its page. */
  hidden: Entries
  errors: FormErrors
  choices: Choices
  /** True if it contains input that is not saved. */
  isUnsaved?: boolean
  /**
   * Notes in place of fields whose values follow from something else. These fields are neither sent nor
   * changed.
   */
  replacements?: ReadonlyMap<string, Html>
  /** What stands below the inputs of some fields, such as a button that fills them. */
  offers?: ReadonlyMap<string, Html> | undefined
  /** A sentence that says what is saved in spite of the errors. */
  saved?: string
  /** Inputs that the page adds to its fields, by the names that errors have for them. */
  pageInputs?: ReadonlyMap<string, { input: string; label: string }>
}

const maySet = ({ context: { caller } }: PageContext, { name }: FormField): boolean =>
  (name !== 'author' || may(caller, 'edit_others_content')) &&
  (name !== 'date' || may(caller, 'publish_content'))

const inputId = (name: string): string => `f-${name}`

/**
 * The content of a form element: hidden inputs, errors, fields, and folded groups.
 * @param aboveFolds markup before the folded groups
 */
export function renderForm(
  { site, language }: FormContext,
  form: Form<FieldResource>,
  state: FormState,
  aboveFolds: Html | '' = '',
): { head: Html; main: Html; publication: Html } {
  const words = textsIn(language).form
  const fields = form.fields.filter(field => maySet(site, field))
  const [firstWrong] = fields.filter(({ name }) => state.errors.has(name))
  const { replacements = new Map<string, Html>() } = state
  const fieldHtml = (field: FormField): Html => {
    const replacement = replacements.get(field.name)
    if (replacement !== undefined) return replacement
    const view = viewOf({ site, language }, form, state, field)
    return html`${field.control.render({ ...view, isFocused: field === firstWrong })}\n`
  }
  const lineHtml = (line: FormField[]): Html =>
    line.length === 1
      ? html`${line.map(fieldHtml)}`
      : html`<div class="form-row">${line.map(fieldHtml)}</div>\n`
  const inGroup = (group: Group): FormField[] => fields.filter(field => field.group === group)
  const foldedGroups = FOLDED_GROUPS.flatMap(group => {
    const groupFields = inGroup(group)
    if (groupFields.length === 0) return []
    const contents = contentsOf({ site, language }, form, state, groupFields)
    const isOpen = groupFields.some(({ name }) => state.errors.has(name))
    return [
      html`<details class="form-fold"${isOpen && html` open`}><summary><span class="fold-name">${words[group]}</span>${contents && html` <span class="small">${contents}</span>`}</summary>
<div class="form-fields">${inLines(groupFields).map(lineHtml)}</div></details>`,
    ]
  })
  return {
    head: html`${hiddenInputs(withoutFields(state.hidden, replacements))}${errorSummary(language, state.errors, name => linkIn(language, form, state, name), state.saved)}`,
    main: html`<div class="form-fields">${inLines(inGroup('first')).map(lineHtml)}</div>${(aboveFolds || foldedGroups.length > 0) && html`<div class="folds">${aboveFolds}${foldedGroups}</div>`}`,
    publication: html`${inGroup('publication').map(fieldHtml)}`,
  }
}

/** The most characters of a value beside the heading of its folded group. */
const MAX_VALUE_LENGTH = 40

/**
 * The contents of a folded group in one line: the fields that differ from an empty form, with their values.
 */
function contentsOf(
  page: FormContext,
  form: Form<FieldResource>,
  state: FormState,
  fields: readonly FormField[],
): string {
  const { context } = page.site
  const blankEntries = entriesFor(form, { timezone: context.settings.timezone }, context)
  return fields
    .filter(field => !holdSame(ownInputs(field), state.entries, blankEntries))
    .flatMap(field => {
      const view = viewOf(page, form, state, field)
      const text = field.control.read(state.entries, field.name, view).replace(/\s+/g, ' ').trim()
      const shownText =
        text.length > MAX_VALUE_LENGTH ? `${text.slice(0, MAX_VALUE_LENGTH).toWellFormed().trim()}…` : text
      return shownText === '' ? [] : [`${view.label}${page.site.words.colon}${shownText}`]
    })
    .join(' · ')
}

/** Fields in lines: each with the fields that stand beside it. */
const inLines = (fields: readonly FormField[]): FormField[][] =>
  fields.reduce<FormField[][]>((lines, field) => {
    const last = field.isBeside ? lines.at(-1) : undefined
    if (last) last.push(field)
    else lines.push([field])
    return lines
  }, [])

/** A field with its texts and state. */
export function viewOf(
  { site, language }: FormContext,
  { resource }: Pick<Form<FieldResource>, 'resource'>,
  { entries, choices, errors, offers }: Pick<FormState, 'entries' | 'choices' | 'errors' | 'offers'>,
  { name, isRequired }: FormField,
): FieldView {
  const { label, help, options } = wordsOfField(language, resource, name)
  const error = errors.get(name)
  return {
    site,
    words: textsIn(language).form,
    name,
    id: inputId(name),
    label,
    offer: offers?.get(name),
    help,
    options,
    error,
    isRequired,
    isFocused: false,
    entries,
    choices,
  }
}

export const hiddenInputs = (entries: Entries): Html =>
  html`${[...entries].flatMap(([name, values]) =>
    values.map(value => html`<input type="hidden" name="${name}" value="${value}">\n`),
  )}`

/** The field of a repetition, updated for the current input, for scripts; '' if the form has none. */
export function freshRepetition(page: FormContext, form: Form<FieldResource>, entries: Entries): string {
  const field = form.fields.find(({ name }) => name === 'recurrence')
  const state = { entries, choices: {}, errors: new Map<string, string>() }
  return field ? String(field.control.render(viewOf(page, form, state, field))) : ''
}

/** The input that an error leads to, and the label of its field. */
type ErrorLink = { id: string; label: string }

/** The link from an error to its field; if all that a date lacks is a time, to the time. */
function linkIn(
  language: string,
  form: Form<FieldResource>,
  { entries, pageInputs }: FormState,
  name: string,
): ErrorLink | undefined {
  const field = form.fields.find(field => field.name === name)
  const other = pageInputs?.get(name)
  if (!field) return other && { id: inputId(other.input), label: other.label }
  const lacksTime = field.control.unclear?.(entries, name) === 'missingTime'
  return {
    id: `${inputId(name)}${lacksTime ? '-time' : ''}`,
    label: wordsOfField(language, form.resource, name).label,
  }
}

/** Makes the links from errors to the fields of a short form. @param labels by the names of the fields */
export const linksTo =
  (labels: ReadonlyMap<string, string>) =>
  (name: string): ErrorLink | undefined => {
    const label = labels.get(name)
    return label === undefined ? undefined : { id: inputId(name), label }
  }

/** Says above a form which of its fields are wrong, and why. @param saved what is saved all the same */
export function errorSummary(
  language: string,
  errors: FormErrors,
  linkOf: (name: string) => ErrorLink | undefined,
  saved?: string,
): Html | '' {
  if (errors.size === 0) return ''
  const words = textsIn(language).form
  const heading = filled(plural(language, words, 'error', errors.size), { n: errors.size })
  return html`<div class="notice notice-alert form-errors" role="alert"><h2>${heading}</h2>${saved !== undefined && html`<p>${saved}</p>`}<ul>${[
    ...errors,
  ].map(([name, reason]) => {
    const link = linkOf(name)
    return html`<li>${link && html`<a href="#${link.id}">${link.label}</a>: `}${reason}</li>`
  })}</ul></div>`
}

type FieldListOptions = {
  form: Form<FieldResource>
  body: Body
  /**
   * The names of the fields to show, even if they are empty; by default those that differ from a new form.
   */
  names?: readonly string[]
  /** The names of fields to leave out. */
  without?: readonly string[]
  categories?: readonly TermRow[]
}

/** A list of fields with their values in words, for readers. */
export function fieldList(
  page: FormContext,
  { form, body, names, without = [], categories = [] }: FieldListOptions,
): Html | '' {
  const { context } = page.site
  const { empty } = textsIn(page.language).history
  const entries = entriesFor(form, body, context)
  const blankEntries = entriesFor(form, { timezone: context.settings.timezone }, context)
  const choices = withStored({ categories }, body)
  const fields = form.fields.filter(field => {
    const isShown = names ? names.includes(field.name) : !holdSame(ownInputs(field), entries, blankEntries)
    return isShown && !without.includes(field.name)
  })
  if (fields.length === 0) return ''
  return html`<dl class="changes">${fields.map(field => {
    const text = field.control.read(
      entries,
      field.name,
      viewOf(page, form, { entries, choices, errors: new Map() }, field),
    )
    const { label } = wordsOfField(page.language, form.resource, field.name)
    return html`<div><dt>${label}</dt><dd>${text.trim() === '' ? html`<span class="nothing">${empty}</span>` : html`<span class="value">${text}</span>`}</dd></div>\n`
  })}</dl>`
}
