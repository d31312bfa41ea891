import { sql } from 'drizzle-orm'
import type { EditorContext, Notice } from '../../editor/context.ts'
import type { EditorPage } from '../../editor/layout.ts'
import {
  type ActionInput,
  type Area,
  defineAction,
  defineEditorPage,
  defineRequest,
} from '../../editor/pages-and-actions.ts'
import type { EditorResponse } from '../../editor/respond.ts'
import type { WriteReply, WriteRequest } from '../../kit/context.ts'
import { isTemporary } from '../../kit/db/failures.ts'
import { combineQueries } from '../../kit/db/query.ts'
import { logCause } from '../../kit/http/error-replies.ts'
import { isAlreadySavedError, withFormKey } from '../../kit/http/idempotency.ts'
import { parseJson, withoutUndefined } from '../../kit/lib/values.ts'
import { asError } from '../../kit/work/error-log.ts'
import { formText } from '../../site/forms/field-html.ts'
import { errorsOf, isDone, reasonsOf, replyValue, submitOrThrow } from '../../site/forms/requests.ts'
import {
  EACH_DATE,
  formerInputName,
  organizersPage,
  REGISTRATIONS_PATH,
  type RefusedForm,
  registrationEntries,
  registrationPath,
  SETTING_NAMES,
  type SettingName,
  type ShownEntries,
  selectOrganizersPage,
} from './editor/page.ts'
import { deletionNote, endPage, personRemovalPage } from './editor/questions.ts'
import { staleForm } from './editor/stale-form.ts'
import { isRegistrationOn } from './limits.ts'
import {
  registrationOf,
  requireEditableOccasion,
  requireManagedOccasion,
  selectOccasionByEvent,
} from './occasion.ts'
import { selectPeopleCount, selectPerson, selectSheet, selectUnconfirmedCount } from './people.ts'
import { SHEET_FILE, SHEET_TYPE, serializeSheet } from './serialize.ts'
import { copyToDates } from './settings.ts'

const requires = 'edit_content'
const EVENT_PATTERN = `${REGISTRATIONS_PATH}:id{[0-9]+}/`

function settingValue(name: SettingName, text: string): string | boolean | undefined {
  if (name === 'waiting_list' || name === 'closed') return text === '1'
  // A single date offers no choice of scope.
  if (name === 'scope') return text === EACH_DATE ? 'event' : text || undefined
  return text
}

const backWithNotice = (id: number, notice: Notice): EditorResponse => ({ to: registrationPath(id), notice })

const detailPage = defineEditorPage({
  path: EVENT_PATTERN,
  requires,
  load: ({ context }, { id }) => selectOrganizersPage(context, id),
  respond: (editor, { loaded }) => organizersPage(editor, loaded),
  handle: async (editor, { id, form: data }) => {
    const entries: ShownEntries = Object.fromEntries(
      [...SETTING_NAMES, ...SETTING_NAMES.map(formerInputName).filter(name => data.has(name))].map(name => [
        name,
        formText(data, name),
      ]),
    )
    const { scope = '' } = entries
    // If somebody has closed registration in another window, it must not open again.
    const changedNames = SETTING_NAMES.filter(name => entries[name] !== entries[formerInputName(name)])
    const body = withoutUndefined(
      Object.fromEntries(changedNames.map(name => [name, settingValue(name, entries[name] ?? '')])),
    )
    const { db } = editor.context
    const show = async (settings: RefusedForm) =>
      organizersPage(editor, await db.read(selectOrganizersPage(editor.context, id)), { settings })
    const stored = requireEditableOccasion(editor.context, await db.read(selectOccasionByEvent(id)))
    const stale = staleForm(editor, stored, { entries, changedNames })
    if (stale) return show(stale)
    const reply = await submitOrThrow(editor, { method: 'PUT', path: `/events/${id}/registration`, body })
    if (!isDone(reply)) return show({ entries, errors: errorsOf(editor.texts, reply.body) })
    if (scope === EACH_DATE) {
      const formAgain = await copyOrAsk(editor, id)
      if (formAgain) return formAgain
    }
    return backWithNotice(id, { text: editor.texts.registration.saved })
  },
})

/**
 * Copies saved settings to the other dates, which is a write of its own. If that fails, the form comes back
 * with what is left to do.
 */
async function copyOrAsk(editor: EditorContext, id: number): Promise<EditorPage | undefined> {
  const { context, texts } = editor
  const rows = await context.db.read(selectOrganizersPage(context, id))
  const occasion = requireEditableOccasion(context, rows.occasion)
  try {
    await copyToDates(context, occasion)
    return undefined
  } catch (error) {
    if (!isTemporary(error)) throw error
    logCause(context.requestId, asError(error))
    const stored = registrationEntries(occasion)
    const entries = { ...stored, scope: EACH_DATE, [formerInputName('scope')]: stored.scope ?? '' }
    const errors = new Map([['scope', texts.registration.onlyThisSaved]])
    return organizersPage(editor, rows, { settings: { entries, errors } })
  }
}

/** The spreadsheet of the API, which takes no sessions. */
const spreadsheet = defineEditorPage({
  path: `${EVENT_PATTERN}spreadsheet/`,
  requires,
  load: (_, { id }) => selectSheet(id),
  respond: ({ context, language }, { loaded }) => {
    const occasion = requireManagedOccasion(context, loaded.occasion)
    return {
      body: serializeSheet(context, occasion, loaded.rows, language),
      type: SHEET_TYPE,
      file: SHEET_FILE,
    }
  },
})

type RegistrationWords = EditorContext['texts']['registration']

type Action = {
  request: (input: ActionInput) => WriteRequest
  /** What the page says afterwards, or where it redirects. */
  done: (words: RegistrationWords, input: ActionInput) => string | EditorResponse
  /** What the page says about a refusal; by default the reasons. */
  refused?: (words: RegistrationWords, reply: WriteReply) => string | undefined
  gone?: (editor: EditorContext, input: ActionInput) => EditorResponse
}

/** Two people use the list at once at the door, so somebody may have been removed since it was shown. */
const personIsGone = ({ texts }: EditorContext, { id }: Pick<ActionInput, 'id'>): EditorResponse =>
  backWithNotice(id, { text: texts.registration.gone, isWarning: true })

/** An action that sends one request of the API; its refusal is shown. @param path below that of the page */
const registrationAction = (path: string, { request, done, refused, gone }: Action) =>
  defineRequest({
    path: EVENT_PATTERN + path,
    requires,
    backPath: registrationPath,
    request: (_, input) => request(input),
    onDone: ({ texts }, _, input) => {
      const response = done(texts.registration, input)
      return typeof response === 'string' ? backWithNotice(input.id, { text: response }) : response
    },
    refused: (editor, reply, { id }) =>
      backWithNotice(id, {
        text: refused?.(editor.texts.registration, reply) ?? reasonsOf(editor, reply),
        isWarning: true,
      }),
    gone,
  })

const enterAction = defineAction({
  path: `${EVENT_PATTERN}enter/`,
  requires,
  handle: async (editor, { id, form: data }) => {
    const { context, texts } = editor
    const entries = {
      name: formText(data, 'name'),
      places: formText(data, 'places'),
      over: formText(data, 'over'),
    }
    const request: WriteRequest = {
      method: 'POST',
      path: `/events/${id}/registrations/by-hand`,
      body: { ...entries, places: entries.places || 1, over: data.has('over') },
    }
    // A page adds one person, however often its form is sent.
    const formKey = withFormKey(context, formText(data, 'key') || crypto.randomUUID())
    const reply = await submitOrThrow(editor, request, formKey).catch((error: unknown) => {
      if (isAlreadySavedError(error)) return undefined
      throw error
    })
    if (!reply || isDone(reply)) return backWithNotice(id, { text: texts.registration.entered })
    return organizersPage(editor, await context.db.read(selectOrganizersPage(context, id)), {
      enter: {
        entries,
        errors:
          reply.status === 409
            ? new Map([['over', texts.registration.notFree]])
            : errorsOf(texts, reply.body),
      },
    })
  },
})

const PERSON_CHANGES: Readonly<Record<string, (data: FormData) => object>> = {
  came: () => ({ came: true }),
  away: () => ({ came: false }),
  let_in: () => ({ state: 'confirmed', over: true }),
  places: data => ({ places: formText(data, 'places'), over: true }),
}

const personAction = registrationAction('people/:person{[0-9]+}/', {
  request: ({ params, form: data }) => {
    const path = `/registrations/${params.person}`
    const name = formText(data, 'do')
    return name === 'remove'
      ? { method: 'DELETE', path }
      : { method: 'PATCH', path, body: PERSON_CHANGES[name]?.(data) ?? {} }
  },
  done: (words, { id, params, form: data }) => {
    const name = formText(data, 'do')
    if (name === 'remove') return words.removed
    // At the door, the next name to look for is near this one.
    const to = `${registrationPath(id)}#person-${params.person}`
    return name === 'places' ? { to, notice: { text: words.saved } } : { to }
  },
  gone: personIsGone,
})

const endAction = registrationAction('end/', {
  request: ({ id, form: data }) => ({
    method: 'DELETE',
    path: `/events/${id}/registration?confirm=${encodeURIComponent(formText(data, 'confirm'))}`,
  }),
  done: (words, { id }) => ({ to: `/admin/events/${id}/`, notice: { text: words.ended_by_organizer } }),
  refused: (words, reply) =>
    replyValue(reply, 'code') === 'rest_registration_people' ? words.changedMeanwhile : undefined,
})

const answerAction = registrationAction('answer/', {
  request: ({ id, form: data }) => ({
    method: 'POST',
    path: `/events/${id}/registration/answer`,
    body: { follow: formText(data, 'follow') === '1', asked: parseJson(formText(data, 'asked')) },
  }),
  done: words => words.saved,
  refused: (words, reply) =>
    replyValue(reply, 'code') === 'rest_registration_asked' ? words.askedMeanwhile : undefined,
})

const askToRemove = defineEditorPage({
  path: `${EVENT_PATTERN}people/:person{[0-9]+}/remove/`,
  requires,
  load: (_, { id, params }) =>
    combineQueries({ occasion: selectOccasionByEvent(id), person: selectPerson(Number(params.person)) }),
  respond: (editor, { id, loaded: { person, occasion: loaded } }) => {
    const occasion = requireManagedOccasion(editor.context, loaded)
    return person?.registration_id === occasion.registration.id
      ? personRemovalPage(editor, occasion, person)
      : personIsGone(editor, { id })
  },
})

const askToEnd = defineEditorPage({
  path: `${EVENT_PATTERN}end/`,
  requires,
  load: (_, { id }) => {
    const registration = registrationOf(sql`${id}`)
    return combineQueries({
      occasion: selectOccasionByEvent(id),
      people: selectPeopleCount(registration),
      unconfirmed: selectUnconfirmedCount(registration),
    })
  },
  respond: (editor, { loaded: { occasion, ...counts } }) =>
    endPage(editor, requireManagedOccasion(editor.context, occasion), counts),
})

export const registrationsArea: Area = {
  routes: [
    detailPage,
    spreadsheet,
    enterAction,
    askToRemove,
    personAction,
    answerAction,
    askToEnd,
    endAction,
  ],
  deletionNotes: [deletionNote],
  eventPages: [
    {
      path: REGISTRATIONS_PATH,
      label: texts => texts.registration.title,
      isShown: ({ context }) => isRegistrationOn(context),
    },
  ],
}
