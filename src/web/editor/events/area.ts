import { wordsOf } from '../../../words/words.ts'
import type { Area } from '../area.ts'
import { duplicateAction, trashAction } from './actions.ts'
import { bulkAction } from './bulk.ts'
import { eventForm } from './edit.ts'
import { findPage } from './find.ts'
import { listPage } from './list.ts'
import { startCard } from './start.ts'

/** Events: their list, their form, and what is done with several of them. */
export const eventsArea: Area = {
  routes: [listPage, bulkAction, findPage, ...eventForm, duplicateAction, trashAction],
  menu: [
    {
      path: '/admin/events/',
      label: language => wordsOf(language).events,
      requires: 'edit_content',
    },
  ],
  start: [{ requires: 'edit_content', query: startCard }],
}
