import { defineFeature, type Feature } from '../../feature.ts'
import { PICKS_PATH, picksPage, pickTemplate } from './page.ts'
import { restStatements, separatedStatements, unreadLists } from './queries.ts'
import { pickRoutes } from './routes.ts'
import { pickLists } from './tables.ts'
import words from './words.ts'

const DECLARED = {
  errors: {
    404: {
      'rest-pick-list-not-found': 'There is no such list of picks, or it has ended.',
    },
  },
  words,
} as const

/**
 * Picks: hearts in the browser, a page that shows what visitors keep, and lists that calendar programs
 * subscribe to.
 */
export const picksFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'picks',
  declares: DECLARED,
  tables: { pickLists },
  references: {
    // Pages and calendars read the current events, and name those that are gone: ids are never reused.
    pickLists: {
      ids: { event: {} },
      series: { series: { copyStatements: restStatements, separationStatements: separatedStatements } },
    },
  },
  routes: pickRoutes,
  docTags: { picks: 'Lists of events that somebody keeps, without an account.' },
  pages: [picksPage],
  siteLinks: ({ words }) => [{ href: PICKS_PATH, text: words.picks }],
  pageEnd: pickTemplate,
  expired: nowMs => [unreadLists(nowMs)],
})
