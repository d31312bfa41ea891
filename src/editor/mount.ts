import type { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { secureHeaders } from 'hono/secure-headers'
import { combineQueries, mapQuery } from '../kit/db/query.ts'
import type { AppEnv } from '../kit/env.ts'
import { noRoute } from '../kit/http/error-replies.ts'
import { newApp, serverTiming } from '../kit/http/request-context.ts'
import { may } from '../kit/lib/roles.ts'
import { type Html, html } from '../site/html/html.ts'
import { filled } from '../words/words.ts'
import { accountArea } from './account/area.ts'
import { contentArea } from './content/area.ts'
import type { EditorContext, EditorShell } from './context.ts'
import { duplicatesArea } from './duplicates/area.ts'
import { eventsArea } from './events/area.ts'
import { historyArea } from './history/area.ts'
import { imagesArea } from './images/area.ts'
import { mergeArea } from './merge/area.ts'
import { type Area, defineEditorPage, type MountEditorPage } from './pages-and-actions.ts'
import { publishArea } from './publish/area.ts'
import { messagePage, respond } from './respond.ts'
import { reviewArea } from './review/area.ts'
import { REVIEW_PATH } from './review/page.ts'
import { signInPath } from './sessions.ts'
import { settingsArea } from './settings/area.ts'
import { signInArea } from './sign-in/area.ts'
import { startArea } from './start/area.ts'
import { trashArea } from './trash/area.ts'
import { undoArea } from './undo/area.ts'
import { usersArea } from './users/area.ts'
import { identifyVisitor } from './visit.ts'

/** Large links to the most frequent tasks: making an event, changing one, and the waiting items. */
function startActions(editor: EditorContext): Html | '' {
  const { context, texts, words, counts } = editor
  if (!may(context.caller, 'edit_content')) return ''
  const { newEvent, changeEvent, ownEvents, changeEventText, changeOwnEventText, newEventText } = texts.event
  const { draft, draftText } = texts.event
  const { review, reviewText } = texts.review
  const maySeeAll = may(context.caller, 'edit_others_content')
  const last = maySeeAll
    ? { href: REVIEW_PATH, text: review, more: reviewText, n: counts?.get(REVIEW_PATH) }
    : { href: '/admin/events/?view=draft', text: draft, more: draftText }
  const actions: readonly { href: string; text: string; more: string; n?: string | undefined }[] = [
    { href: '/admin/events/new/', text: newEvent, more: newEventText },
    {
      href: '/admin/events/',
      // Contributors can't change what is published.
      text: may(context.caller, 'publish_content') ? changeEvent : ownEvents,
      more: maySeeAll ? changeEventText : changeOwnEventText,
    },
    last,
  ]
  return html`<nav aria-label="${words.start}"><ul class="start-actions">${actions.map(
    ({ href, text, more, n }) =>
      html`<li><a href="${href}"><strong>${text}${n && html` <span class="start-count">${n}</span>`}</strong><span>${more}</span></a></li>\n`,
  )}</ul></nav>`
}

function homeRoute(areas: readonly Area[]): MountEditorPage {
  const cards = areas.flatMap(({ start = [] }) => start)
  return defineEditorPage({
    path: '/admin/',
    requires: 'read',
    load: editor =>
      combineQueries(
        cards
          .filter(({ requires }) => may(editor.context.caller, requires))
          .map(({ selectCard, position = 'waiting' }) =>
            mapQuery(selectCard(editor), content => ({ content, position })),
          ),
      ),
    respond: (editor, { loaded }) => {
      const { texts, words, session } = editor
      const cardsAt = (position: string) =>
        loaded.flatMap(card => (card.content !== '' && card.position === position ? [card.content] : []))
      const n = editor.counts?.get(REVIEW_PATH)
      const review = n
        ? [html`<p><a href="${REVIEW_PATH}">${filled(texts.event.waitingPending, { n })}</a></p>`]
        : []
      const waitingCards = [...review, ...cardsAt('waiting')]
      return {
        title: words.start,
        main: html`<h1>${filled(words.welcome, { login: session.user.name || session.user.login })}</h1>
${startActions(editor)}
${cardsAt('first')}
<div class="start">${cardsAt('coming').map(content => html`<section class="start-coming">${content}</section>\n`)}
<section class="start-waiting"><h2>${texts.event.waiting}</h2>
${waitingCards.length === 0 ? html`<p class="small">${texts.event.nothingWaits}</p>` : waitingCards.map(content => html`<div class="card">${content}</div>\n`)}</section></div>`,
      }
    },
  })
}

/** The fallback for other addresses below /admin/. Visitors who are not signed in cannot tell which exist. */
const fallbackRoute: MountEditorPage = (app, shell) => {
  app.on(['GET', 'POST'], ['/admin', '/admin/*'], async c => {
    const visit = await identifyVisitor(c, shell)
    if (visit.session) return respond(c, visit, messagePage(visit, 'notFound', 404))
    return c.redirect(signInPath(new URL(c.req.url)), 303)
  })
  app.all('/admin/*', noRoute)
}

/** The areas, in the order of the menu and the start page. @param featureAreas in their order */
const areasWith = (featureAreas: readonly Area[]): readonly Area[] => [
  eventsArea,
  reviewArea,
  publishArea,
  contentArea,
  imagesArea,
  duplicatesArea,
  mergeArea,
  trashArea,
  historyArea,
  undoArea,
  ...featureAreas,
  settingsArea,
  startArea,
  usersArea,
  accountArea,
  signInArea,
]

/**
 * The content security policy of the editor: everything from here, nothing inline, and images from anywhere.
 */
const POLICY = {
  defaultSrc: ["'none'"],
  scriptSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'https:', 'http:', 'data:', 'blob:'],
  mediaSrc: ["'self'", 'https:', 'http:'],
  connectSrc: ["'self'"],
  frameSrc: ["'self'"],
  formAction: ["'self'"],
  baseUri: ["'none'"],
  frameAncestors: ["'none'"],
}

const privateHeaders = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  c.header('Cache-Control', 'no-store')
  c.header('X-Robots-Tag', 'noindex')
})

/** Removes a header that means nothing to a sandboxed frame: browsers complain about it. */
const withoutAgentCluster = createMiddleware<AppEnv>(async (c, next) => {
  await next()
  c.header('Origin-Agent-Cluster', undefined)
})

/**
 * Mounts the editor on an app. It has headers of its own, and so comes before the middleware of the other
 * routes: with their referrer policy, browsers would not send the origin of a form.
 *
 * @property features the areas of features, in the order of the menu
 * @property frontPage draws the public front page, which setup shows before anything is saved
 */
export function mountEditor(
  app: Hono<AppEnv>,
  { features, frontPage }: { features: readonly Area[]; frontPage: EditorShell['frontPage'] },
): void {
  const areas = areasWith(features)
  const editor = newApp()
  const common = { referrerPolicy: 'same-origin', crossOriginResourcePolicy: 'same-origin' } as const
  const headers = secureHeaders({ contentSecurityPolicy: POLICY, xFrameOptions: 'DENY', ...common })
  // The first middleware sets its headers last.
  for (const { path, policy } of areas.flatMap(({ frames = [] }) => frames))
    editor.use(
      path,
      secureHeaders({
        contentSecurityPolicy: policy,
        xFrameOptions: 'SAMEORIGIN',
        originAgentCluster: false,
        ...common,
      }),
      withoutAgentCluster,
    )
  for (const path of ['/admin', '/admin/*']) editor.use(path, headers, privateHeaders, serverTiming)
  const shell = {
    menu: areas.flatMap(({ menu = [] }) => menu),
    otherNewPages: areas.flatMap(({ otherNewPages: besideNew = [] }) => besideNew),
    eventPages: areas.flatMap(({ eventPages: ofEvent = [] }) => ofEvent),
    deletionNotes: areas.flatMap(({ deletionNotes: ofDeletion = [] }) => ofDeletion),
    frontPage,
  }
  for (const mount of [homeRoute(areas), ...areas.flatMap(({ routes }) => routes), fallbackRoute])
    mount(editor, shell)
  app.route('/', editor)
}
