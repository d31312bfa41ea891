import { selectPageTexts } from '../../calendar/settings/routes.ts'
import { PAGE_SETTINGS, pagePath } from '../../calendar/settings/schema.ts'
import { ApiError } from '../../kit/lib/errors.ts'
import { summary } from '../../kit/lib/text.ts'
import { definePage } from '../html/define-page.ts'
import { html, raw } from '../html/html.ts'
import { layout } from '../html/layout.ts'
import { richText } from '../html/text.ts'

/** The pages whose texts administrators write: the imprint and the privacy policy. */
export const legalPages = PAGE_SETTINGS.map(name =>
  definePage({
    path: pagePath(name),
    load: selectPageTexts,
    respond: (site, { loaded: { [name]: text } }) => {
      if (text === '') throw new ApiError('rest_no_route', 'There is no such page.')
      const title = site.words[name]
      const main = html`<h1>${title}</h1><div class="rich">${raw(richText(text))}</div>`
      const description = summary(text, MAX_DESCRIPTION_LENGTH)
      return { body: String(layout(site, { title, description, canonical: pagePath(name), main })) }
    },
  }),
)

/** The most characters of a description for search engines. */
const MAX_DESCRIPTION_LENGTH = 160
