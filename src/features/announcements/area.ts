import { settled, together } from '../../db/query.ts'
import { type AnnouncedEvent, readAnnouncement } from '../../intake/readers/text/drafts.ts'
import { toWall } from '../../lib/time.ts'
import type { Admin } from '../../web/editor/admin.ts'
import { filledEventForm } from '../../web/editor/events/edit.ts'
import type { AdminPage } from '../../web/editor/layout.ts'
import { type Area, defineAdminPage } from '../../web/editor/route.ts'
import { type Body, wordsOfField } from '../../web/forms/control.ts'
import { form, textOf } from '../../web/forms/element.ts'
import { newInput } from '../../web/forms/entries.ts'
import { EVENT_FORM } from '../../web/forms/forms.ts'
import { loadChoices } from '../../web/forms/load.ts'
import { NAMES } from '../../web/forms/repetition/rule.ts'
import { backLink, type Html, html } from '../../web/html/html.ts'
import { filled } from '../../words/words.ts'
import { selectKnown } from './known.ts'
import { MARKED, markedText, numberOf } from './marked.ts'
import { LONGEST_TEXT } from './schema.ts'

const PASTE = '/admin/events/paste/'

/** The page on which a text is pasted. @param text one in which no event was found */
function askPage(admin: Admin, text = ''): AdminPage {
  const words = admin.texts.announcement
  return {
    title: words.title,
    main: html`${backLink('/admin/events/', admin.site.words.events)}
<h1>${words.title}</h1>
<p>${words.lead}</p>
${text !== '' && html`<p class="notice" role="alert">${words.none}</p>`}
${form(admin, {
  action: PASTE,
  look: 'paste-form',
  body: html`<label for="paste-text">${words.text}</label>
<textarea id="paste-text" name="text" rows="14" maxlength="${LONGEST_TEXT}" required>${text}</textarea>
<div class="actions"><button class="button" type="submit">${words.read}</button></div>`,
})}`,
  }
}

/** The values of a draft as the form shows them. A day without a time leaves the time empty. */
const bodyOf = ({
  venue,
  organizer,
  start_date,
  end_date,
  title,
  cost,
  website,
  all_day,
}: AnnouncedEvent): Body => ({
  title: title ?? '',
  start_date: timed(start_date),
  end_date: timed(end_date ?? start_date),
  all_day,
  cost: cost ?? '',
  website: website ?? '',
  ...(venue?.id !== undefined && { venue }),
  ...(organizer?.id !== undefined && { organizer: [organizer] }),
})

const timed = (date: string): string => (date.length > 10 ? date : `${date} 00:00:00`)

/** The inputs that differ from what the values show: new venues, further dates, and times that nobody said. */
function entriesOf(draft: AnnouncedEvent): [name: string, values: readonly string[]][] {
  const { venue, organizer, address = '', city = '', dates = [], start_date, end_date } = draft
  const isNew = venue !== undefined && venue.id === undefined
  return [
    ...(isNew
      ? ([
          [newInput('venue', 'venue'), [venue.venue]],
          [newInput('venue', 'address'), [address]],
          [newInput('venue', 'city'), [city]],
        ] as [string, string[]][])
      : []),
    ...(organizer && organizer.id === undefined
      ? ([[newInput('organizer', 'organizer'), [organizer.organizer]]] as [string, string[]][])
      : []),
    ...(start_date.length > 10 || draft.all_day ? [] : ([['start_date_time', ['']]] as [string, string[]][])),
    ...(end_date === undefined || end_date.length <= 10
      ? ([['end_date_time', ['']]] as [string, string[]][])
      : []),
    ...(dates.length > 0
      ? ([
          [NAMES.repeat, ['dates']],
          [NAMES.also, dates.map(date => timed(date).replace(' ', 'T').slice(0, 16))],
        ] as [string, string[]][])
      : []),
  ]
}

/** What was found, with its numbers in the text. */
function foundList(admin: Admin, draft: AnnouncedEvent): Html {
  const { language, texts } = admin
  const shown: Partial<Record<(typeof MARKED)[number], string | undefined>> = {
    title: draft.title,
    start_date: draft.start_date.slice(0, 16),
    end_date: draft.end_date?.slice(0, 16),
    venue: draft.venue?.venue,
    address: draft.address,
    city: draft.city,
    organizer: draft.organizer?.organizer,
    cost: draft.cost,
    website: draft.website,
  }
  const labelOf = (field: (typeof MARKED)[number]): string =>
    field === 'address' || field === 'city'
      ? wordsOfField(language, 'venue', field).label
      : field === 'start_date'
        ? texts.announcement.start
        : field === 'end_date'
          ? texts.announcement.end
          : wordsOfField(language, 'event', field).label
  return html`<dl class="found-list">${MARKED.filter(field => shown[field] && draft.evidence[field]).map(
    field =>
      html`<div><dt><span class="found-number found-${numberOf(field)}">${numberOf(field)}</span> ${labelOf(field)}</dt><dd dir="auto">${shown[field]}</dd></div>\n`,
  )}</dl>`
}

/** The drafts of a text, as buttons that show one after the other. */
const draftTabs = (
  admin: Admin,
  text: string,
  drafts: readonly AnnouncedEvent[],
  current: number,
): Html | '' =>
  drafts.length < 2
    ? ''
    : form(admin, {
        action: PASTE,
        look: 'paste-drafts',
        body: html`<input type="hidden" name="text" value="${text}">
<p>${filled(admin.texts.announcement.several, { n: drafts.length })}</p>
<div class="actions">${drafts.map(
          (draft, i) =>
            html`<button class="button button-quiet" type="submit" name="draft" value="${i}"${i === current && html` aria-current="true"`}>${draft.title ?? draft.start_date.slice(0, 16)}</button>`,
        )}</div>`,
      })

const pastePage = defineAdminPage({
  path: PASTE,
  requires: 'edit_content',
  load: () => settled(undefined),
  respond: admin => askPage(admin),
  handle: async (admin, { form: data }) => {
    const { context } = admin
    const text = textOf(data, 'text').slice(0, LONGEST_TEXT)
    const { known, choices } = await context.db.get(
      together({ known: selectKnown(context), choices: loadChoices(context, EVENT_FORM) }),
    )
    const { timezone } = context.settings
    const today = toWall(context.now, timezone).slice(0, 10)
    const { drafts } = readAnnouncement(text, {
      ...known,
      today,
      timezone,
      currency: context.settings.currency.symbol,
    })
    const current = Math.min(Math.max(Number(textOf(data, 'draft')) || 0, 0), Math.max(drafts.length - 1, 0))
    const draft = drafts[current]
    if (!draft) return askPage(admin, text)
    const page = filledEventForm(admin, { choices, body: bodyOf(draft), entries: entriesOf(draft) })
    const words = admin.texts.announcement
    return {
      ...page,
      main: html`<div class="pasted"><section class="pasted-text" aria-labelledby="pasted"><h2 id="pasted">${words.pasted}</h2>
${draftTabs(admin, text, drafts, current)}
<p class="small">${words.check}</p>
${draft.event_status === 'canceled' && html`<p class="notice">${words.canceled}</p>`}
${foundList(admin, draft)}
<div class="pasted-original" dir="auto">${markedText(text, draft)}</div></section>
<div class="pasted-form">${page.main}</div></div>`,
    }
  },
})

export const announcementArea: Area = {
  routes: [pastePage],
  besideNew: [{ path: PASTE, label: texts => texts.announcement.link, requires: 'edit_content' }],
}
