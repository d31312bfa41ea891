import type { SQL } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Hono, MiddlewareHandler } from 'hono'
import type { InBackup } from './calendar/content/backup-tables.ts'
import type { References } from './calendar/content/dependents.ts'
import type { Report } from './calendar/imports/report.ts'
import type { ConfirmedAddresses } from './calendar/users/email.ts'
import type { HistoryKind } from './editor/history/queries.ts'
import type { Area } from './editor/pages-and-actions.ts'
import type { CronRun, DocsContext, Mailer, RequestContext } from './kit/context.ts'
import type { Database } from './kit/db/database.ts'
import type { Statement } from './kit/db/query.ts'
import type { FeatureKind } from './kit/db/tables.ts'
import type { DocumentedRoute } from './kit/docs/openapi.ts'
import type { AppEnv } from './kit/env.ts'
import type { Route } from './kit/http/route.ts'
import type { ErrorTable } from './kit/lib/error-codes.ts'
import type { ManagingRole } from './kit/lib/roles.ts'
import { assertKnownFeatures, isFeatureOn, type Settings } from './kit/settings.ts'
import type { DueRows } from './kit/work/due-rows.ts'
import type { Transport } from './readers/http.ts'
import type { VisitorPage } from './site/forms/visitor-pages.ts'
import type { MountPage } from './site/html/define-page.ts'
import type { Slots } from './site/html/slots.ts'
import type { Catalogues } from './words/words.ts'

/** A run of the cron. `mailer` is undefined if the calendar sends no e-mails. */
export type TaskRun = CronRun & { mailer: Mailer | undefined }

/** A task of the cron, which runs if it is due and the allowance permits. */
export type Task = {
  name: string
  dueSql: SQL
  work: () => Promise<unknown>
  /**
   * True for a task that adds events. The search for duplicates usually runs after it, so that it compares
   * the new events too. This is not always so, because each minute begins with a different task.
   */
  bringsEvents?: true
  /**
   * When it runs: while its feature is switched on, which is the default, while it is off, or always. Tasks
   * of a feature that is off drop what would come too late once it is on again.
   */
  runsWhile?: 'off' | 'always'
}

/** A task that writes some statements in one transaction. */
export const writingTask = (
  db: Database,
  { statements, ...task }: Omit<Task, 'work'> & { statements: readonly Statement[] },
): Task => ({ ...task, work: () => db.writeIfAllowed(task.name, statements) })

/** A calendar that the database knows, to be read to its end at once. */
export type StoredImport = {
  /** Opens an executor. Each batch has its own, like an invocation of the cron. */
  open: () => Database
  settings: Settings
  id: number
  transport: Transport
  /** Called after each batch, with the number of finished records, and the least number of all records. */
  progress: (done: number, expected: number) => void
}

/** An e-mail to this calendar, which the feature takes unless it calls `setReject`. */
export type IncomingMail = Pick<ForwardableEmailMessage, 'from' | 'to' | 'raw' | 'rawSize' | 'setReject'>

/** The reason given to the other side if nobody takes e-mails. */
export const NO_MAILS = 'This calendar does not accept e-mails.'

/**
 * What became of an e-mail, for the log: the number of its events, or the code of the reason why it was
 * refused.
 */
export type IncomingOutcome = { events: number } | { refused: string }

type RoutesByNamespace = Readonly<Record<string, readonly Route[]>>

/**
 * All routes of an app: `routes` below its own namespace, and those of features below `otherNamespaces`.
 */
export type ApiRoutes = { routes: readonly Route[]; otherNamespaces: RoutesByNamespace }

type Tables = Readonly<Record<string, SQLiteTable>>

/** What a feature adds to names that the compiler knows. */
type Declared = {
  errors?: ErrorTable
  /** The lowest role that has each capability. */
  capabilities?: Readonly<Record<string, ManagingRole>>
  words?: Catalogues
  /** The fields of its resources, each of which needs a label among the words. */
  fields?: Readonly<Record<string, object>>
  /** Its resources in the audit and the history of changes. */
  history?: Readonly<Record<string, HistoryKind>>
}

/**
 * A feature: anything besides events, venues, organizers and users that can be switched off or removed. Its
 * members are read or called:
 *
 * - when `features.ts` is imported: `tables`, `backup`, `references`, `declares`, `docTags`, and the members
 *   of {@link Slots}
 * - when `app.ts` makes an app, in this order: `middleware`, `area`, `forms`, `routes`, `mount`, `pages`.
 *   Without pages, `area` and `pages` are left out
 * - on demand: `namespaces` and `documented` for documents of the API, `addresses` for a link in an e-mail,
 *   `importStored` for a command, `email` for an e-mail to the calendar
 * - every minute, by `cron.ts`: `tasks` and `expired`
 */
type FeatureOf<T extends Tables, D> = Slots & {
  name: string
  /** Its tables by their names in the code, and how backups contain the rows of each, or why they don't. */
  tables?: T
  backup?: { readonly [K in keyof T]: InBackup<T[K]> | string }
  /**
   * The columns of its tables that hold ids, and what happens to the rows when the content is deleted, merged
   * or copied.
   */
  references?: References<T>
  declares?: D
  /**
   * Its routes below the namespaces, in the order of the documentation. `docTags` says what each first part
   * of a path is about.
   */
  routes?: readonly Route[]
  docTags?: Readonly<Record<string, string>>
  /** Middleware for every request. It runs once the database is open, before the requests are logged. */
  middleware?: MiddlewareHandler<AppEnv>
  /**
   * Its routes below other namespaces of WordPress. The index of WordPress lists them if the feature is on.
   * The feature mounts them itself.
   */
  namespaces?: RoutesByNamespace
  /**
   * Mounts handlers at addresses outside the namespaces. It runs after the routes of the namespaces are
   * mounted.
   */
  mount?: (app: Hono<AppEnv>, settings: Settings, api: ApiRoutes) => void
  /** The routes outside the namespaces that the OpenAPI document describes, with their servers. */
  documented?: (context: DocsContext, api: ApiRoutes) => readonly DocumentedRoute[]
  /**
   * Pages with forms for visitors, by the path that all of them begin with. They come before the middleware
   * of the API. While the feature is off, or the calendar has no pages, only their `whileOff` are there.
   */
  forms?: Readonly<Record<string, readonly VisitorPage[]>>
  /**
   * The routes of this feature that erase personal data. They work even while the feature is off; then no
   * document describes them.
   */
  erasing?: readonly Route[]
  pages?: readonly MountPage[]
  /** Its pages in the editor. */
  area?: Area
  /** The e-mail addresses of its rows that a link confirms, by kind of row. */
  addresses?: { readonly [K in FeatureKind]?: ConfirmedAddresses }
  /** Reads a calendar that the database knows to its end, for `npm run import`. */
  importStored?: (reading: StoredImport) => Promise<Report>
  /**
   * Takes an e-mail that Email Routing leads to the Worker: the first feature that has this and is switched
   * on gets it.
   *
   * @throws Error for what may succeed later: the other side tries again
   */
  email?: (context: RequestContext, mail: IncomingMail) => Promise<IncomingOutcome>
  tasks?: (run: TaskRun) => readonly Task[]
  /** Rows that are deleted after some time, also while the feature is off. */
  expired?: (nowMs: number) => readonly DueRows[]
}

export type Feature<D = Declared> = FeatureOf<Tables, D>

declare module './kit/lib/started-features.ts' {
  interface Features {
    feature: Feature
  }
}

/**
 * Declares a feature. The compiler demands that backups contain each of its tables or give a reason, and that
 * no language lacks a text.
 */
export const defineFeature = <const T extends Tables, W extends object, D extends Declared>(
  feature: FeatureOf<T, D & { words?: Catalogues<W> }>,
): Feature<D> =>
  // The general type of features only has the names of their tables.
  feature as Feature<D>

/**
 * The features that the settings leave switched on.
 *
 * @throws Error if the settings name a feature that does not exist
 */
export function switchedOn(features: readonly Feature[], settings: Settings): readonly Feature[] {
  assertKnownFeatures(
    settings,
    features.map(({ name }) => name),
  )
  return features.filter(({ name }) => isFeatureOn(settings, name))
}
