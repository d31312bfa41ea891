import type { BaseContext, RequestContext } from '../../kit/context.ts'
import type { Catalogue } from '../../words/words.ts'
import { inputsOf } from './control.ts'
import { altInput, fileInput, IMAGE_FIELDS } from './controls/image.ts'
import { movedEnd } from './controls/moment.ts'
import { chosenFile, type Entries, entriesOf, entry, withEntries } from './entries.ts'
import { changedFields, type Form, type FormField, fieldsIn, formValues } from './form.ts'
import { type ErrorTexts, errorsOf, isDone, replyValue, upload } from './requests.ts'

export type SubmittedForm = {
  /** Errors found before the request to the API. */
  errors: Map<string, string>
  entries: Entries
  /** The value of the pressed button: `save`, `preview`, `find:venue` … */
  action: string
  /** The version of the resource that the form was made from; '' for a new one. */
  version: string
  /** True if the end of the event has moved with its start. */
  isEndMoved: boolean
  /** The key of the form of a new resource, which prevents making it twice. */
  key: string
}

/** The inputs that belong to a field alone; its value may also depend on others. */
export const ownInputs = (field: FormField): string[] =>
  inputsOf(field).filter(input => input === field.name || input.startsWith(`${field.name}_`))

export function readPosted(data: FormData): SubmittedForm {
  const entries = entriesOf(data)
  const movedEntries = movedEnd(entries)
  return {
    errors: new Map(),
    entries: movedEntries ?? entries,
    isEndMoved: movedEntries !== undefined,
    action: entry(entries, 'do') || 'save',
    version: entry(entries, 'version'),
    key: entry(entries, 'key'),
  }
}

/** The action of the button that adds a row to the programme of an event. */
export const ADD_ROW = 'part'

/** The action of the button that lists all dates of a series, and the input that keeps them listed. */
export const ALL_DATES = 'all_dates'

/**
 * True if the button asks for the form again: with the results of a search, the next dates of a repetition,
 * or another row of the programme.
 */
export const isShownAgain = ({ action }: SubmittedForm): boolean =>
  action.startsWith('find:') || [ADD_ROW, ALL_DATES, 'edit'].includes(action)

/**
 * The hidden inputs of a submitted form, to be sent again: the digests and versions that it was made from.
 */
export const hiddenEntriesOf = ({ entries }: SubmittedForm): Entries =>
  new Map([...entries].filter(([name]) => /^(?:was\..*|version|key|shown)$/.test(name)))

/** The inputs that belong to the programme of an event rather than to a field. */
export const programmeEntries = (entries: Entries): Entries =>
  new Map([...entries].filter(([name]) => /^parts?[._]/.test(name)))

/** All entries of a form, for another form that carries them. */
export const entriesToResend = ({ entries }: SubmittedForm): Entries =>
  new Map([...entries].filter(([name]) => name !== 'do'))

export function changedValues(
  context: BaseContext,
  form: Form,
  { entries }: Pick<SubmittedForm, 'entries'>,
): Record<string, unknown> {
  return formValues(changedFields(form, entries), entries, context)
}

/**
 * The errors of required fields that are empty: all of them for a new resource, otherwise those that were
 * emptied.
 */
export function emptyFields(
  context: BaseContext,
  form: Form,
  { texts, posted, isNew }: { texts: ErrorTexts; posted: SubmittedForm; isNew: boolean },
): Map<string, string> {
  const { entries } = posted
  const requestedFields = isNew ? fieldsIn(form, entries) : changedFields(form, entries)
  const missingFields = requestedFields.filter(
    ({ name, control, isRequired }) => isRequired && control.value(entries, name, context) === '',
  )
  return new Map(missingFields.map(({ name }) => [name, texts.reason.missing]))
}

/**
 * The errors found so far, with those of fields with an incomplete input: a search without a choice, a date
 * without a time.
 */
export const knownErrors = (
  form: Form,
  words: Catalogue['form'],
  { entries, errors }: SubmittedForm,
): Map<string, string> =>
  new Map([
    ...form.fields.flatMap(({ name, control }) => {
      const word = control.unclear?.(entries, name)
      return word ? [[name, words[word]] as const] : []
    }),
    ...errors,
  ])

/**
 * Uploads the images of a form. They stay uploaded if the rest of the form has errors: they are then the
 * chosen images, and are deleted after some days if nothing uses them.
 */
export async function uploadImages(
  context: RequestContext,
  texts: ErrorTexts,
  data: FormData,
  posted: SubmittedForm,
): Promise<SubmittedForm> {
  let result = posted
  for (const name of IMAGE_FIELDS) {
    const file = chosenFile(data, fileInput(name))
    if (!file) continue
    const reply = await upload({ context }, file, entry(posted.entries, altInput(name)))
    if (isDone(reply)) {
      const id = String(replyValue(reply, 'id'))
      result = {
        ...result,
        entries: withEntries(result.entries, [
          [name, [id]],
          [altInput(name), ['']],
        ]),
      }
      continue
    }
    const [reason] = errorsOf(texts, reply.body).values()
    result = { ...result, errors: new Map([...result.errors, [name, reason ?? texts.reason.no_image]]) }
  }
  return result
}
