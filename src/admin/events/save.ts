import { mapped, together } from '../../db/query.ts'
import { EVENTS } from '../../events/kind.ts'
import { SCOPES, type Scope } from '../../events/recurrence/fields.ts'
import type { ApiError } from '../../lib/errors.ts'
import type { Admin } from '../admin.ts'
import { idIn } from '../content/resource.ts'
import { type Entries, entry, withEntries } from '../forms/entries.ts'
import { EVENT_FORM } from '../forms/forms.ts'
import { carried, changedValues, type Posted } from '../forms/posted.ts'
import { type FormResource, takeForm } from '../forms/resource.ts'
import { KNOWN } from '../repetition/controls.ts'
import { scopeQuestion } from '../repetition/scope.ts'
import type { Outcome } from '../respond.ts'
import { publishPlaces } from '../review/decide.ts'
import { defineAction } from '../route.ts'
import { assertEditableEvent, eventById, formBody, knownEvent, seriesStart, withShown } from './edit.ts'
import { eventFormPage, formPath, type KnownEvent, NEW_PATH } from './form-page.ts'
import { previewPage } from './preview.ts'

const scopeIn = (entries: Entries): Scope | undefined => SCOPES.find(name => name === entry(entries, 'scope'))

/** A preview, or the question which dates of a series a change is for. */
async function instead(
  admin: Admin,
  posted: Posted,
  id: number | undefined,
): Promise<Outcome | ApiError | undefined> {
  if (posted.action === 'preview') return previewPage(admin, posted, id)
  const { entries, version } = posted
  if (id === undefined || scopeIn(entries) || !entries.has(KNOWN)) return undefined
  return scopeQuestion(admin, {
    id,
    version,
    bodyOf: scope =>
      changedValues(admin.context, EVENT_FORM, { entries: withEntries(entries, [['scope', [scope]]]) }),
    action: formPath(id),
    carried: carried(posted),
  })
}

const EVENT: FormResource<KnownEvent> = {
  form: EVENT_FORM,
  collection: '/events',
  kind: 'event',
  nameField: 'title',
  address: formPath,
  stored: (admin, id) =>
    mapped(
      together({ row: eventById(admin.context, id), first: seriesStart(id) }),
      ({ row: found, first }) =>
        () => {
          const row = assertEditableEvent(admin.context, found)
          const body = EVENTS.serialize(row, admin.context)
          return {
            body: formBody(body, row, first),
            version: row.version,
            title: knownEvent(admin, row).title,
            known: knownEvent(admin, row),
            withShown: choices => withShown(choices, body),
          }
        },
    ),
  page: (admin, state, shown) => eventFormPage(admin, state, shown && (shown.known ?? shown), true),
  instead,
  // A draft may have come with a venue that is one too, without which the event would say nothing of its place.
  onStatus: (admin, reply) => publishPlaces(admin, [reply]),
  more: ({ entries }, id) => {
    const scope = scopeIn(entries)
    return id !== undefined && scope ? { scope } : {}
  },
}

/** Takes the form of a new event. */
export const createAction = defineAction({
  path: NEW_PATH,
  requires: 'edit_content',
  handle: (admin, { form: data }) => takeForm(admin, EVENT, { data, id: undefined }),
})

/** Takes the form of an event. */
export const updateAction = defineAction({
  path: '/admin/events/:id{[0-9]+}/',
  requires: 'edit_content',
  handle: (admin, { form: data, params }) => takeForm(admin, EVENT, { data, id: idIn(params) }),
})
