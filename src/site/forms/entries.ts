import * as z from 'zod/mini'
import { isChosenFile } from '../../kit/http/form-data.ts'
import { descriptionOf, documented } from '../../kit/http/params.ts'

/**
 * The contents of a form's inputs by name, as browsers send them: lists, because several inputs may share a
 * name.
 */
export type Entries = ReadonlyMap<string, readonly string[]>

/** The text of an input; '' if the form has no input of that name. */
export const entry = (entries: Entries, name: string): string => entries.get(name)?.[0] ?? ''

export const entriesNamed = (entries: Entries, name: string): readonly string[] => entries.get(name) ?? []

/** The name of an input of something new that is described in a field: the town of a new venue. */
export const newInput = (name: string, field: string): string => `${name}_new_${field}`

/** Entries with some replaced. */
export const withEntries = (
  entries: Entries,
  others: Iterable<readonly [string, readonly string[]]>,
): Entries => new Map([...entries, ...others])

/** True if some inputs hold the same in two forms. */
export const holdSame = (inputs: readonly string[], a: Entries, b: Entries): boolean =>
  inputs.every(input => JSON.stringify(entriesNamed(a, input)) === JSON.stringify(entriesNamed(b, input)))

/** The file that was chosen in an input. */
export function chosenFile(form: FormData, name: string): File | undefined {
  const file = form.get(name)
  return file instanceof File && isChosenFile(file) ? file : undefined
}

/** The texts of a posted form. Browsers send line breaks as two characters. */
export function entriesOf(form: FormData): Entries {
  const entries = new Map<string, string[]>()
  for (const [name, value] of form) {
    if (typeof value !== 'string') continue
    const text = value.replaceAll('\r\n', '\n')
    const knownEntry = entries.get(name)
    if (knownEntry) knownEntry.push(text)
    else entries.set(name, [text])
  }
  return entries
}

/**
 * A short digest of some inputs, by which a submitted form shows what was changed: 53 bits, computed in two
 * rounds of multiplication. A forged digest only changes the meaning of the sender's own request. An input
 * that a form leaves out counts as empty.
 */
export function entriesDigest(entries: Entries, names: readonly string[]): string {
  const texts = names.map(name => entriesNamed(entries, name))
  const text = JSON.stringify(texts.map(values => (values.length === 0 ? [''] : values)))
  let high = 0xdead_beef
  let low = 0x41c6_ce57
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    high = Math.imul(high ^ unit, 2_654_435_761)
    low = Math.imul(low ^ unit, 1_597_334_677)
  }
  high = Math.imul(high ^ (high >>> 16), 2_246_822_507) ^ Math.imul(low ^ (low >>> 13), 3_266_489_909)
  low = Math.imul(low ^ (low >>> 16), 2_246_822_507) ^ Math.imul(high ^ (high >>> 13), 3_266_489_909)
  return (4_294_967_296 * (2_097_151 & low) + (high >>> 0)).toString(36)
}

/** A parameter of a form sent by GET, where an empty input counts as absent. */
export const blank = <T>(param: z.ZodMiniType<T>) =>
  z.optional(
    documented(
      z.pipe(
        z.transform((raw: unknown) => (raw === '' ? undefined : raw)),
        z.optional(param),
      ),
      descriptionOf(param),
    ),
  )
