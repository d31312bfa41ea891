import { eq, type SQL, sql } from 'drizzle-orm'
import { mapQuery } from '../../kit/db/query.ts'
import { isObject } from '../../kit/lib/values.ts'
import type { Control, FieldView, Offer } from '../../site/forms/control.ts'
import { filterQuery } from '../../site/forms/controls/text.ts'
import { type Entries, entriesNamed, entry } from '../../site/forms/entries.ts'
import { group, inputPart } from '../../site/forms/field-html.ts'
import { html } from '../../site/html/html.ts'
import { CHOICE_KINDS, type ChoiceKind, PARAMETERS } from './news/choices.ts'
import { choiceBoxes } from './news/pages/form.ts'
import { selectOffers } from './news/pages/offers.ts'
import { letters } from './tables.ts'

// The form of a letter chooses its events by the boxes of news. A program may have set other parameters of
// the list: these are shown as a query, and only then.

const inputOf = (name: string, kind: ChoiceKind): string => `${name}_${kind}`
const restInputName = (name: string): string => `${name}_rest`

/** The items of a parameter that boxes show; undefined for anything but texts and numbers. */
function itemTexts(value: unknown): string[] | undefined {
  const items = [value ?? []].flat()
  return items.every(item => typeof item === 'string' || typeof item === 'number')
    ? items.flatMap(item => String(item).split(',')).flatMap(item => item.trim() || [])
    : undefined
}

/** The ids in a stored parameter: a list, or a text with commas between them. Slugs are not among them. */
function storedIds(id: number, kind: ChoiceKind): SQL {
  const value = sql`${letters.filters} ->> ${`$.${PARAMETERS[kind]}`}`
  const list = sql`'[' || trim(${value}, '[]') || ']'`
  return sql`SELECT CAST(value AS INTEGER) FROM ${letters}, json_each(CASE WHEN json_valid(${list}) THEN ${list} ELSE '[]' END)
    WHERE ${eq(letters.id, id)}`
}

/** The value of a box: the slug if that is how it was chosen, so that nothing counts as changed. */
const boxValue = ({ id, slug }: Offer, chosen: readonly string[]): string =>
  slug !== undefined && chosen.includes(slug) ? slug : String(id)

/** The boxes of a kind, and others for what is chosen but no longer offered, so that it can be unticked. */
function optionsOf(offers: readonly Offer[], chosenValues: readonly string[]) {
  const options = offers.map(offer => ({
    value: boxValue(offer, chosenValues),
    label: offer.name,
    className: offer.className,
  }))
  const otherValues = chosenValues.filter(item => !options.some(({ value }) => value === item))
  return [
    ...options,
    ...otherValues.map(value => ({
      value,
      label: /^\d+$/.test(value) ? `#${value}` : value,
      className: undefined,
    })),
  ]
}

const optionsIn = (
  { name, entries, choices }: Pick<FieldView, 'name' | 'choices'> & { entries: Entries },
  kind: ChoiceKind,
) => {
  const input = inputOf(name, kind)
  return optionsOf(choices.offered?.[input] ?? [], entriesNamed(entries, input))
}

export const eventBoxes: Control = {
  isSet: true,
  inputs: name => [...CHOICE_KINDS.map(kind => inputOf(name, kind)), restInputName(name)],
  show: (body, name) => {
    const filters = isObject(body[name]) ? body[name] : {}
    const shownItems = CHOICE_KINDS.map(kind => [kind, itemTexts(filters[PARAMETERS[kind]])] as const)
    const ownParameters = shownItems.flatMap(([kind, items]): string[] => (items ? [PARAMETERS[kind]] : []))
    const otherFilters = Object.fromEntries(
      Object.entries(filters).filter(([key]) => !ownParameters.includes(key)),
    )
    return [
      ...shownItems.map(([kind, items = []]) => [inputOf(name, kind), items] as const),
      [restInputName(name), [filterQuery(otherFilters)]],
    ]
  },
  selectOffers: (context, { name, entries, id }) => {
    const ids = (kind: ChoiceKind): SQL => {
      const typedIdsJson = JSON.stringify(entriesNamed(entries, inputOf(name, kind)))
      const storedSelect = id === undefined ? sql`` : sql` UNION ALL ${storedIds(id, kind)}`
      return sql`(SELECT CAST(value AS INTEGER) FROM json_each(${typedIdsJson})${storedSelect})`
    }
    const chosenIds = { categories: ids('categories'), venues: ids('venues'), organizers: ids('organizers') }
    return mapQuery(selectOffers(context, chosenIds), offers =>
      Object.fromEntries(CHOICE_KINDS.map(kind => [inputOf(name, kind), offers[kind]])),
    )
  },
  value: (entries, name) => {
    const chosenEntries = CHOICE_KINDS.map(
      kind => [PARAMETERS[kind], entriesNamed(entries, inputOf(name, kind))] as const,
    )
    const ticked = Object.fromEntries(chosenEntries.filter(([, items]) => items.length > 0))
    return [filterQuery(ticked), entry(entries, restInputName(name)).trim()].filter(Boolean).join('&')
  },
  read: (entries, name, { choices }) =>
    [
      ...CHOICE_KINDS.flatMap(kind => {
        const chosenValues = entriesNamed(entries, inputOf(name, kind))
        return optionsIn({ name, entries, choices }, kind).flatMap(({ value, label }) =>
          chosenValues.includes(value) ? [label] : [],
        )
      }),
      entry(entries, restInputName(name)),
    ]
      .filter(Boolean)
      .join(', '),
  render: view => {
    const { id, name, entries, site, options } = view
    const input = restInputName(name)
    const restText = entry(entries, input)
    return group(
      view,
      html`${CHOICE_KINDS.map(kind =>
        choiceBoxes(site, {
          kind,
          name: inputOf(name, kind),
          options: optionsIn(view, kind),
          chosen: entriesNamed(entries, inputOf(name, kind)),
        }),
      )}${
        restText !== '' &&
        inputPart(
          { id: `${id}-rest`, name: input, label: options?.rest ?? '', value: restText },
          html` autocapitalize="none" spellcheck="false"`,
        )
      }`,
    )
  },
}
