import { defineFeature } from '../../feature.ts'
import { eventFeeds } from './links.ts'
import { feedRoutes } from './routes.ts'
import catalogues from './words/catalogues.cjs'
import type en from './words/en.json'
import type { TextsWithValues } from './words/texts-with-values.ts'

declare module '../../words/words.ts' {
  interface FeatureTexts {
    feeds: typeof en & TextsWithValues
  }
}

/** The events of a list as a calendar to subscribe to, as news, as a spreadsheet and as a text for mail. */
export const feedsFeature = defineFeature({
  name: 'feeds',
  words: catalogues,
  routes: feedRoutes,
  eventFeeds,
})
