import { combineQueries, type Query } from '../kit/db/query.ts'
import { directionOf } from '../kit/lib/languages.ts'
import { may } from '../kit/lib/roles.ts'
import { buttonForm, form } from '../site/forms/field-html.ts'
import { ASSETS } from '../site/html/assets.ts'
import { type Html, html, raw } from '../site/html/html.ts'
import { themePath } from '../site/html/theme.ts'
import { countText, type MenuEntry, type Notice, type VisitorContext } from './context.ts'
import { tabLinks } from './lists.ts'

const entriesFor = (visit: VisitorContext): MenuEntry[] =>
  visit.shell.menu.filter(
    ({ requires, isShown }) => may(visit.context.caller, requires) && (isShown?.(visit) ?? true),
  )

/** A query for the number of waiting items for the entries of the menu, by their paths. */
export function selectMenuCounts(visit: VisitorContext): Query<ReadonlyMap<string, string>> {
  const countedEntries = entriesFor(visit).flatMap(({ path, selectCount }) =>
    selectCount ? [{ path, count: selectCount }] : [],
  )
  return combineQueries(
    countedEntries.map(({ count }) => count),
    counts =>
      new Map(
        counts.flatMap((n, i) => {
          const path = countedEntries[i]?.path
          return path === undefined || n === 0 ? [] : [[path, countText(visit.site, n)]]
        }),
      ),
  )
}

const isCurrent = ({ path }: VisitorContext, entry: MenuEntry): boolean => path.startsWith(entry.path)

const groupsFor = (visit: VisitorContext): Map<string, MenuEntry[]> =>
  Map.groupBy(entriesFor(visit), ({ group, path }) => group ?? path)

function mainMenu(visit: VisitorContext): Html | '' {
  const { texts, words, counts } = visit
  const groups = groupsFor(visit)
  if (groups.size === 0) return ''
  const moreGroup = groups.get('more') ?? []
  groups.delete('more')
  const link = ({ path, selectCount }: MenuEntry, text: string, isHere: boolean) => {
    const n = selectCount && counts?.get(path)
    return html`<li><a href="${path}"${isHere && raw(' aria-current="true"')}>${text}${n && html` <span class="tab-count">${n}</span>`}</a></li>\n`
  }
  return html`<nav class="editor-menu" aria-label="${words.editor}"><div class="wide"><ul class="menu">
${[...groups.values()].map(group =>
  group.slice(0, 1).map(first =>
    link(
      first,
      first.group === undefined ? first.label(texts) : words[first.group],
      group.some(entry => isCurrent(visit, entry)),
    ),
  ),
)}
</ul>${
    moreGroup.length > 0 &&
    html`<details class="menu-button" name="menu"><summary${moreGroup.some(entry => isCurrent(visit, entry)) && raw(' aria-current="true"')}>${words.more}</summary><ul class="menu-items">
${moreGroup.map(entry => link(entry, entry.label(texts), isCurrent(visit, entry)))}</ul></details>`
  }</div></nav>`
}

/** Tabs between the pages of the current group of the menu. */
function groupTabs(visit: VisitorContext): Html | '' {
  const { texts, words, path } = visit
  for (const group of groupsFor(visit).values()) {
    const current = group.find(entry => entry.path === path)
    if (!current?.group || current.group === 'more' || group.length === 1) continue
    return tabLinks(
      words[current.group],
      group.map(entry => ({
        href: entry.path,
        text: entry.label(texts),
        isCurrent: entry === current,
      })),
    )
  }
  return ''
}

/** What a page of the editor shows inside the shell. */
export type EditorPage = {
  /** The title without the calendar's name. `main` repeats it as its `h1`. */
  title: string
  main: Html
  /**
   * What an action has done, if it shows this page instead of redirecting because something is left to do.
   */
  notice?: Notice | undefined
  /** 200 by default; 422 for a form with errors. */
  status?: 200 | 400 | 401 | 403 | 404 | 409 | 410 | 412 | 413 | 422 | 429 | 500 | 501 | 503 | undefined
  /** Seconds to wait before trying again, as text. */
  retryAfter?: string | undefined
  /** True for a form that reads better in a narrow column. */
  isNarrow?: boolean
  /** Scripts in addition to those of all pages. */
  scripts?: readonly string[]
}

export const section = (id: string, title: string, body: Html): Html =>
  html`<section class="card" aria-labelledby="${id}"><h2 id="${id}">${title}</h2>${body}</section>`

export function editorLayout(visit: VisitorContext, page: EditorPage): Html {
  const { context, language, words, site } = visit
  const { siteName } = context.settings
  const { logo } = site.settings
  const theme = themePath(site.settings)
  return html`<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${page.title} · ${words.editor} · ${siteName}</title>
<meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${ASSETS.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${ASSETS.style}">
<link rel="stylesheet" href="${ASSETS.editorStyle}">
${theme && html`<link rel="stylesheet" href="${theme}">`}
${[ASSETS.script, ...(page.scripts ?? []), ASSETS.editorScript].map(script => html`<script type="module" src="${script}"></script>\n`)}
</head>
<body class="editor">
<a class="skip" href="#main">${words.skip}</a>
<header class="site-header">
<div class="wide">
<a class="site-name" href="/admin/">${logo && html`<img class="logo" src="${logo}" alt="" height="40">`}<span>${siteName}</span><span class="editor-mark">${words.editor}</span></a>
<div class="header-links"><a href="/events/">${words.site}</a>
${visit.session && accountMenu(visit, visit.session.user.name || visit.session.user.login)}</div>
</div>
</header>
${visit.session && mainMenu(visit)}
<main id="main" class="wide${page.isNarrow && ' narrow'}" tabindex="-1">
${visit.session && groupTabs(visit)}
${noticeHtml(visit, page.notice ?? visit.notice)}
${page.main}
</main>
</body>
</html>`
}

const accountMenu = (visit: VisitorContext, login: string): Html =>
  html`<details class="menu-button" name="menu"><summary><span class="hidden">${visit.words.account}${visit.site.words.colon}</span><span class="account-name">${login}</span></summary><ul class="menu-items">
<li><a href="/admin/account/"${visit.path.startsWith('/admin/account/') && raw(' aria-current="page"')}>${visit.words.account}</a></li>
<li>${buttonForm(visit, { action: '/admin/sign-out/', text: visit.words.signOut, className: 'link-button' })}</li></ul></details>`

/** The notice. Its button is beside the text, so its form shows nothing else. */
function noticeHtml(visit: VisitorContext, notice: Notice | undefined): Html | undefined {
  const { session } = visit
  if (!notice) return
  const { text, isWarning, link, saved } = notice
  const savedAttribute = saved && session && html` data-saved="${session.user.id}:${saved}"`
  return html`<p class="editor-notice${isWarning && ' is-warning'}" role="status"${!text && html` hidden`}${savedAttribute}>${text}${
    link &&
    (link.isButton
      ? html` <button class="link-button" type="submit" form="undo">${link.text}</button>`
      : html` <a href="${link.href}">${link.text}</a>`)
  }</p>
${link?.isButton && form(visit, { action: link.href, id: 'undo', body: html`` })}`
}
