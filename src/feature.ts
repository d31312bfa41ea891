import { getTableColumns, type SQL } from 'drizzle-orm'
import type { SQLiteTable } from 'drizzle-orm/sqlite-core'
import type { Hono, MiddlewareHandler } from 'hono'
import { addSubjects, type DocumentedRoute } from './api/docs/openapi.ts'
import type { DocsContext, Mailer, RequestContext } from './context.ts'
import type { Database } from './db/database.ts'
import { addTables } from './db/feature-tables.ts'
import type { FeatureKinds } from './db/schema.ts'
import type { AppEnv } from './env.ts'
import type { DueRows } from './http/due-rows.ts'
import type { Route } from './http/route.ts'
import type { Transport } from './intake/readers/http.ts'
import type { Report } from './intake/sync/report.ts'
import { addErrorCodes, type ErrorTable } from './lib/error-codes.ts'
import { addCapabilities, type FeatureCapabilities } from './lib/roles.ts'
import { addDependents, LIST_FILTERS, type References } from './resources/content/dependents.ts'
import { addStored, type InBackup } from './resources/content/stored.ts'
import { addAddresses, type ConfirmedAddresses } from './resources/users/email.ts'
import { assertFeatures, isFeatureOn, type Settings } from './settings.ts'
import { addHistory, type HistoryKind } from './web/editor/history/kinds.ts'
import { addSenders, type Senders } from './web/editor/review/queries.ts'
import type { Area } from './web/editor/route.ts'
import type { PageRoute } from './web/html/route.ts'
import { addSlots, type Slots } from './web/html/slots.ts'
import { addCatalogues, type Catalogues } from './words/words.ts'

export type CronRun = {
  db: Database
  settings: Settings
  nowMs: number
  /** Undefined if the calendar sends no e-mails. */
  mailer: Mailer | undefined
}

/** A task of the cron, which runs if it is due and the allowance permits. */
export type Task = {
  name: string
  isDue: SQL
  work: () => Promise<unknown>
  /** True for one that brings events: it comes before the search for duplicates, which compares them. */
  bringsEvents?: true
}

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

/** What became of an e-mail, for the log: the number of its events, or the code of the reason why it was refused. */
export type IncomingOutcome = { events: number } | { refused: string }

type RoutesByNamespace = Readonly<Record<string, readonly Route[]>>

/** All routes of an app: those of its own namespace, and those of features below others. */
export type ApiRoutes = { routes: readonly Route[]; others: RoutesByNamespace }

type Tables = Readonly<Record<string, SQLiteTable>>

/**
 * All that the calendar knows about a feature: what stands beside events, venues, organizers and users, and could be taken away. The types of
 * its error codes, capabilities, texts and resources are declared beside it (`declare module`).
 */
type FeatureOf<T extends Tables, W extends object> = Slots & {
  name: string
  /** Its tables by their names in the code, and how backups contain the rows of each, or why they don't. */
  tables?: T
  backup?: { readonly [K in keyof T]: InBackup<T[K]> | string }
  /** Their columns that hold ids, and what becomes of the rows when the content is deleted, merged or copied. */
  references?: References<T>
  errors?: ErrorTable
  /** The role from which on users have each of its capabilities. */
  capabilities?: Partial<FeatureCapabilities>
  words?: Catalogues<W>
  /** Its routes below the namespaces, in the order of the documentation, and what the first parts of their paths are about. */
  routes?: readonly Route[]
  subjects?: Readonly<Record<string, string>>
  /** What surrounds every request, between the opening of the database and the log. */
  middleware?: MiddlewareHandler<AppEnv>
  /** Its routes below other namespaces of WordPress, whose index lists them where they are switched on. It mounts them itself. */
  namespaces?: RoutesByNamespace
  /** Mounts what it has at addresses of its own, after the namespaces. */
  mount?: (app: Hono<AppEnv>, settings: Settings, api: ApiRoutes) => void
  /** Those of its routes at other addresses that the document of the API contains, with their servers. */
  documented?: (context: DocsContext, api: ApiRoutes) => readonly DocumentedRoute[]
  /** Mounts pages with forms for visitors, before the middleware of the API, if the calendar has pages. */
  mountForms?: (app: Hono<AppEnv>) => void
  /**
   * What erases personal data even while the feature is off, or the calendar has no pages: routes, which then are in no document, and pages in place
   * of `mountForms`.
   */
  erasing?: { routes?: readonly Route[]; mount?: (app: Hono<AppEnv>) => void }
  pages?: readonly PageRoute[]
  /** The senders of the events that people without an account send by it. */
  senders?: Senders
  /** Its pages in the editor. */
  area?: Area
  /** Its resources in the history of changes. */
  history?: { readonly [K in keyof FeatureKinds]?: HistoryKind }
  /** E-mail addresses of its rows, which links confirm, by the kinds of these rows. */
  addresses?: { readonly [K in keyof FeatureKinds]?: ConfirmedAddresses }
  /** Reads a calendar that the database knows to its end, for `npm run import`. */
  importStored?: (reading: StoredImport) => Promise<Report>
  /**
   * Takes an e-mail that Email Routing leads to the Worker: the first feature that has this and is switched on gets it.
   *
   * @throws Error for what may succeed later: the other side tries again
   */
  email?: (context: RequestContext, mail: IncomingMail) => Promise<IncomingOutcome>
  tasks?: (run: CronRun) => readonly Task[]
  /** Tasks of the cron while it is switched off, after which it begins anew when it is switched on again. */
  tasksWhileOff?: (run: CronRun) => readonly Task[]
  /** Rows to delete that an index finds: the cron asks every minute whether there are any. */
  expired?: (nowMs: number) => readonly DueRows[]
  /** Rows to delete that no index finds: the cron looks for them every ten minutes. */
  old?: (nowMs: number) => readonly DueRows[]
}

export type Feature = FeatureOf<Tables, object>

/** Declares a feature. The compiler demands that backups contain each of its tables or give a reason, and that no language lacks a text. */
export const defineFeature = <const T extends Tables, W extends object>(feature: FeatureOf<T, W>): Feature =>
  // As one of many, a feature is known by the names of its tables only.
  feature as unknown as Feature

/** Parts of all features by their names, each with the name of its feature. */
const ofFeature = <K extends 'history' | 'addresses'>(features: readonly Feature[], key: K) =>
  Object.fromEntries(
    features.flatMap(feature =>
      Object.entries(feature[key] ?? {}).map(([name, part]) => [name, { ...part, feature: feature.name }]),
    ),
  )

/**
 * The features that the settings leave switched on.
 *
 * @throws Error for a name that none of them has
 */
export function switchedOn(features: readonly Feature[], settings: Settings): readonly Feature[] {
  const names = features.map(({ name }) => name)
  assertFeatures(settings, names)
  return names.every(name => isFeatureOn(settings, name))
    ? features
    : features.filter(({ name }) => isFeatureOn(settings, name))
}

let started: readonly Feature[] | undefined

/**
 * Hands what features add down to the parts of the core, which import none of them. Everything that starts calls this first: the app, the cron,
 * commands and tests. Calling it again does nothing.
 */
export function startFeatures(features: readonly Feature[]): void {
  if (started === features) return
  const all = <K extends keyof Feature>(key: K): NonNullable<Feature[K]>[] =>
    features.map(feature => feature[key]).filter(part => part !== undefined && part !== null)
  addErrorCodes(all('errors'))
  addCapabilities(all('capabilities'))
  addCatalogues(all('words'))
  addTables(Object.assign({}, ...all('tables')))
  addStored(
    Object.fromEntries(
      features.flatMap(({ tables = {}, backup = {} }) =>
        Object.entries(tables).map(([name, table]) => [name, { table, backup: backup[name] ?? {} }]),
      ),
    ),
  )
  addDependents(
    features.flatMap(({ tables = {}, references = {} }) =>
      Object.entries(tables).flatMap(([name, table]) =>
        Object.entries(getTableColumns(table)).flatMap(([key, column]) => {
          const holds = references[name]?.[key]
          return holds === undefined || (holds !== LIST_FILTERS && 'not' in holds)
            ? []
            : [{ table, column, holds }]
        }),
      ),
    ),
  )
  addSubjects(Object.assign({}, ...all('subjects')))
  addSlots(features)
  addSenders(all('senders'))
  addHistory(ofFeature(features, 'history'))
  addAddresses(ofFeature(features, 'addresses'))
  started = features
}
