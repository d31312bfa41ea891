import { decodeEntities } from '../../src/kit/lib/text.ts'
import type { ShownPage } from '../site/pages/page.ts'
import type { Browser } from './session.ts'

/** The values that a browser would send for the form of a page, without that of a button. */
export function fieldsIn(html: string, id = 'editor-form'): Record<string, string[]> {
  const whole = new RegExp(`<form\\b[^>]*id="${id}"[\\s\\S]*?</form>`).exec(html)?.[0] ?? html
  const form = whole.replace(/<template>[\s\S]*?<\/template>/g, '')
  const fields: Record<string, string[]> = {}
  const add = (name: string, value: string) => {
    if (name === '_token') return
    fields[name] = [...(fields[name] ?? []), decodeEntities(value)]
  }
  const attribute = (tag: string, name: string): string | undefined =>
    new RegExp(` ${name}="([^"]*)"`).exec(tag)?.[1]
  for (const [whole, tag] of form.matchAll(/<(input|textarea|select)\b[^>]*>/g)) {
    const name = attribute(whole, 'name')
    const type = attribute(whole, 'type') ?? 'text'
    if (name === undefined || type === 'file') continue
    const after = form.slice(form.indexOf(whole) + whole.length)
    if (tag === 'textarea') add(name, after.slice(0, after.indexOf('</textarea>')).replace(/^\n/, ''))
    else if (tag === 'select') {
      const options = after.slice(0, after.indexOf('</select>')).match(/<option\b[^>]*>/g) ?? []
      add(
        name,
        attribute(options.find(option => / selected/.test(option)) ?? options[0] ?? '', 'value') ?? '',
      )
    } else if (!['checkbox', 'radio'].includes(type) || / checked/.test(whole))
      add(name, attribute(whole, 'value') ?? '')
  }
  return fields
}

/** What a page shows to be copied, such as a secret that is shown once. */
export const secretsIn = ({ html }: ShownPage): string[] =>
  [...html.matchAll(/<code>([^<]+)<\/code>/g)].map(([, secret = '']) => secret)

/** The undo address of the notice on a page, or none. */
export const undoOf = ({ html }: Pick<ShownPage, 'html'>): string =>
  /(?:href|action)="(\/admin\/undo\/[^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&') ?? ''

/** The fields of the form of one event in the review, as it was shown. */
export function reviewForm(html: string, id: number): Record<string, string[]> {
  const item = new RegExp(`<li class="card" id="event-${id}">.*?</article></li>`, 's').exec(html)?.[0] ?? ''
  return fieldsIn(item.slice(item.indexOf('<form')))
}

/** Presses the button of the page that shows what would become public, if that is what was shown. */
export function confirmPublishing(browser: Browser, page: ShownPage): Promise<ShownPage> {
  const [form = '', action = ''] =
    /<form method="post" action="(\/admin\/publish\/[^"]*)".*?<\/form>/s.exec(page.html) ?? []
  return form === '' ? Promise.resolve(page) : browser.submit(decodeEntities(action), fieldsIn(form))
}
