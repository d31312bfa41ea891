import { inOrder } from '../../db/query.ts'
import { may } from '../../lib/roles.ts'
import { filled } from '../../words/words.ts'
import { html } from '../html/html.ts'
import type { Area } from './area.ts'
import { type AdminRoute, defineAdminPage } from './route.ts'

/** The start page, with the cards of all areas. */
export function adminHomeRoute(areas: readonly Area[]): AdminRoute {
  const cards = areas.flatMap(({ start = [] }) => start)
  return defineAdminPage({
    path: '/admin/',
    requires: 'read',
    load: admin =>
      inOrder(
        cards.filter(({ requires }) => may(admin.context.caller, requires)).map(({ query }) => query(admin)),
      ),
    respond: ({ words, session }, { loaded }) => ({
      title: words.start,
      main: html`<h1>${filled(words.welcome, { login: session.user.login })}</h1>
<div class="cards">
${loaded.filter(card => card !== '').map(card => html`<section class="card">${card}</section>\n`)}
</div>`,
    }),
  })
}
