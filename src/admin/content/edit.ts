import { together } from '../../db/query.ts'
import { keepFormKey, writtenByForm } from '../../http/idempotency.ts'
import { ApiError } from '../../lib/errors.ts'
import { may } from '../../lib/roles.ts'
import { isObject } from '../../lib/values.ts'
import { filled } from '../../lib/words.ts'
import { html } from '../../site/html.ts'
import { plain } from '../../site/text.ts'
import type { Admin } from '../admin.ts'
import { form } from '../form.ts'
import { conflictFields, conflictOf } from '../forms/conflict.ts'
import { errorsOf } from '../forms/errors.ts'
import { entriesFor, wasEntries } from '../forms/form.ts'
import { loadChoices } from '../forms/load.ts'
import { changedValues, hiddenOf, type Posted, readPosted, withUpload } from '../forms/posted.ts'
import type { Outcome } from '../respond.ts'
import { type AdminRoute, defineAction, defineAdminPage } from '../route.ts'
import { ifVersion, isDone, submitOne, type WriteReply } from '../submit.ts'
import { contentWords } from '../words/content.ts'
import { formWords } from '../words/forms.ts'
import { formPage } from './form-page.ts'
import { assertEditable, type Found, idIn, pathOf, type Resource } from './resource.ts'
import { inTrash } from './trash.ts'

/** The pages and actions of the form of a resource. */
export function formRoutes(resource: Resource): AdminRoute[] {
  const { requires, createdBy } = resource
  const [newPath, path] = [pathOf(resource, 'new'), `${pathOf(resource)}:id{[0-9]+}/`]
  return [
    defineAdminPage({
      path: newPath,
      requires: createdBy,
      load: ({ context }) => loadChoices(context, resource.form, { entries: new Map(), chosen: {} }),
      respond: (admin, { loaded: choices }) => {
        const entries = entriesFor(resource.form, {}, admin.context)
        const hidden = new Map([...wasEntries(resource.form, entries), ['key', [crypto.randomUUID()]]])
        return formPage(admin, resource, { entries, hidden, errors: new Map(), choices })
      },
    }),
    defineAction({
      path: newPath,
      requires: createdBy,
      handle: (admin, { form: data }) => take(admin, resource, data, undefined),
    }),
    defineAdminPage({
      path,
      requires,
      load: ({ context }, { params }) =>
        together({
          found: resource.find(context, idIn(params)),
          choices: loadChoices(context, resource.form, { entries: new Map(), chosen: {} }),
        }),
      respond: (admin, { loaded: { found: row, choices } }) => {
        const { context } = admin
        const found = assertEditable(context, resource, row)
        if (found.status === 'trash') return inTrash(admin, resource, found)
        const entries = entriesFor(resource.form, found.body, context)
        const hidden = new Map([...wasEntries(resource.form, entries), ['version', [String(found.version)]]])
        return formPage(
          admin,
          resource,
          { entries, hidden, errors: new Map(), choices: withPicture(choices, found) },
          found,
        )
      },
    }),
    defineAction({
      path,
      requires,
      handle: (admin, { form: data, params }) => take(admin, resource, data, idIn(params)),
    }),
  ]
}

type Choices = Parameters<typeof formPage>[2]['choices']

/** What a form offers, with the picture that is chosen. */
function withPicture(choices: Choices, { body: { image } }: Found): Choices {
  const { pictures } = choices
  if (!pictures || pictures.chosen || !isObject(image)) return choices
  const { id, url, sizes, alt_text } = image
  const thumbnail = isObject(sizes) && isObject(sizes.thumbnail) ? sizes.thumbnail.url : url
  return {
    ...choices,
    pictures: {
      ...pictures,
      chosen: {
        id: Number(id),
        url: String(url),
        thumbnail: String(thumbnail),
        name: String(alt_text || `#${id}`),
        alt: String(alt_text ?? ''),
      },
    },
  }
}

/** Takes a form that came back. */
async function take(
  admin: Admin,
  resource: Resource,
  data: FormData,
  id: number | undefined,
): Promise<Outcome> {
  const posted = readPosted(resource.form, data)
  if (posted.action.startsWith('find:') || posted.action === 'edit') return again(admin, resource, id, posted)
  const uploaded = may(admin.context.caller, 'edit_content')
    ? await withUpload(admin.context, formWords(admin.language), data, posted)
    : posted
  return uploaded.errors.size > 0 ? again(admin, resource, id, uploaded) : save(admin, resource, id, uploaded)
}

async function save(
  admin: Admin,
  resource: Resource,
  id: number | undefined,
  posted: Posted,
): Promise<Outcome> {
  const { context } = admin
  if (id === undefined && posted.key !== '') {
    const earlier = await savedBefore(admin, resource, posted)
    if (earlier) return earlier
    keepFormKey(context, posted.key)
  }
  const body = changedValues(context, resource.form, posted)
  const reply = await replyTo(() =>
    submitOne(
      admin,
      id === undefined
        ? { method: 'POST', path: `/${resource.name}`, body }
        : { method: 'PATCH', path: `/${resource.name}/${id}`, body, headers: ifVersion(posted.version) },
    ),
  )
  if (isDone(reply) && isObject(reply.body)) return saved(admin, resource, reply.body)
  if (reply.status === 409) {
    const earlier = await savedBefore(admin, resource, posted)
    if (earlier) return earlier
  }
  if (reply.status === 412 && id !== undefined) return resolve(admin, resource, id, { posted, isOwn: false })
  const errors = errorsOf(formWords(admin.language), reply.body)
  return again(admin, resource, id, { ...posted, errors })
}

/** The reply to a write. One that could not be made is told at the form, so that nothing that was typed is lost. */
async function replyTo(write: () => Promise<WriteReply>): Promise<WriteReply> {
  try {
    return await write()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const { code, message, data } = error
    return { status: code === 'rest_idempotency_conflict' ? 409 : 400, body: { code, message, data } }
  }
}

const saved = ({ language }: Admin, resource: Resource, body: Readonly<Record<string, unknown>>): Outcome => {
  const name = plain(String(body[resource.singular] ?? body.name))
  return { to: pathOf(resource), notice: { text: filled(contentWords(language).saved, { name }) } }
}

/** The way on if the form of a new one came before, and it was made. */
async function savedBefore(admin: Admin, resource: Resource, posted: Posted): Promise<Outcome | undefined> {
  if (posted.key === '') return undefined
  const written = await writtenByForm(admin.context, posted.key)
  const made = written?.find(({ action, kind }) => action === 'create' && kind === resource.singular)
  return made && resolve(admin, resource, Number(made.id), { posted, isOwn: true })
}

/** The form again, with all that was typed, what was found, and what is wrong. */
async function again(
  admin: Admin,
  resource: Resource,
  id: number | undefined,
  posted: Posted,
): Promise<Outcome> {
  const { context } = admin
  const { entries, errors } = posted
  const found = id === undefined ? undefined : await context.db.get(resource.find(context, id))
  if (id !== undefined) assertEditable(context, resource, found)
  // What was typed matters more than what could be offered beside it.
  const choices = await context.db.get(loadChoices(context, resource.form, { entries })).catch(() => ({}))
  return formPage(
    admin,
    resource,
    { entries, hidden: hiddenOf(resource.form, posted), errors, choices },
    found,
  )
}

/** The page on which one chooses between what was typed and what is stored; the way on if that is the same. */
async function resolve(
  admin: Admin,
  resource: Resource,
  id: number,
  { posted, isOwn }: { posted: Posted; isOwn: boolean },
): Promise<Outcome> {
  const { context, language } = admin
  const { form: fields } = resource
  const loaded = await context.db.get(
    together({
      found: resource.find(context, id),
      choices: loadChoices(context, fields, { entries: posted.entries }),
    }),
  )
  const found = assertEditable(context, resource, loaded.found)
  const choices = withPicture(loaded.choices, found)
  const compared = { form: fields, posted: posted.entries, body: found.body, choices }
  const conflict = conflictOf(admin, context, compared)
  if (!conflict)
    return {
      to: pathOf(resource),
      notice: { text: filled(contentWords(language).savedAlready, { name: found.name }) },
    }
  return {
    title: formWords(language)[isOwn ? 'conflictNew' : 'conflict'],
    status: 412,
    isNarrow: true,
    main: html`${form(admin, {
      action: pathOf(resource, id),
      look: 'stack',
      hasFiles: true,
      body: conflictFields(admin, { form: fields, conflict, choices, version: found.version, isOwn }),
    })}`,
  }
}
