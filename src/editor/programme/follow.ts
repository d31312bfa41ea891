import { eq } from 'drizzle-orm'
import { combineQueries, first } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { events } from '../../kit/db/tables.ts'
import { EVENT_STATUSES, type EventStatus } from '../../kit/lib/statuses.ts'
import { DAY_MS, dayNumber, laterByClock, msByClock, startOfDay, type Wall } from '../../kit/lib/time.ts'
import { type Entries, entry } from '../../site/forms/entries.ts'
import { form, optionsField } from '../../site/forms/field-html.ts'
import { hiddenInputs } from '../../site/forms/render.ts'
import { formTimesIn } from '../../site/forms/repetition/control.ts'
import { type Html, html } from '../../site/html/html.ts'
import { countedText } from '../../site/html/page-context.ts'
import type { EditorContext } from '../context.ts'
import type { EditorPage } from '../layout.ts'
import { notePage } from '../respond.ts'
import { type Part, selectParts } from './parts.ts'

// Moving or cancelling an event asks if its parts follow.

/** The input with the answer: 1 if the parts follow. */
export const FOLLOW_INPUT = 'parts_follow'
/** The inputs with the change: the milliseconds by which parts move, and their old and new status. */
const SHIFT_INPUT = 'parts_shift'
const STATUS_INPUT = 'parts_status'

/** The change of an event that its parts follow. */
export type FollowedChange = { shift: number; from: EventStatus | undefined; to: EventStatus | undefined }

/** The change that the parts follow; undefined if they stay as they are. */
export function followingIn(entries: Entries): FollowedChange | undefined {
  if (entry(entries, FOLLOW_INPUT) !== '1') return undefined
  const shift = Number(entry(entries, SHIFT_INPUT))
  const [from, to] = entry(entries, STATUS_INPUT)
    .split(' ')
    .map(name => EVENT_STATUSES.find(status => status === name))
  return { shift: Number.isSafeInteger(shift) && Math.abs(shift) < 36_500 * DAY_MS ? shift : 0, from, to }
}

/** The values that a part gets by following. @param isMoved true if its time was typed */
export function valuesByFollowing(
  { start_date, end_date, event_status }: Part,
  { shift, from, to }: FollowedChange,
  isMoved: boolean,
): Readonly<Record<string, unknown>> {
  return {
    ...(shift !== 0 &&
      !isMoved && { start_date: laterByClock(start_date, shift), end_date: laterByClock(end_date, shift) }),
    ...(to && event_status === from && { event_status: to }),
  }
}

/** The milliseconds between two starts: by whole days if the day changes. */
function shiftBetween(from: Wall, to: Wall): number {
  const days = dayNumber(to) - dayNumber(from)
  return days === 0 ? msByClock(from, to) : days * DAY_MS
}

/**
 * The page that asks if the parts follow, before an event moves or is cancelled; undefined if there is
 * nothing to ask.
 */
export async function followQuestion(
  editor: EditorContext,
  { entries, id, action }: { entries: Entries; id: number; action: string },
): Promise<EditorPage | undefined> {
  const { context, texts } = editor
  const times = formTimesIn(entries, context)
  if (entries.has(FOLLOW_INPUT) || !times) return undefined
  const { stored, parts } = await context.db.read(
    combineQueries({
      stored: first(
        build
          .select({ start: events.start_date, status: events.event_status })
          .from(events)
          .where(eq(events.id, id)),
      ),
      parts: selectParts(context, id),
    }),
  )
  const editableParts = parts.filter(({ isEditable }) => isEditable)
  if (!stored || editableParts.length === 0) return undefined
  const shift = shiftBetween(stored.start, times.all_day ? startOfDay(times.start) : times.start)
  const status = entry(entries, 'event_status') || stored.status
  const isCancellationChanged = status !== stored.status && [status, stored.status].includes('canceled')
  if (shift === 0 && !isCancellationChanged) return undefined
  const carriedEntries = new Map([
    ...[...entries].filter(([name]) => name !== 'do'),
    [SHIFT_INPUT, [String(shift)]] as const,
    [STATUS_INPUT, [isCancellationChanged ? `${stored.status} ${status}` : '']] as const,
  ])
  const words = texts.programme
  return followPage(editor, {
    count: editableParts.length,
    label: isCancellationChanged
      ? status === 'canceled'
        ? words.cancelToo
        : words.reinstateToo
      : words.moveToo,
    action,
    carried: carriedEntries,
    buttons: html`<button class="button" type="submit" name="do" value="save">${editor.words.save}</button>
<button class="button button-quiet" type="submit" name="do" value="edit">${texts.event.backToForm}</button>`,
  })
}

type FollowPage = {
  count: number
  label: string
  /** How many dates the action is for, if that has to be said. */
  datesText?: string
  action: string
  carried: Entries
  buttons: Html
}

export function followPage(
  editor: EditorContext,
  { count, label, datesText = '', action, carried, buttons }: FollowPage,
): EditorPage {
  const words = editor.texts.programme
  const options = [
    ['1', label],
    ['0', words.leaveThem],
  ] as const
  return notePage({
    title: words.follow,
    text: `${datesText} ${countedText(editor, words, 'followText', count)}`.trim(),
    body: form(editor, {
      action,
      className: 'stack',
      hasFiles: true,
      body: html`${hiddenInputs(carried)}${optionsField({ id: FOLLOW_INPUT, label: words.follow }, { options, chosen: ['1'] })}
<div class="actions">${buttons}</div>`,
    }),
  })
}
