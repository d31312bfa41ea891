import { historyWords } from '../../../words/words.ts'
import type { Admin } from '../admin.ts'
import type { Outcome } from '../respond.ts'
import { selectUndoState } from './queries.ts'

/** An outcome with a link that undoes what was done, if it can be undone; its notice says so if that would be too much. */
export async function withUndo(admin: Admin, outcome: Outcome): Promise<Outcome> {
  if (!('to' in outcome) || !outcome.notice || outcome.notice.link) return outcome
  const { context, language } = admin
  const state = await context.db.get(selectUndoState(context))
  if (state === 'none') return outcome
  const words = historyWords(language)
  const { notice } = outcome
  if (state === 'too much') return { ...outcome, notice: { text: `${notice.text} ${words.tooMuch}` } }
  const href = `/admin/undo/?request=${encodeURIComponent(context.requestId)}`
  return { ...outcome, notice: { ...notice, link: { href, text: words.undo } } }
}
