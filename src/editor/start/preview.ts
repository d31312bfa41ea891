import type { ListedEvent } from '../../calendar/events/listed-events.ts'
import type {
  FilePreviewResponse,
  PreviewedEvent,
  PreviewResponse,
} from '../../calendar/imports/source-schema.ts'
import { selectImageById } from '../../calendar/media/queries.ts'
import { selectSettings } from '../../calendar/settings/routes.ts'
import { combineQueries, resolvedQuery } from '../../kit/db/query.ts'
import { mergedSettings } from '../../kit/http/stored-settings.ts'
import { ANONYMOUS } from '../../kit/lib/roles.ts'
import { atWall } from '../../kit/lib/time.ts'
import { type Vars, varSettingsOf } from '../../kit/settings.ts'
import { isDone, reasonsOf, submitOne } from '../../site/forms/requests.ts'
import { pageContextOf } from '../../site/html/page-context.ts'
import type { Category } from '../../site/html/queries.ts'
import type { EditorContext } from '../context.ts'
import { filePath, typedAddress } from '../source-paths.ts'
import type { StartValues } from './values.ts'

/**
 * What was found where the events are: the next ones, the number of all, and what could not be read of a
 * file.
 */
export type StartPreview = {
  events: readonly PreviewedEvent[]
  total: number
  problems: number
  /** The page on which columns of a file can be chosen. */
  page?: string
}

const EMPTY_PREVIEW: StartPreview = { events: [], total: 0, problems: 0 }

const isPublishedEvent = ({ status }: PreviewedEvent): boolean => status === 'publish'

/**
 * Reads the next events from where they are, without writing anything.
 *
 * @param chosenEditor the editor in the calendar that was chosen, of {@link withChoices}
 * @returns an error as text if that fails
 */
export async function findEvents(
  chosenEditor: EditorContext,
  { where, url, source }: StartValues,
): Promise<StartPreview | string> {
  if (where === 'address' && url !== '') {
    const request = { method: 'POST', path: '/sources/preview', body: { url: typedAddress(url) } }
    const reply = await submitOne(chosenEditor, request)
    if (!isDone(reply)) return reasonsOf(chosenEditor, reply)
    // The route of that path returns it.
    const { events, total } = reply.body as PreviewResponse
    return { events: events.filter(isPublishedEvent), total, problems: 0 }
  }
  if (where === 'file' && source > 0) {
    const reply = await submitOne(chosenEditor, {
      method: 'POST',
      path: `/sources/${source}/preview`,
      body: {},
    })
    if (!isDone(reply)) return reasonsOf(chosenEditor, reply)
    // The route of that path returns it.
    const { coming, total, problem_count } = reply.body as FilePreviewResponse
    return { events: coming.filter(isPublishedEvent), total, problems: problem_count, page: filePath(source) }
  }
  return EMPTY_PREVIEW
}

/** The categories of events, in the order of the events. They have no rows yet. */
const categoriesOf = (events: readonly PreviewedEvent[]): Category[] =>
  [...new Set(events.map(({ category }) => category).filter(Boolean))].map((name, i) => ({
    id: i + 1,
    parent: 0,
    name,
    slug: name,
    path: name,
    color: '',
  }))

/** An event as lists show it. It has no row, and so no address, yet. */
function listedEvent(event: PreviewedEvent, i: number, categories: readonly Category[]): ListedEvent {
  const { title, start_date, end_date, timezone, all_day, venue, city, cost, text, image } = event
  const category = categories.find(({ name }) => name === event.category)
  return {
    id: i + 1,
    slug: '',
    title,
    all_day,
    start_date,
    end_date,
    utc_start_date: atWall(start_date, timezone).utc,
    utc_end_date: atWall(end_date, timezone).utc,
    timezone,
    series_id: null,
    occurrence_date: null,
    previous_utc_start_date: '',
    detached: '[]',
    cost,
    ticket_availability: '',
    featured: false,
    event_status: 'scheduled',
    is_virtual: false,
    image_id: image === '' ? null : i + 1,
    series: null,
    image:
      image === ''
        ? null
        : { id: i + 1, url: image, width: null, height: null, alt_text: '', has_sizes: false, version: 1 },
    text,
    venue: { name: venue, city, count: venue === '' ? 0 : 1 },
    category: category ?? null,
  }
}

/**
 * The context of the editor as it would be once the choices are saved: its zone, language and currency decide
 * how events are read as well as how they are shown.
 */
export async function withChoices(
  editor: EditorContext,
  { vars, image }: { vars: Vars; image: number },
): Promise<EditorContext> {
  const { context } = editor
  const { stored, header } = await context.db.read(
    combineQueries({
      stored: selectSettings(),
      header: image > 0 ? selectImageById(context, image) : resolvedQuery(undefined),
    }),
  )
  const settings = mergedSettings(varSettingsOf(context.settings), {
    ...stored,
    vars: { ...stored.vars, ...vars },
    header: header ?? null,
  })
  return { ...editor, context: { ...context, settings } }
}

const END_OF_SCRIPT = '</script>'

/**
 * A document as a static picture for a frame: scripts, links, buttons and inputs are disabled, because
 * nothing is saved yet.
 *
 * @param document HTML of our templates, in which attributes have no `>` and no quotes
 */
const pictureOf = (document: string): string =>
  document
    .split('<script')
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf(END_OF_SCRIPT) + END_OF_SCRIPT.length)))
    .join('')
    .replace(/<a\b[^<>]*>/g, link => link.replace(/ href="[^"]*"/, ''))
    .replace(/<(input|select|button|textarea)\b/g, '<$1 disabled')

/**
 * The public front page with what was chosen and found, drawn as visitors will see it, for a frame in which
 * links do nothing.
 */
export function previewedPage({ context, shell }: EditorContext, events: readonly PreviewedEvent[]): string {
  const site = pageContextOf({ ...context, caller: ANONYMOUS })
  const categories = categoriesOf(events)
  return pictureOf(
    shell.frontPage(site, {
      events: events.map((event, i) => listedEvent(event, i, categories)),
      categories,
    }),
  )
}
