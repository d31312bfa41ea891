import type { RequestContext } from '../../context.ts'
import type { FormWords } from '../../words/words.ts'
import { altInput, fileInput } from './controls/image.ts'
import { type Entries, entriesNamed, entriesOf, entry, withEntries } from './entries.ts'
import { errorsOf } from './errors.ts'
import { changedFields, type Form, type FormField, valuesOf, wasIn } from './form.ts'
import { isDone, upload, valueIn } from './requests.ts'

/** A form that came back. */
export type Posted = {
  /** What is wrong already, before the API was asked. */
  errors: Map<string, string>
  entries: Entries
  /** What its button asks for: `save`, `preview`, `find:venue` … */
  action: string
  /** The version of the resource that it was made of; '' for a new one. */
  version: string
  /** The key of a form of something new, by which it is made once. */
  key: string
}

/** The inputs of a form that are no fields. */
const NOT_FIELDS = ['do', 'version', 'key']

/** The inputs that a field calls its own: others only have a part in its value. */
export const ownInputs = ({ name, control }: FormField): string[] =>
  control.inputs(name).filter(input => input === name || input.startsWith(`${name}_`))

const theirsInput = (input: string): string => `theirs.${input}`
export const choiceInput = (name: string): string => `choose.${name}`

/** Hidden inputs with what is stored of some fields, for one who may choose it. */
export const theirEntries = (fields: readonly FormField[], stored: Entries): Map<string, readonly string[]> =>
  new Map(fields.flatMap(ownInputs).map(input => [theirsInput(input), entriesNamed(stored, input)] as const))

/** Puts what is stored in place of what was typed, where that was chosen. */
function withChoices({ fields }: Form, posted: Entries): Entries {
  const chosen = fields.filter(({ name }) => entry(posted, choiceInput(name)) === 'theirs')
  return withEntries(
    posted,
    chosen.flatMap(ownInputs).map(input => [input, entriesNamed(posted, theirsInput(input))] as const),
  )
}

/** Reads a form that came back. */
export function readPosted(form: Form, data: FormData): Posted {
  const posted = entriesOf(data)
  return {
    errors: new Map(),
    entries: withChoices(form, posted),
    action: entry(posted, 'do') || 'save',
    version: entry(posted, 'version'),
    key: entry(posted, 'key'),
  }
}

/** The hidden inputs of a form that came back, to be sent again. */
export const hiddenOf = (form: Form, { entries, version, key }: Posted): Entries =>
  withEntries(wasIn(form, entries), [
    ...(version ? [['version', [version]] as const] : []),
    ...(key ? [['key', [key]] as const] : []),
    ...(entries.has('shown') ? [['shown', entriesNamed(entries, 'shown')] as const] : []),
  ])

/** All that a form holds, for another form that carries it on. */
export const carried = ({ entries, version, key }: Posted): Entries => {
  const kept = [...entries].filter(
    ([name]) => !NOT_FIELDS.includes(name) && !/^(?:choose|theirs)\./.test(name),
  )
  return new Map([...kept, ['version', [version]], ['key', [key]]])
}

/** The values of the fields that were changed, for a request. */
export function changedValues(
  context: RequestContext,
  form: Form,
  { entries }: Pick<Posted, 'entries'>,
): Record<string, unknown> {
  return valuesOf(changedFields(form, entries), entries, context)
}

/** Names the fields that must not be empty, and are: all of a new resource, of another those that were emptied. */
export function emptyFields(
  context: RequestContext,
  form: Form,
  { words, posted, isNew }: { words: FormWords; posted: Posted; isNew: boolean },
): Map<string, string> {
  const { entries } = posted
  const had = form.fields.filter(field => wasIn({ ...form, fields: [field] }, entries).size > 0)
  const asked = isNew ? had : changedFields(form, entries)
  const empty = asked.filter(
    ({ name, control, isRequired }) => isRequired && control.value(entries, name, context) === '',
  )
  return new Map(empty.map(({ name }) => [name, words.missing]))
}

/** Names the fields whose inputs hold what is no value yet: a search of which nothing was chosen, a day without a time. */
export const unclearFields = (form: Form, words: FormWords, { entries }: Posted): Map<string, string> =>
  new Map(
    form.fields.flatMap(({ name, control }) => {
      const word = control.unclear?.(entries, name)
      return word ? [[name, words[word]] as const] : []
    }),
  )

/**
 * Uploads the image that came with a form. What is wrong with the rest of the form does not undo that: the image is then the
 * one that is chosen, and deleted after some days if nothing uses it.
 */
export async function withUpload(
  context: RequestContext,
  words: FormWords,
  data: FormData,
  posted: Posted,
): Promise<Posted> {
  const file = data.get(fileInput('image'))
  if (!(file instanceof File) || file.size === 0) return posted
  const reply = await upload({ context }, file, entry(posted.entries, altInput('image')))
  if (isDone(reply))
    return {
      ...posted,
      entries: withEntries(posted.entries, [
        ['image', [String(valueIn(reply, 'id'))]],
        [altInput('image'), ['']],
      ]),
    }
  const [reason] = errorsOf(words, reply.body).values()
  return { ...posted, errors: new Map([...posted.errors, ['image', reason ?? words.noImage]]) }
}
