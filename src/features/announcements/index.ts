import { defineFeature } from '../../feature.ts'
import { announcementArea } from './area.ts'
import { announcementRoutes } from './routes.ts'
import catalogues from './words/catalogues.cjs'
import type en from './words/en.json'
import type { TextsWithValues } from './words/texts-with-values.ts'

declare module '../../words/words.ts' {
  interface FeatureTexts {
    announcements: typeof en & TextsWithValues
  }
}

/** Texts that somebody pastes, read as drafts of events. */
export const announcementsFeature = defineFeature({
  name: 'announcements',
  words: catalogues,
  routes: announcementRoutes,
  area: announcementArea,
})
