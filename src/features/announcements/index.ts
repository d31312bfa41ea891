import { selectNames } from '../../calendar/content/related/queries.ts'
import { defineFeature, type Feature } from '../../feature.ts'
import { defineWrite } from '../../kit/http/define-write.ts'
import { ok } from '../../kit/http/reply.ts'
import type { Route } from '../../kit/http/route.ts'
import { invalidParams } from '../../kit/lib/errors.ts'
import { parseDate } from '../../kit/lib/parse-date.ts'
import { MISSING } from '../../kit/lib/reasons.ts'
import { toEpoch } from '../../kit/lib/time.ts'
import { readInCalendar } from '../../readers/announcement.ts'
import { announcementArea } from './area.ts'
import { draftRequest, draftsSchema } from './schema.ts'
import words from './words.ts'

/** Reads a text, and writes nothing: its sender decides what becomes an event. */
const draftRoute = defineWrite({
  methods: ['POST'],
  path: '/events/draft',
  summary: 'Find the events that a text announces. Nothing is written',
  requires: 'edit_content',
  body: draftRequest,
  responses: { 200: draftsSchema },
  load: selectNames,
  prepare: (_, names, { body }, errors) => {
    errors.throwIfAny()
    if (body.text === undefined) throw invalidParams(new Map([['text', MISSING]]))
    return { ...body, text: body.text, names }
  },
  handle: (context, { prepared: { text, timezone = context.settings.timezone, now, names } }) => {
    const writtenAt = now && parseDate(now, timezone, toEpoch(context.clock.now()))?.wall
    const { hasMore, ...found } = readInCalendar(context, names, { text, timezone, writtenAt })
    return ok({ ...found, has_more: hasMore })
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
