import type { ListedEvent } from '../calendar/events/listed-events.ts'
import type { RequestContext } from '../kit/context.ts'
import type { Query } from '../kit/db/query.ts'
import type { Capability, Role } from '../kit/lib/roles.ts'
import { type DateTime, toWall } from '../kit/lib/time.ts'
import type { Settings } from '../kit/settings.ts'
import type { PageContext } from '../site/html/page-context.ts'
import type { Category } from '../site/html/queries.ts'
import { shortMoment } from '../site/html/when.ts'
import type { Catalogue } from '../words/words.ts'

/**
 * A group of entries is one item of the menu, with tabs between its pages; the entries of `more` have a menu
 * of their own.
 */
type MenuGroup = 'places' | 'settings' | 'more'

/** An entry of the editor's menu, shown to users with the capability. */
export type MenuEntry = {
  /** The prefix of the paths on which the entry is current: `/admin/events/`. */
  path: string
  label: (texts: Catalogue) => string
  requires: Capability
  group?: MenuGroup
  /**
   * The query for the number of waiting items, up to `MAX_WAITING`. It is part of the round trip of each
   * page.
   */
  selectCount?: Query<number>
  /** False if the menu leaves it out. Entries without this are always shown. */
  isShown?: (visit: VisitorContext) => boolean
}

/** The highest number that the menu shows, followed by a plus. */
export const MAX_WAITING = 20

/** A number of waiting items, which are counted only up to a limit. */
export const countText = ({ dates }: Pick<PageContext, 'dates'>, n: number): string =>
  n < MAX_WAITING ? dates.number(n) : `${dates.number(MAX_WAITING)}+`

/**
 * The shell of every page of the editor: its menu, and the links that areas and features add to other
 * pages.
 */
export type EditorShell = {
  menu: readonly MenuEntry[]
  /** Pages that make a new event in other ways than by an empty form. */
  otherNewPages: readonly MenuEntry[]
  /** Pages about one event. Its id follows their paths. */
  eventPages: readonly Pick<MenuEntry, 'path' | 'label' | 'isShown'>[]
  /** What else deleting items for good does, as notes for the page that asks; '' if nothing. */
  deletionNotes: readonly ((
    editor: EditorContext,
    items: readonly { kind: string; id: number }[],
  ) => Promise<string>)[]
  /** Draws the public front page as HTML, with events and categories that need not be stored. */
  frontPage: (site: PageContext, content: { events: ListedEvent[]; categories: Category[] }) => string
}

export type Session = {
  id: number
  /** The time of the sign-in, UTC. */
  begun: DateTime
  user: { id: number; login: string; name: string; role: Role }
}

/**
 * A short text above the next page, after an action. It is escaped; a link of this site, such as one to undo,
 * may follow. `saved` is the address of a form whose input is saved, so that the browser deletes its draft of
 * it; it may come without a text. A link that is a button acts at once: it undoes without the page that asks,
 * or signs the user out elsewhere.
 */
export type Notice = {
  text: string
  /** True if nothing was done. */
  isWarning?: true
  link?: { href: string; text: string; isButton?: true }
  saved?: string
}

export const UNDO_PATH = '/admin/undo/'
/** The address of the button that signs a user out everywhere else. */
export const END_OTHERS_PATH = '/admin/account/sessions/others/end/'

/** The context of a request to the editor by anybody, signed in or not, such as for the sign-in. */
export type VisitorContext = {
  /** Its caller is the user of the session, or anonymous. */
  context: RequestContext
  site: PageContext
  /** A tag of BCP 47. */
  language: string
  /** The language of the browser, as a tag: pages for people who are not signed in use it. */
  browserLanguage: string
  /** The language of the editor's pages with these settings: the browser's language until one is chosen. */
  languageWith: (settings: Settings) => string
  texts: Catalogue
  words: Catalogue['frame']
  path: string
  shell: EditorShell
  session: Session | undefined
  /**
   * The token that forms carry in a hidden field (`form` of site/forms/field-html.ts). It is bound to the
   * session or, without one, to the visit.
   */
  token: string
  notice: Notice | undefined
  /** The counts of waiting items in the menu, by the paths of its entries; absent for actions. */
  counts?: ReadonlyMap<string, string>
}

/** The context of a request by a signed-in user: the first argument of the editor's pages and actions. */
export type EditorContext = VisitorContext & { session: Session }

export const roleName = ({ words }: VisitorContext, role: Role): string =>
  words[role === 'editor' ? 'editorRole' : role]

/** The date of an instant, in words and in the calendar's zone. @param utc the instant, UTC */
export const dayOfMoment = ({ site, context }: VisitorContext, utc: DateTime): string =>
  site.dates.format('date', toWall(utc, context.settings.timezone))

/** The date and time of an instant, in words and in the calendar's zone. @param utc the instant, UTC */
export const momentOf = ({ site: { dates, context } }: VisitorContext, utc: DateTime): string =>
  dates.moment('date', toWall(utc, context.settings.timezone))

/** A shorter form of {@link momentOf}, for lists of recent items. */
export const shortMomentOf = (visit: VisitorContext, utc: DateTime): string =>
  shortMoment(visit.site, toWall(utc, visit.context.settings.timezone))
