import { beforeEach, describe, expect, it } from 'vitest'
import { withoutGaps } from '../../src/editor/publish/description.ts'
import { decodeEntities } from '../../src/kit/lib/text.ts'
import { latestRow, visitors } from '../calendar/intake/submit.ts'
import { makeEvent, query, send } from '../factories.ts'
import { confirmPublishing } from './forms.ts'
import { signedIn } from './session.ts'

// Whoever decides about a description sees all of it, even if its author has hidden a part.

const editor = signedIn('editor', 'ed')
const contributor = signedIn('contributor', 'cora')
// Visitors can submit nothing to a calendar without one.
signedIn('administrator', 'admin')

beforeEach(() => query(`UPDATE events SET status = 'draft' WHERE status = 'pending'`))

const BEFORE = '<p>Nice concert</p>'
const SPAM = '<p>SPAM</p>'

/** Descriptions with SPAM out of sight: by a gap, or in an attribute. */
const HIDDEN: Readonly<Record<string, string>> = {
  'after 4,500 blanks': `${BEFORE}${' '.repeat(4_500)}${SPAM}`,
  'after 4,500 line ends': `${BEFORE}${'\n'.repeat(4_500)}${SPAM}`,
  'after 900 paragraphs of nothing': `${BEFORE}${'<p></p>'.repeat(900)}${SPAM}`,
  'after 1,100 line breaks': `${BEFORE}${'<br>'.repeat(1_100)}${SPAM}`,
  'after line breaks in a paragraph': `<p>Nice concert${'<br />\n'.repeat(900)}SPAM</p>`,
  'after 800 blanks as entities': `<p>Nice concert${'&nbsp;'.repeat(800)}SPAM</p>`,
  'after numeric entities': `<p>Nice concert${'&#8195;&#x2003;'.repeat(400)}SPAM</p>`,
  'after blanks that are none to a program': `<p>Nice concert${'\u2800'.repeat(4_100)}SPAM</p>`,
  'after paragraphs of blanks as entities': `${BEFORE}${'<p>&nbsp;</p>'.repeat(500)}${SPAM}`,
  'after empty elements in each other': `${BEFORE}${'<ul><li><b></b></li></ul>'.repeat(300)}${SPAM}`,
  'after rows without text': `${BEFORE}<table>${'<tr><td></td></tr>'.repeat(300)}</table>${SPAM}`,
  'after lines': `${BEFORE}${'<hr>'.repeat(1_100)}${SPAM}`,
  'after a long attribute': `<p>Nice concert<br title="${'x'.repeat(4_100)}">SPAM</p>`,
  'after a long address': `<p>Nice <a href="https://a.example/${'x'.repeat(4_100)}">concert</a>SPAM</p>`,
  'after a long text': `<p>${'Nice concert. '.repeat(400)}</p>${SPAM}`,
  'in a title': `${BEFORE}<p title="SPAM">by ear</p>`,
  'in the title of an empty paragraph': `${BEFORE}<p title="SPAM"></p>`,
  'in the text of an image': `${BEFORE}<p><img src="https://a.example/a.png" alt="SPAM"></p>`,
  'in a table’s summary': `${BEFORE}<table summary="SPAM"><tr><td>1</td></tr></table>`,
  'in an address': `${BEFORE}<p><a href="https://spam.example/SPAM">here</a></p>`,
  'in the fallback text of a video': `${BEFORE}<p><video src="https://a.example/a.mp4">SPAM</video></p>`,
  'in place of an entity': `${BEFORE}${'<p></p>'.repeat(900)}<p>&#83;&#80;&#65;&#77;</p>`,
}

const KINDS = ['event', 'venue', 'organizer'] as const

const withDescription = (kind: (typeof KINDS)[number], description: string) =>
  kind === 'event'
    ? { description }
    : { [kind]: { [kind]: `Some ${kind} ${crypto.randomUUID()}`, description } }

/** The part of the review about an event. */
const articleOf = (html: string, id: number): string =>
  new RegExp(`<li class="card" id="event-${id}">.*?</article>`, 's').exec(html)?.[0] ?? ''

/** The word in text, not in a tag. */
const SPAM_SHOWN = />[^<]*SPAM/

describe.each(KINDS)('the description of an %s that is reviewed', kind => {
  it.each(Object.entries(HIDDEN))('shows what its author has put %s', async (_, description) => {
    const { id } = await makeEvent(contributor.as, {
      title: 'Concert',
      status: 'pending',
      ...withDescription(kind, description),
    })
    const { html } = await editor.browser.get('/admin/review/')
    const article = articleOf(html, id)
    expect(decodeEntities(article)).toMatch(SPAM_SHOWN)
    // Nobody has to scroll through screens of nothing.
    expect(article).not.toMatch(/(?:<(?:br|hr)[^>]*>\s*){3}|[\s\u2800\u00a0]{60}|(?:<p>\s*<\/p>\s*){2}/)
  })
})

it('the review shows what visitors have put out of sight', async () => {
  let count = 0
  for (const description of Object.values(HIDDEN)) {
    const { status } = await visitors().send({ title: `Dance ${crypto.randomUUID()}`, description })
    // Theirs may not be as long.
    if (status === 400) continue
    const id = Number((await latestRow()).event_id)
    const stored = (await send('GET', `/events/${id}`, { as: editor.as })).body
    await query('UPDATE submissions SET likeness = 0')
    const { html } = await editor.browser.get('/admin/review/')
    // No attribute of theirs is stored except addresses.
    if (decodeEntities(stored.description).includes('SPAM')) {
      count += 1
      expect(decodeEntities(articleOf(html, id)), description.slice(0, 80)).toMatch(SPAM_SHOWN)
    }
    await query('DELETE FROM submissions')
    await query(`UPDATE events SET status = 'draft' WHERE id = ?`, id)
  }
  expect(count).toBeGreaterThan(3)
})

it('the page that publishes chosen events shows text after 900 empty paragraphs', async () => {
  const description = HIDDEN['after 900 paragraphs of nothing']
  const { id } = await makeEvent(contributor.as, { title: 'Concert', status: 'pending', description })
  expect((await editor.browser.get(`/admin/publish/?event=${id}`)).text).toContain('SPAM')
})

it('publishing in the form asks first if somebody else’s text is easy to miss', async () => {
  const description = HIDDEN['after 1,100 line breaks']
  const { id } = await makeEvent(contributor.as, { title: 'Concert', status: 'pending', description })
  const page = await editor.browser.save(`/admin/events/${id}/`, { status: 'publish' })
  expect(page.text).toContain('Nice concert SPAM')
  expect((await send('GET', `/events/${id}`)).status).toBe(403)
  await confirmPublishing(editor.browser, page)
  expect((await send('GET', `/events/${id}`)).status).toBe(200)
})

it('the review has no fold for the rest of a description that has no more text', async () => {
  const description = `${'<p></p>'.repeat(300)}<p>Nice concert</p>${'<p>&nbsp;</p>'.repeat(300)}`
  await makeEvent(contributor.as, { title: 'Concert', status: 'pending', description })
  expect((await editor.browser.get('/admin/review/')).html).not.toContain('review-rest')
})

describe('withoutGaps', () => {
  it.each([
    '<p>One<br />\ntwo</p>\n<ul><li>a</li><li><b>b</b> c</li></ul>',
    '<p><a href="https://a.example/"><img src="a.png" alt="" /></a></p>',
    '<table><tr><td></td><td>1</td></tr></table>',
    '<p><video controls><source src="a.mp4"><source src="a.webm"></video></p>',
    '<pre>a\n\n    b</pre>',
  ])('leaves %s as it is', html => expect(withoutGaps(html)).toBe(html))

  it.each([
    ['<p>a</p><p><b> </b></p><p><i></i></p><p>b</p>', '<p>a</p> <p>b</p>'],
    ['<p>a<br><br><br><br>b</p>', '<p>a<br><br>b</p>'],
    ['a <i>&zwj;</i> b', 'a  b'],
    ['<p><video><source src="a.mp4">else</video></p>', '<p><video><source src="a.mp4"></video>else</p>'],
  ])('makes %s shorter', (html, shorter) => expect(withoutGaps(html)).toBe(shorter))
})
