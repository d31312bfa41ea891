import { sourceWords } from '../../../words/words.ts'
import { type Html, html } from '../../html/html.ts'
import type { Admin } from '../admin.ts'
import type { AdminPage } from '../layout.ts'
import { shortMomentOf } from '../moments.ts'
import { everyOf, runText, sourceName, stateBadge } from './health.ts'
import { NEW_SOURCE, sourcePath } from './paths.ts'
import type { Listed } from './queries.ts'
import { sourceTabs } from './twins.ts'

/** The calendars that are read, with their health. */
export function sourcesPage(admin: Admin, found: readonly Listed[], asked: number): AdminPage {
  const words = sourceWords(admin.language)
  return {
    title: words.title,
    main: html`<div class="page-head"><h1>${words.title}</h1><a class="button" href="${NEW_SOURCE}">${words.add}</a></div>
${sourceTabs(admin, 'calendars', asked)}<p class="lead">${words.lead}</p>
${
  found.length === 0
    ? html`<p class="empty">${words.none} ${words.steps}</p>`
    : html`<ul class="rows content-rows source-rows">${found.map(listed => item(admin, listed))}</ul>`
}`,
  }
}

function item(admin: Admin, listed: Listed): Html {
  const { source, run } = listed
  const words = sourceWords(admin.language)
  const { host } = new URL(source.url)
  return html`<li class="row"><p class="row-title"><a href="${sourcePath(source.id)}" dir="auto">${sourceName(source)}</a></p>
<p class="row-where">${host} · ${everyOf(words, source)}${run && html`<br>${runText(admin, run)}`}</p>
<p class="row-when">${run && shortMomentOf(admin, run.started_utc)}</p>
<p class="row-badges">${stateBadge(admin, listed)}</p></li>\n`
}
