import type { Context, Hono } from 'hono'
import type { secureHeaders } from 'hono/secure-headers'
import type { WriteReply, WriteRequest } from '../kit/context.ts'
import type { Prelude } from '../kit/db/database.ts'
import { combineQueries, type Query } from '../kit/db/query.ts'
import type { AppEnv } from '../kit/env.ts'
import { errorIn } from '../kit/http/error-replies.ts'
import { MAX_FILE_BYTES } from '../kit/http/form-data.ts'
import { idInPath, parseRequest } from '../kit/http/input.ts'
import { countLoginAttempt, countWrites, isTooManyRequests } from '../kit/http/limits.ts'
import { matchedPath } from '../kit/http/request-context.ts'
import type { FieldsSchema } from '../kit/http/route.ts'
import { isSameText } from '../kit/lib/hash.ts'
import { type Capability, may } from '../kit/lib/roles.ts'
import { EDITOR_FORM, type FormLimits, formAlreadyRead, readForm, TOKEN } from '../site/forms/field-html.ts'
import { isDone, submitOne } from '../site/forms/requests.ts'
import type { Html } from '../site/html/html.ts'
import {
  type EditorContext,
  type EditorShell,
  type MenuEntry,
  type Session,
  UNDO_PATH,
  type VisitorContext,
} from './context.ts'
import { selectMenuCounts } from './layout.ts'
import {
  confirmPage,
  type EditorResponse,
  endedPage,
  messagePage,
  type PostedForm,
  refusedPage,
  respond,
  respondWithError,
} from './respond.ts'
import { editorPathOf, mayMakeKeys, signInAgain, signInPath } from './sessions.ts'
import { selectUndoState } from './undo/queries.ts'
import { anonymousVisit, identifyVisitor, visitToken, withLanguage } from './visit.ts'

type SecureHeaders = NonNullable<Parameters<typeof secureHeaders>[0]>
type ContentSecurityPolicy = NonNullable<SecureHeaders['contentSecurityPolicy']>

export type MountEditorPage = (app: Hono<AppEnv>, shell: EditorShell) => void

/** The decoded parts of an address. `id` is 0 if the path has none. */
type Address = { params: Readonly<Record<string, string>>; id: number; url: URL }

const addressIn = (c: Context<AppEnv>): Address => ({
  params: c.req.param(),
  id: idInPath(c.req.param('id')),
  url: new URL(c.req.url),
})

type PageInput<Q> = Address & { query: Partial<Q> }

type PageDeclaration<Q, L> = {
  /** A path below /admin/ with a trailing slash, in Hono's notation: `/admin/events/:id{[0-9]+}/`. */
  path: string
  /** The capability that the role needs. Checks that depend on rows are up to `respond`. */
  requires: Capability
  query?: FieldsSchema<Q>
  /** The query for everything on the page, in one round trip after the query for the session. */
  load: (editor: EditorContext, input: PageInput<Q>) => Query<L>
  /** Makes the page. @throws ApiError of 404 or 403, which become pages */
  respond: (
    editor: EditorContext,
    input: PageInput<Q> & { loaded: L },
  ) => EditorResponse | Promise<EditorResponse>
  /** Carries out the form that the page sends to its own address. */
  handle?: ActionDeclaration<Q>['handle']
  isDelicate?: true
  fileBytes?: number
}

export type ActionInput = Address & {
  /** The submitted fields, unchecked. */
  form: FormData
}

type ActionDeclaration<Q> = {
  path: string
  requires: Capability
  query?: FieldsSchema<Q> | undefined
  /** True for actions that create credentials: users who signed in some time ago must sign in again. */
  isDelicate?: true | undefined
  /** The most bytes of its files, if fewer than of an image. */
  fileBytes?: number | undefined
  /** Carries out the action and redirects (`to`), or shows the form again with its errors and all input. */
  handle: (
    editor: EditorContext,
    input: ActionInput & PageInput<Q>,
  ) => EditorResponse | Promise<EditorResponse>
}

type Work = (c: Context<AppEnv>, visit: VisitorContext) => Promise<Response>

/** The form of a request, to be sent again after a failure, if it came from this origin. */
async function postedIn(c: Context<AppEnv>, error: unknown): Promise<PostedForm | undefined> {
  // If the caller has sent too many requests, the form is not read.
  const read = isTooManyRequests(error) ? formAlreadyRead : readForm
  const form = isSameOrigin(c) ? await read(c.req.raw).catch(() => undefined) : undefined
  return form && { url: new URL(c.req.url), form }
}

/** A handler that turns errors into pages. @param options.keepsForm true if such a page keeps the input */
const withErrorPages =
  (shell: EditorShell, work: Work, { keepsForm = false } = {}) =>
  async (c: Context<AppEnv>) => {
    let visit = anonymousVisit(c, shell)
    try {
      visit = await identifyVisitor(c, shell)
      return await work(c, visit)
    } catch (error) {
      return respondWithError(c, visit, { error, posted: keepsForm ? await postedIn(c, error) : undefined })
    }
  }

/** A redirect to the address with a trailing slash; undefined if it has one. */
function redirectToSlash(c: Context<AppEnv>): Response | undefined {
  const { pathname, search } = new URL(c.req.url)
  return pathname.endsWith('/') ? undefined : c.redirect(`${pathname}/${search}`, 302)
}

const signedInContext = (visit: VisitorContext): EditorContext | undefined =>
  visit.session ? { ...visit, session: visit.session } : undefined

/** The checked parameters of an address. @throws ApiError that names those that are wrong */
async function queryOf<Q>(c: Context<AppEnv>, query: FieldsSchema<Q> | undefined): Promise<Partial<Q>> {
  const { input, errors } = await parseRequest<Q, unknown>(c, { query })
  errors.throwIfAny()
  return input.query
}

/**
 * Declares a page for signed-in users: its query, the function that shows the result, and what its form does.
 * Others are redirected to the sign-in.
 */
export function defineEditorPage<L, Q = Record<never, never>>(
  declaration: PageDeclaration<Q, L>,
): MountEditorPage {
  const { path, requires, query, load, respond: show, handle, isDelicate, fileBytes } = declaration
  const work: Work = async (c, visit) => {
    const editor = signedInContext(visit)
    if (!editor) return c.redirect(signInPath(new URL(c.req.url)), 302)
    const redirect = redirectToSlash(c)
    if (redirect) return redirect
    if (!may(editor.context.caller, requires))
      return respond(c, editor, messagePage(editor, 'forbidden', 403))
    const page = { ...addressIn(c), query: await queryOf(c, query) }
    const { loaded, counts } = await editor.context.db.read(
      combineQueries({ loaded: load(editor, page), counts: selectMenuCounts(editor) }),
    )
    const withCounts = { ...editor, counts }
    return respond(c, withCounts, await show(withCounts, { ...page, loaded }))
  }
  return (app, shell) => {
    app.get(matchedPath(path), withErrorPages(shell, work))
    if (handle) defineAction({ path, requires, query, isDelicate, fileBytes, handle })(app, shell)
  }
}

/** True if a form was sent from a page of this origin. Browsers send the origin with every form. */
const isSameOrigin = (c: Context<AppEnv>): boolean => c.req.header('origin') === new URL(c.req.url).origin

/** Removes the token from a form. @returns true if the token belongs to the session or visit */
async function takeToken({ token }: VisitorContext, form: FormData): Promise<boolean> {
  const sentToken = form.get(TOKEN)
  form.delete(TOKEN)
  return typeof sentToken === 'string' && (await isSameText(sentToken, token))
}

/**
 * Declares an action: what happens with a form (`form` of site/forms/field-html.ts). The form must come from
 * this origin and carry the token of the session. If the session has ended or something fails, the error page
 * keeps the input.
 */
export function defineAction<Q = Record<never, never>>({
  path,
  requires,
  query,
  isDelicate,
  fileBytes = MAX_FILE_BYTES,
  handle,
}: ActionDeclaration<Q>): MountEditorPage {
  const work: Work = async (c, visit) => {
    if (!isSameOrigin(c)) return respond(c, visit, messagePage(visit, 'elsewhere', 403))
    const address = addressIn(c)
    const { url } = address
    const editor = signedInContext(visit)
    // The user's session may have ended, so the form is read and shown again, up to a limit.
    if (!editor) await countWrites(c, 1)
    const formData = await readForm(c.req.raw, { ...EDITOR_FORM, fileBytes })
    if (!editor) return respond(c, visit, endedPage(visit, { url, form: formData }))
    if (!(await takeToken(editor, formData)))
      return respond(c, editor, confirmPage(editor, { url, form: formData }))
    if (!may(editor.context.caller, requires))
      return respond(c, editor, messagePage(editor, 'forbidden', 403))
    if (isDelicate && !(await mayMakeKeys(editor))) {
      // A button can be pressed again afterwards; what was typed is kept.
      const isButton = formData.keys().next().done
      if (isButton) return respond(c, editor, signInAgain(editorPathOf(c.req.header('referer'), url.origin)))
      return respond(c, editor, endedPage(editor, { url, form: formData }, { isAgain: true }))
    }
    const response = await withUndo(
      editor,
      await handle(editor, { ...address, query: await queryOf(c, query), form: formData }),
    )
    return respond(c, editor, response)
  }
  return (app, shell) => void app.post(matchedPath(path), withErrorPages(shell, work, { keepsForm: true }))
}

/**
 * Adds to the notice of a response a button that undoes what was done, or a note if it was too much to undo.
 */
async function withUndo(editor: EditorContext, response: EditorResponse): Promise<EditorResponse> {
  if ('body' in response || !response.notice || response.notice.link) return response
  const { context, texts } = editor
  const state = await context.db.read(selectUndoState(context))
  if (state === 'none') return response
  const words = texts.history
  const { notice } = response
  const { undoText = words.undo } = 'to' in response ? response : {}
  if (state === 'too much') return { ...response, notice: { text: `${notice.text} ${words.tooMuch}` } }
  const href = `${UNDO_PATH}?request=${encodeURIComponent(context.requestId)}`
  const link = { href, text: undoText, isButton: true as const }
  return { ...response, notice: { ...notice, link } }
}

/** A request that needs no sign-in. */
export type OpenInput = Address & {
  request: Context<AppEnv>
  /** The browser's session, if there is one. The page is shown as if there were none. */
  browserSession: Session | undefined
}

type OpenAction = {
  path: string
  /**
   * True if the page is in the language of the editor, to which it leads; otherwise it is in the browser's
   * language.
   */
  isInEditorLanguage?: true | undefined
  handle: (
    visit: VisitorContext,
    input: OpenInput & { form: FormData },
  ) => EditorResponse | Promise<EditorResponse>
}

type OpenDeclaration = Pick<OpenAction, 'path' | 'isInEditorLanguage'> & {
  respond: (visit: VisitorContext, input: OpenInput) => EditorResponse | Promise<EditorResponse>
  /** Carries out the form that the page sends to its own address. */
  handle?: OpenAction['handle']
}

/** The context for a visitor who is not signed in. A cookie binds the forms to this browser. */
async function openVisit(c: Context<AppEnv>, visit: VisitorContext, isInEditorLanguage = false) {
  const { token, cookies } = await visitToken(c)
  const input: OpenInput = { ...addressIn(c), request: c, browserSession: visit.session }
  const language = isInEditorLanguage ? visit.language : visit.browserLanguage
  const open: VisitorContext = { ...withLanguage(visit, language), session: undefined, token }
  const send = (response: EditorResponse): Response =>
    // The visit's cookie is not needed once there is a session.
    respond(c, open, { ...response, cookies: [...cookies, ...(response.cookies ?? [])] })
  return { open, input, send }
}

/** Declares a page for everybody, such as the sign-in, and what its form does. */
export function defineOpenPage({
  path,
  isInEditorLanguage,
  respond: show,
  handle,
}: OpenDeclaration): MountEditorPage {
  const work: Work = async (c, visit) => {
    const redirect = redirectToSlash(c)
    if (redirect) return redirect
    const { open, input, send } = await openVisit(c, visit, isInEditorLanguage)
    return send(await show(open, input))
  }
  return (app, shell) => {
    app.get(matchedPath(path), withErrorPages(shell, work))
    if (handle) defineOpenAction({ path, isInEditorLanguage, handle })(app, shell)
  }
}

/** The limits of forms on open pages. The largest is the response of a passkey, with some 3 KB. */
const OPEN_FORM: FormLimits = { bytes: 32 * 1024, typed: 32 * 1024, fields: 20 }

/**
 * Declares an action of an open page: an attempt to sign in, which is counted. The form must carry the token
 * of the visit.
 */
export function defineOpenAction({ path, isInEditorLanguage, handle }: OpenAction): MountEditorPage {
  const work: Work = async (c, visit) => {
    if (!isSameOrigin(c)) return respond(c, visit, messagePage(visit, 'elsewhere', 403))
    await countLoginAttempt(c)
    const form = await readForm(c.req.raw, OPEN_FORM)
    const { open, input, send } = await openVisit(c, visit, isInEditorLanguage)
    return send(
      (await takeToken(open, form))
        ? await handle(open, { ...input, form })
        : confirmPage(open, { url: input.url, form }),
    )
  }
  return (app, shell) => void app.post(matchedPath(path), withErrorPages(shell, work))
}

/** A request of the API, and what its transaction begins with. */
type EditorRequest = WriteRequest & { before?: Prelude | undefined }

type RequestDeclaration = {
  path: string
  requires: Capability
  /** The request of the API, or another response instead of one, such as a question. */
  request: (
    editor: EditorContext,
    input: ActionInput,
  ) => EditorRequest | EditorResponse | Promise<EditorRequest | EditorResponse>
  /** The response after the request has succeeded. */
  onDone: (editor: EditorContext, reply: WriteReply, input: ActionInput) => EditorResponse
  /** The page from which the request came. */
  backPath: (id: number) => string
  /** The response to a refusal; by default a page with the reason and a link back. */
  refused?: (
    editor: EditorContext,
    reply: WriteReply,
    input: ActionInput,
  ) => EditorResponse | Promise<EditorResponse>
  /**
   * The response if the resource is no longer there, with a link to go on; by default a page without a link.
   */
  gone?: ((editor: EditorContext, input: ActionInput) => EditorResponse) | undefined
}

/**
 * Declares an action that is one request of the API about a resource. The errors 403 and 404 become pages.
 */
export const defineRequest = ({
  path,
  requires,
  request,
  onDone,
  backPath,
  refused = (editor, reply, { id }) => refusedPage(editor, reply, backPath(id)),
  gone,
}: RequestDeclaration): MountEditorPage =>
  defineAction({
    path,
    requires,
    handle: async (editor, input) => {
      const writeRequest = await request(editor, input)
      if (!('method' in writeRequest)) return writeRequest
      const reply = await submitOne(editor, writeRequest, writeRequest.before)
      if (reply.status === 404 && gone) return gone(editor, input)
      if (reply.status === 403 || reply.status === 404) throw errorIn(reply)
      return isDone(reply) ? onDone(editor, reply, input) : refused(editor, reply, input)
    },
  })

type StartCard = {
  requires: Capability
  /**
   * `first` is above everything, `coming` beside the list of what waits. Without a position, the card is in
   * that list.
   */
  position?: 'first' | 'coming'
  /** The query for the card's content, run in the round trip of the page; '' for no card. */
  selectCard: (editor: EditorContext) => Query<Html | ''>
}

/** An area of the editor: its pages and actions, its entries in the menu, and its cards on the start page. */
export type Area = {
  routes: readonly MountEditorPage[]
  menu?: readonly MenuEntry[]
  start?: readonly StartCard[]
  /** Pages that make a new event in other ways than by an empty form. */
  otherNewPages?: readonly MenuEntry[]
  /** Pages about one event, in the menu beside its form. */
  eventPages?: EditorShell['eventPages']
  deletionNotes?: EditorShell['deletionNotes']
  /**
   * Pages that other pages of the editor show in a sandboxed frame, each with a content security policy of
   * its own.
   */
  frames?: readonly { path: string; policy: ContentSecurityPolicy }[]
}
