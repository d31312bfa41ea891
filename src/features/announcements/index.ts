import { defineFeature } from '../../feature.ts'
import type { TextsOf } from '../../words/words.ts'
import { announcementArea } from './area.ts'
import { announcementRoutes } from './routes.ts'
import catalogues from './words/catalogues.ts'

declare module '../../lib/features.ts' {
  interface Features {
    announcements: {
      words: TextsOf<typeof catalogues>
    }
  }
}

/** Texts that somebody pastes, read as drafts of events. */
export const announcementsFeature = defineFeature({
  name: 'announcements',
  words: catalogues,
  routes: announcementRoutes,
  area: announcementArea,
})
