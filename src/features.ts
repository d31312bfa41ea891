import type { Feature } from './feature.ts'
import { announcementsFeature } from './features/announcements/index.ts'
import { feedsFeature } from './features/feeds/index.ts'
import { inboxFeature } from './features/inbox/index.ts'
import { lettersFeature } from './features/letters/index.ts'
import { mcpFeature } from './features/mcp/index.ts'
import { picksFeature } from './features/picks/index.ts'
import { registrationsFeature } from './features/registrations/index.ts'
import { sourcesFeature } from './features/sources/index.ts'
import { submissionsFeature } from './features/submissions/index.ts'
import { tecFeature } from './features/tec/index.ts'
import { webhooksFeature } from './features/webhooks/index.ts'
import { wordpressFeature } from './features/wordpress/index.ts'
import { startFeatures } from './kit/lib/started-features.ts'

/**
 * The features of this calendar, in the order of the menu and of the documentation. The table in
 * `.github/mechanisms/features.md` says what else goes with the line of a feature, and which one can't be
 * removed.
 */
const FEATURE_LIST = [
  feedsFeature,
  sourcesFeature,
  announcementsFeature,
  picksFeature,
  lettersFeature,
  webhooksFeature,
  tecFeature,
  wordpressFeature,
  mcpFeature,
  registrationsFeature,
  submissionsFeature,
  inboxFeature,
] as const

export const FEATURES: readonly Feature[] = FEATURE_LIST

declare module './kit/lib/started-features.ts' {
  interface Features {
    each: (typeof FEATURE_LIST)[number]
  }
}

startFeatures(FEATURES)
