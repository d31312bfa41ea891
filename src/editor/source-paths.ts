import { selectDuplicateCount } from '../calendar/duplicates/queries.ts'
import type { EventRow } from '../calendar/events/rows.ts'
import { may } from '../kit/lib/roles.ts'
import { isFeatureOn } from '../kit/settings.ts'
import { type Html, html } from '../site/html/html.ts'
import { plain } from '../site/html/text.ts'
import { type EditorContext, MAX_WAITING } from './context.ts'

// Links to the pages of other calendars, which the feature `sources` has.

export const SOURCES_PATH = '/admin/sources/'
export const NEW_FILE_PATH = `${SOURCES_PATH}file/`
export const sourcePath = (id: number): string => `${SOURCES_PATH}${id}/`
/** The page that previews a file before it is imported. */
export const filePath = (id: number): string => `${sourcePath(id)}file/`

/** The address that somebody typed, with a scheme. */
export const typedAddress = (text: string): string =>
  text === '' || /^(?:[a-z][a-z\d+.-]*:\/\/|webcals?:)/i.test(text) ? text : `https://${text}`

export const hasSources = ({ context }: Pick<EditorContext, 'context'>): boolean =>
  isFeatureOn(context.settings, 'sources')

/** True if there are pages of sources for the caller. */
export const mayKnowSources = (editor: EditorContext): boolean =>
  hasSources(editor) && may(editor.context.caller, 'manage_sources')

/**
 * A note about the source of an event, and what happens to changes made here; '' for the calendar's own
 * events.
 */
export function originNote(editor: EditorContext, { origin: { source } }: EventRow): Html | '' {
  if (!source) return ''
  const words = editor.texts.source
  const name = plain(source.name)
  return html`<p class="from-source">${words.from} ${mayKnowSources(editor) ? html`<a href="${sourcePath(source.id)}">${name}</a>` : name}. ${source.mirror && hasSources(editor) ? words.undone : words.stays}</p>`
}

export const DUPLICATES_PATH = `${SOURCES_PATH}duplicates/`

/** The former address of the page of duplicates, to which older e-mails link. */
export const FORMER_DUPLICATES_PATH = `${SOURCES_PATH}twins/`

/** A query for the number of undecided pairs, up to the limit of the menu. */
export const selectAskedCount = selectDuplicateCount({}, MAX_WAITING)
