import { ok } from '../../http/reply.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { readAnnouncement } from '../../intake/readers/text/drafts.ts'
import { invalidParams } from '../../lib/errors.ts'
import { parseDate } from '../../lib/parse-date.ts'
import { coded } from '../../lib/reasons.ts'
import { toEpoch, toWall } from '../../lib/time.ts'
import { selectKnown } from './known.ts'
import { draftRequest, draftsSchema } from './schema.ts'

/** Reads a text, and writes nothing: whoever sent it decides what becomes an event. */
const draftRoute = defineRoute({
  methods: ['POST'],
  path: '/events/draft',
  summary: 'Find the events that a text announces. Nothing is written',
  requires: 'edit_content',
  body: draftRequest,
  responses: { 200: draftsSchema },
  load: context => selectKnown(context),
  prepare: (_, known, { body }, errors) => {
    errors.throwIfAny()
    if (body.text === undefined)
      throw invalidParams(new Map([['text', coded('missing', 'must not be empty')]]))
    return { ...body, text: body.text, known }
  },
  handle: (context, { prepared: { text, timezone = context.settings.timezone, now, known } }) => {
    const writtenAt = now === undefined ? undefined : parseDate(now, timezone, toEpoch(context.now))?.wall
    const today = (writtenAt ?? toWall(context.now, timezone)).slice(0, 10)
    return ok(
      readAnnouncement(text, { ...known, today, timezone, currency: context.settings.currency.symbol }),
    )
  },
})

export const announcementRoutes: readonly Route[] = [draftRoute]
