import { defineFeature } from '../../feature.ts'
import type { TextsOf } from '../../words/words.ts'
import { eventFeeds } from './links.ts'
import { feedRoutes } from './routes.ts'
import catalogues from './words/catalogues.ts'

declare module '../../lib/features.ts' {
  interface Features {
    feeds: {
      words: TextsOf<typeof catalogues>
    }
  }
}

/** The events of a list as a calendar to subscribe to, as news, as a spreadsheet and as a text for mail. */
export const feedsFeature = defineFeature({
  name: 'feeds',
  words: catalogues,
  routes: feedRoutes,
  eventFeeds,
})
