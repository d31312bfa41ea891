import { sql } from 'drizzle-orm'
import { isDecided, selectSettings, serializeSettings } from '../../calendar/settings/routes.ts'
import { combineQueries, first, type Query, resolvedQuery } from '../../kit/db/query.ts'
import { events, sources, users } from '../../kit/db/tables.ts'
import { wordsOfField } from '../../site/forms/control.ts'
import { newInput } from '../../site/forms/entries.ts'
import { buttonForm, form, inputField } from '../../site/forms/field-html.ts'
import { entriesFor, formDigests } from '../../site/forms/form.ts'
import { EVENT_FORM } from '../../site/forms/forms.ts'
import { hiddenInputs } from '../../site/forms/render.ts'
import { type Html, html } from '../../site/html/html.ts'
import { type Catalogue, filled } from '../../words/words.ts'
import type { EditorContext } from '../context.ts'
import { defineRequest } from '../pages-and-actions.ts'
import { newKey } from '../resource-forms/routes.ts'
import { hasSources, SOURCES_PATH } from '../source-paths.ts'
import { SETUP_PREVIEW_PATH } from '../start/values.ts'

// The first steps of an administrator. The calendar itself shows which are done, so nobody has to tick them
// off.

const HIDE_PATH = '/admin/settings/first-steps/'

/**
 * A query that tells whether the calendar has events, sources and a second user. It reads one row of each
 * table, and two users.
 */
const selectProgress = () =>
  first(
    sql`SELECT EXISTS (SELECT 1 FROM ${events}) AS event, EXISTS (SELECT 1 FROM ${sources}) AS source,
      EXISTS (SELECT 1 FROM ${users} LIMIT 1 OFFSET 1) AS colleague`,
    ({ event, source, colleague }) => ({
      event: event === 1,
      source: source === 1,
      colleague: colleague === 1,
    }),
  )

type FirstStep = { word: keyof Catalogue['firstSteps']; href: string; isDone: boolean | undefined }

/** The query for the card with the first steps; '' once all of them are done, or somebody has hidden it. */
export function selectFirstSteps(editor: EditorContext): Query<Html | ''> {
  if (!editor.context.settings.firstSteps) return resolvedQuery('')
  return combineQueries({ stored: selectSettings(), made: selectProgress() }, ({ stored, made }) => {
    const settings = serializeSettings(stored, editor.context)
    const steps: readonly FirstStep[] = [
      { word: 'name', href: '/admin/settings/#f-name', isDone: isDecided(settings, 'name') },
      { word: 'logo', href: '/admin/settings/#f-image-group', isDone: settings.logo !== '' },
      { word: 'place', href: '/admin/settings/#f-timezone', isDone: isDecided(settings, 'timezone') },
      { word: 'imprint', href: '/admin/settings/#f-imprint_text', isDone: settings.imprint !== '' },
      { word: 'event', href: '/admin/events/new/', isDone: made?.event },
      { word: 'colleague', href: '/admin/users/', isDone: made?.colleague },
      ...(hasSources(editor)
        ? [{ word: 'calendar' as const, href: SOURCES_PATH, isDone: made?.source }]
        : []),
    ]
    return steps.every(({ isDone }) => isDone) ? '' : stepsCard(editor, steps, made?.event === true)
  })
}

function stepsCard(editor: EditorContext, steps: readonly FirstStep[], hasEvents: boolean): Html {
  const words = editor.texts.firstSteps
  const listedSteps = hasEvents ? steps : steps.filter(({ word }) => word !== 'event')
  const doneSteps = listedSteps.filter(({ isDone }) => isDone)
  const n = editor.site.dates.number(doneSteps.length)
  return html`<section class="card first-steps" aria-labelledby="first-steps"><h2 id="first-steps">${words.title}</h2>
${!hasEvents && firstEventForm(editor)}
<ol>${listedSteps.filter(({ isDone }) => !isDone).map(({ word, href }) => html`<li><a href="${href}">${words[word]}</a></li>\n`)}</ol>
${
  doneSteps.length > 0 &&
  html`<details><summary class="small">${filled(words.done, { n, all: editor.site.dates.number(listedSteps.length) })}</summary>
<ol>${doneSteps.map(({ word }) => html`<li class="is-done">${words[word]}</li>\n`)}</ol></details>`
}
${buttonForm(editor, { action: HIDE_PATH, text: words.hide, className: 'link-button' })}</section>`
}

const VENUE_INPUT = newInput('venue', 'venue')

/** The inputs of the first event. The other fields of the full form are sent as they are when it is empty. */
const FIRST_EVENT_INPUTS: readonly string[] = ['title', 'start_date', 'start_date_time', VENUE_INPUT]

/**
 * The form of the first event, with the fields that every event has. It is sent to the full form, which shows
 * what is wrong.
 */
function firstEventForm(editor: EditorContext): Html {
  const { texts, language } = editor
  const words = texts.firstSteps
  const label = (name: string) => wordsOfField(language, 'event', name).label
  const { context } = editor
  const blankEntries = entriesFor(EVENT_FORM, { timezone: context.settings.timezone }, context)
  const otherEntries = [...blankEntries].filter(([name]) => !FIRST_EVENT_INPUTS.includes(name))
  const hiddenEntries = new Map([...otherEntries, ...formDigests(EVENT_FORM, blankEntries), ...newKey()])
  return html`<h3>${words.event}</h3>
${form(editor, {
  action: '/admin/events/new/',
  className: 'columns',
  body: html`${hiddenInputs(hiddenEntries)}
${inputField({ id: 'first-title', name: 'title', label: label('title') }, html` maxlength="2000" required autocomplete="off"`)}
${inputField({ id: 'first-day', name: 'start_date', label: texts.form.day }, html` type="date" required`)}
${inputField({ id: 'first-time', name: 'start_date_time', label: texts.form.from }, html` type="time" required`)}
${inputField({ id: 'first-venue', name: VENUE_INPUT, label: label('venue') }, html` maxlength="2000" autocomplete="off"`)}
<button class="button" type="submit" name="do" value="save">${words.announce}</button>`,
})}
<p><a href="${SETUP_PREVIEW_PATH}">${hasSources(editor) ? words.start : words.startAlone}</a></p>`
}

/** Hides the first steps from everybody. The settings show them again. */
export const hideFirstSteps = defineRequest({
  path: HIDE_PATH,
  requires: 'manage_settings',
  request: () => ({ method: 'PATCH', path: '/settings', body: { first_steps: false } }),
  onDone: ({ texts }) => ({ to: '/admin/', notice: { text: texts.firstSteps.hidden } }),
  backPath: () => '/admin/',
})
