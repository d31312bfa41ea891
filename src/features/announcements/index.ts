import { selectNames } from '../../calendar/content/related/queries.ts'
import { defineFeature, type Feature } from '../../feature.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { ok } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { ApiError, invalidParams } from '../../kit/lib/errors.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { MISSING } from '../../kit/lib/reasons.ts'
import { toEpoch } from '../../kit/lib/time.ts'
import { countsOfUserText, readInCalendar } from '../../readers/announcement.ts'
import { announcementArea } from './area.ts'
import { draftRequest, draftsSchema } from './schema.ts'
import words from './words.ts'

/** Reads a text, and writes nothing but how many were read: its sender decides what becomes an event. */
const draftRoute = defineWrite({
  methods: ['POST'],
  path: '/events/draft',
  summary: 'Find the events that a text announces. Nothing is written',
  requires: 'edit_content',
  asksElsewhere: true,
  body: draftRequest,
  responses: { 200: draftsSchema },
  errors: ['rest_model_failed'],
  load: selectNames,
  prepare: (_, names, { body }, errors) => {
    errors.throwIfAny()
    if (body.text === undefined) throw invalidParams(new Map([['text', MISSING]]))
    return { ...body, text: body.text, names }
  },
  handle: async (context, { prepared: { text, timezone = context.settings.timezone, now, names } }) => {
    const writtenAt = now && parseDate(now, timezone, toEpoch(context.clock.now()))?.wall
    const counts = countsOfUserText(context.settings, context.caller.id)
    const found = await readInCalendar(context, names, { text, timezone, writtenAt, counts })
    if (found.missing instanceof ApiError) throw found.missing
    const { drafts, ignored, hasMore, readBy } = found
    return ok({ drafts, ignored, has_more: hasMore, read_by: readBy })
  },
})

const announcementRoutes: readonly Route[] = [draftRoute]

const DECLARED = { words } as const

/** Texts that somebody pastes, read as drafts of events. */
export const announcementsFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'announcements',
  declares: DECLARED,
  routes: announcementRoutes,
  area: announcementArea,
})
