import { historyWords } from '../../../words/words.ts'
import type { Area } from '../area.ts'
import { undoRoutes } from '../undo/routes.ts'
import { historyRoute } from './page.ts'

/** The history of everything, and undoing. */
export const historyArea: Area = {
  routes: [historyRoute, ...undoRoutes],
  menu: [
    { path: '/admin/history/', label: language => historyWords(language).history, requires: 'edit_content' },
  ],
}
