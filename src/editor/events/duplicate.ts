import { eq } from 'drizzle-orm'
import { first } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events } from '../../kit/db/tables.ts'
import { keepFormKey, madeByForm } from '../../kit/http/idempotency.ts'
import { decodeEntities } from '../../kit/lib/text.ts'
import { DAY_MS, type DateTime, formatInstant, toEpoch, toWall } from '../../kit/lib/time.ts'
import { formText } from '../../site/forms/field-html.ts'
import { replyValue } from '../../site/forms/requests.ts'
import type { EditorContext } from '../context.ts'
import { defineRequest } from '../pages-and-actions.ts'
import type { Outcome } from '../respond.ts'
import { editPath } from './rows.ts'

const WEEK_MS = 7 * DAY_MS
/** The weeks after which events are usually held again, from the shortest: the next week, four weeks later, the next year. */
const STEPS = [1, 4, 52]
const WEEKS_IN_YEAR = 365.2425 / 7

/**
 * The next plausible start of a copy, on the weekday of the event: a week or four weeks later if that is still to come, otherwise
 * in as many years as it takes.
 *
 * @param start wall time
 * @param now wall time in the same zone
 */
function nextStart(start: DateTime, now: DateTime): DateTime {
  const after = (weeks: number): DateTime => formatInstant(toEpoch(start) + weeks * WEEK_MS)
  const soon = STEPS.map(after).find(moment => moment > now)
  if (soon) return soon
  const years = Math.floor((toEpoch(now) - toEpoch(start)) / (WEEKS_IN_YEAR * WEEK_MS)) + 1
  const next = after(Math.round(years * WEEKS_IN_YEAR))
  return next > now ? next : after(Math.round((years + 1) * WEEKS_IN_YEAR))
}

/** A title with the year of the copy in place of the year of the event. The address is made from it. */
const titleIn = (title: string, from: DateTime, to: DateTime): string =>
  title.replaceAll(new RegExp(`(?<!\\d)${from.slice(0, 4)}(?!\\d)`, 'g'), to.slice(0, 4))

/** The values that a copy should have of its own; none if the event has gone. */
async function proposedFor({ context }: EditorContext, id: number) {
  const stored = await context.db.read(
    first(
      build
        .select({ title: events.title, start: events.start_date, timezone: events.timezone })
        .from(events)
        .where(eq(events.id, id)),
    ),
  )
  if (!stored) return {}
  const start_date = nextStart(stored.start, toWall(context.now, stored.timezone))
  const title = titleIn(stored.title, stored.start, start_date)
  return { start_date, ...(title !== stored.title && { title: decodeEntities(title) }) }
}

const copied = (editor: EditorContext, copy: unknown): Outcome => ({
  to: editPath(Number(copy)),
  notice: { text: editor.texts.event.duplicated },
})

/** Copies an event, once for each page that asks for it, and opens the copy's form. */
export const duplicateAction = defineRequest({
  path: `${editPath(':id{[0-9]+}')}duplicate/`,
  requires: 'edit_content',
  request: async (editor, { id, form }) => {
    const key = formText(form, 'key')
    if (key) {
      const copy = await madeByForm(editor.context, { key, kind: 'event' })
      if (copy !== undefined) return copied(editor, copy)
      keepFormKey(editor.context, key)
    }
    return { method: 'POST', path: `/events/${id}/duplicate`, body: await proposedFor(editor, id) }
  },
  done: (editor, reply) => copied(editor, replyValue(reply, 'id')),
  back: editPath,
})
