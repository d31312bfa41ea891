import type { ListedEvent } from '../../calendar/events/listed-events.ts'
import type { PageContext } from './page-context.ts'
import type { Category } from './queries.ts'

/** The events and categories of a front page that are not stored yet. */
type FrontEvents = { events: ListedEvent[]; categories: Category[] }

/**
 * Draws the front page as HTML. The app hands this function of the pages to the editor, which does not know
 * them.
 */
export type FrontPage = (site: PageContext, content: FrontEvents) => string

const END_OF_SCRIPT = '</script>'

/**
 * A document as a static picture for a frame: scripts, links, buttons and inputs are disabled, because
 * nothing is saved yet.
 *
 * @param document HTML of our templates, in which attributes have no `>` and no quotes
 */
export const pictureOf = (document: string): string =>
  document
    .split('<script')
    .map((part, i) => (i === 0 ? part : part.slice(part.indexOf(END_OF_SCRIPT) + END_OF_SCRIPT.length)))
    .join('')
    .replace(/<a\b[^<>]*>/g, link => link.replace(/ href="[^"]*"/, ''))
    .replace(/<(input|select|button|textarea)\b/g, '<$1 disabled')
