import { type EditorContext, UNDO_PATH } from '../context.ts'
import type { EditorResponse } from '../respond.ts'
import { selectUndoState } from './queries.ts'

/**
 * Adds to the notice of a response how to undo what was done: a button; a link if undoing asks first; a note
 * if it was too much to undo.
 */
export async function withUndo(editor: EditorContext, response: EditorResponse): Promise<EditorResponse> {
  if ('body' in response || !response.notice || response.notice.link) return response
  const { context, texts } = editor
  const state = await context.db.read(selectUndoState(context))
  if (state === 'none') return response
  const words = texts.history
  const { notice } = response
  const { undoText = words.undo, asksToUndo } = 'to' in response ? response : {}
  if (state === 'too much') return { ...response, notice: { text: `${notice.text} ${words.tooMuch}` } }
  const href = `${UNDO_PATH}?request=${encodeURIComponent(context.requestId)}`
  const link = { href, text: undoText, ...(!asksToUndo && { isButton: true as const }) }
  return { ...response, notice: { ...notice, link } }
}
