import { type Html, html } from '../../../../web/html/html.ts'
import { textsIn } from '../../../../words/words.ts'
import type { NewsSample } from '../compose.ts'

/** What an e-mail about everything would look like now, beside the form. */
export function sampleCard(language: string, { subject, entries, more }: NewsSample): Html {
  const words = textsIn(language).news
  return html`<section class="card news-sample" aria-labelledby="news-sample"><p class="small">${words.sample}</p>
<h2 id="news-sample">${subject}</h2>
<ol>${entries.map(
    ({ heading, time, title, address, status, isOff, place, notes }) =>
      html`<li${isOff && html` class="is-off"`}><p><strong>${heading}</strong>
${time}</p><div><a href="${address}">${title}</a>${status && html` <span class="badge">${status}</span>`}
<p dir="auto">${[place, notes].filter(Boolean).join(' · ')}</p></div></li>\n`,
  )}</ol>
${more && html`<p>${more}</p>`}
<p class="small">${words.change} · ${words.leave}</p></section>`
}
