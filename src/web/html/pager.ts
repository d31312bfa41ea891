import { type Html, html } from './html.ts'
import { icon } from './icons.ts'
import type { Site } from './site.ts'

export type Step = { address: string; text: string; isNofollow?: boolean } | undefined

/** Links to what comes before and after, in the order of time, and to today between them. */
export function pager(
  label: string,
  { before, today, after }: { before: Step; today?: Step; after: Step },
): Html {
  const rel = (step: Step, name: string) => html` rel="${name}${step?.isNofollow ? ' nofollow' : ''}"`
  return html`<nav class="pager" aria-label="${label}"><ul>
<li>${before && html`<a href="${before.address}"${rel(before, 'prev')}>${icon('previous')}<span>${before.text}</span></a>`}</li>
<li>${today && html`<a class="pager-today" href="${today.address}">${today.text}</a>`}</li>
<li>${after && html`<a href="${after.address}"${rel(after, 'next')}><span>${after.text}</span>${icon('next')}</a>`}</li>
</ul></nav>`
}

/** A note where there is nothing to show, with links that lead on. */
export const emptyState = (
  { words }: Pick<Site, 'words'>,
  {
    title = words.nothing,
    text,
    links,
  }: { title?: string; text: string; links: readonly { address: string; text: string }[] },
): Html =>
  html`<div class="empty"><h2>${title}</h2><p>${text}</p><ul>${links.map(link => html`<li><a href="${link.address}">${link.text}</a></li>`)}</ul></div>`
