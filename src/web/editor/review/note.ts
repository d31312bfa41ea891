import { filled, reviewWords } from '../../../words/words.ts'
import { type Html, html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import { momentOf } from '../moments.ts'
import type { ReviewNote } from './notes.ts'

/** The note with which an event was sent back, as its author sees it at its form and in the list. */
export const noteView = (admin: Admin, note: ReviewNote): Html =>
  html`<div class="review-note"><p>${filled(reviewWords(admin.language).noteOf, { login: note.login, when: momentOf(admin, note.at_utc) })}</p>
<blockquote>${note.note}</blockquote></div>`
