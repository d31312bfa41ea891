import type { RequestContext } from '../../context.ts'
import type { Query } from '../../db/query.ts'
import type { Capability, Role } from '../../lib/roles.ts'
import { type DateTime, toWall } from '../../lib/time.ts'
import type { Settings } from '../../settings.ts'
import type { FrameWords } from '../../words/words.ts'
import type { Site } from '../html/site.ts'

/** An entry of the editor's menu, shown to those who may. */
export type MenuEntry = {
  /** The start of the paths that it is current on: `/admin/events/`. */
  path: string
  label: (language: string) => string
  requires: Capability
  /** Counts what waits there, up to `MOST_WAITING`, in the trip of each page. */
  count?: Query<number>
}

/** The most that the menu counts: more of it is just more. */
export const MOST_WAITING = 20

/** What all routes of the editor are mounted with. */
export type Frame = { settings: Settings; menu: readonly MenuEntry[] }

/** A session of somebody who is signed in. */
export type Session = {
  id: number
  /** When its user signed in, UTC. */
  begun: DateTime
  user: { id: number; login: string; role: Role }
}

/** A short text above the next page, after something was done. It is escaped; a link, such as one to undo, may follow. */
export type Notice = { text: string; link?: { href: string; text: string } }

/** A request by somebody who may be signed in or not: the first argument of what makes pages. */
export type Visit = {
  /** The caller is the user of the session, or anonymous. */
  context: RequestContext
  site: Site
  /** A BCP 47 tag. */
  language: string
  /** The words of the frame. */
  words: FrameWords
  /** The path that was asked for. */
  path: string
  frame: Frame
  session: Session | undefined
  /** What forms carry in a hidden field: see `form` of form.ts. It is bound to the session, or else to the visit. */
  token: string
  notice: Notice | undefined
  /** What waits at the entries of the menu, by their paths, of a page that was asked for. */
  counts?: ReadonlyMap<string, string>
}

/** A request by somebody who is signed in: the first argument of pages and actions. */
export type Admin = Visit & { session: Session }

/** The name of a role in the language of the pages. */
export const roleName = ({ words }: Pick<Visit, 'words'>, role: Role): string =>
  words[role === 'editor' ? 'editorRole' : role]

/** The day of an instant in UTC, in words, as it is where the calendar is. */
export const dayOf = ({ site, context }: Pick<Visit, 'site' | 'context'>, utc: DateTime): string =>
  site.dates.format('date', toWall(utc, context.settings.timezone))

/** The day and time of an instant in UTC, as people there say it. */
export const momentOf = (
  { site: { dates, context } }: Pick<Visit, 'site'>,
  utc: DateTime,
  format: 'date' | 'shortDay' = 'date',
): string => {
  const wall = toWall(utc, context.settings.timezone)
  return `${dates.format(format, wall)}, ${dates.clock(wall)}`
}

/** The same for lists of what was lately. */
export const shortMomentOf = (visit: Pick<Visit, 'site'>, utc: DateTime): string =>
  momentOf(visit, utc, 'shortDay')
