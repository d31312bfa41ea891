import { and, eq, sql } from 'drizzle-orm'
import { checkedBy, checkedJson, checksOfFields } from '../../calendar/content/backup-tables.ts'
import { LIST_FILTERS } from '../../calendar/content/dependents.ts'
import { EVENT_FIELDS } from '../../calendar/events/schema.ts'
import type { ConfirmedAddresses } from '../../calendar/users/email.ts'
import { defineFeature, type Feature, writingTask } from '../../feature.ts'
import { recorded } from '../../kit/db/audit.ts'
import { first, mapQuery } from '../../kit/db/query.ts'
import { build } from '../../kit/db/statements.ts'
import { mayWriteToStrangers } from '../../kit/work/mail.ts'
import { filled } from '../../words/words.ts'
import { lettersArea } from './area.ts'
import { subscribersArea } from './news/area.ts'
import { isNewsOn } from './news/limits.ts'
import { newsLine, newsLink } from './news/pages/form.ts'
import { invitationQuery, signUpPage } from './news/pages/new.ts'
import { newsPages } from './news/pages/visitor-pages.ts'
import { eraseSubscriberRoute, newsRoutes } from './news/routes.ts'
import { lookUpFields } from './news/schema.ts'
import { newsDueSql, newsToSuspendSql, sendNews, suspensionStatements } from './news/send.ts'
import { unconfirmedSubscribers } from './news/subscribers.ts'
import { oldLetterDeliveries } from './queries.ts'
import { letterRoutes } from './routes.ts'
import { LETTER_FIELDS } from './schema.ts'
import { letterDueSql, letterSuspensionStatements, letterToSuspendSql, sendLetters } from './send.ts'
import { letterDeliveries, letters, newsChoices, subscribers } from './tables.ts'
import words from './words.ts'

const confirmedAddresses: ConfirmedAddresses = {
  selectName: ({ id, email }) =>
    mapQuery(
      first(
        build
          .select({ name: letters.name })
          .from(letters)
          .where(and(eq(letters.id, id), eq(letters.to_email, email))),
      ),
      row => row?.name,
    ),
  confirmationStatements: (context, { id, email }, validSql) =>
    recorded(
      context,
      // The next time of the letter is computed again, from now on.
      build
        .update(letters)
        .set({ confirmed_email: email, zone: '' })
        .where(and(eq(letters.id, id), eq(letters.to_email, email), validSql)),
      { action: 'update', kind: 'letter', fields: ['to'], id },
    ),
  mail: ({ mail }, values) => filled(mail.confirmLetter, values),
  page: ({ account }, values) => filled(account.confirmLetter, values),
}

const RESTORED_OFF = 'Restored letters are switched off, so that a copy of a calendar sends none.'

const NOT_COPIED =
  'Subscribers have agreed to e-mail from this calendar alone, so no file has their addresses.'

const DECLARED = {
  errors: {
    404: {
      'rest-letter-not-found': 'There is no such letter.',
      'letter-archive-page-not-found': 'The list has no such page.',
      'rest-delivery-not-found': 'There is no such delivery, or it has been deleted.',
      'delivery-archive-page-not-found': 'The list has no such page.',
    },
    409: {
      rest_own_address_not_confirmed:
        'The caller has no confirmed e-mail address: it is set on the account page of the editor.',
      'letters-are-too-many': 'The maximum number of letters has been reached.',
      rest_letter_cannot_be_sent:
        'The letter has already been sent or queued, was a test, its address is not confirmed, or its filters name something that visitors cannot see.',
    },
  },
  capabilities: { manage_letters: 'editor', manage_subscribers: 'administrator' },
  words,
  fields: { letter: LETTER_FIELDS, subscriber: lookUpFields.shape },
  history: {
    letter: { table: letters, name: sql`name`, requires: 'manage_letters', path: '/admin/letters/' },
    subscriber: { table: subscribers, requires: 'manage_subscribers' },
  },
} as const

/** Coming events by e-mail, once a week: to addresses that editors give, and to people who sign up. */
export const lettersFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'letters',
  declares: DECLARED,
  tables: { letters, letterDeliveries, newsChoices, subscribers },
  backup: {
    letters: {
      fields: { to_email: 'to' },
      omittedColumns: {
        confirmed_email:
          'Addresses are confirmed again, so that a restored calendar writes to nobody who has not agreed to it.',
        active: RESTORED_OFF,
        next_utc: RESTORED_OFF,
        zone: RESTORED_OFF,
      },
      checks: {
        ...checksOfFields(LETTER_FIELDS),
        to: checkedBy(LETTER_FIELDS.to.param),
        filters: checkedJson(checkedBy(LETTER_FIELDS.filters.param)),
        api: checkedBy(EVENT_FIELDS.website.param),
      },
      toRow: row => ({ ...row, active: false }),
    },
    letterDeliveries: 'A log of letters.',
    newsChoices: NOT_COPIED,
    subscribers: NOT_COPIED,
  },
  references: { letters: { filters: LIST_FILTERS }, newsChoices: { filters: LIST_FILTERS } },
  routes: [...letterRoutes, ...newsRoutes],
  docTags: {
    letters: 'Upcoming events by e-mail, once a week, for editors and administrators.',
    subscribers: 'People who sign up to news by e-mail.',
  },
  forms: { '/news': newsPages },
  erasing: [eraseSubscriberRoute],
  pages: [signUpPage],
  siteLinks: site => (isNewsOn(site.context) ? [newsLink(site)] : []),
  belowLists: (site, filters) => (isNewsOn(site.context) ? newsLine(site, invitationQuery(filters)) : ''),
  area: {
    ...lettersArea,
    routes: [...lettersArea.routes, ...subscribersArea.routes],
    menu: [...(lettersArea.menu ?? []), ...(subscribersArea.menu ?? [])],
  },
  addresses: { letter: confirmedAddresses },
  tasks: ({ mailer, ...run }) => [
    ...(mailer
      ? [
          {
            name: 'letters',
            dueSql: letterDueSql(run.settings, run.nowMs),
            work: () => sendLetters({ ...run, mailer }),
          },
        ]
      : []),
    ...(mailer && mayWriteToStrangers(run.settings)
      ? [{ name: 'news', dueSql: newsDueSql(run.nowMs), work: () => sendNews({ ...run, mailer }) }]
      : []),
    writingTask(run.db, {
      name: 'letters that are off',
      runsWhile: 'off',
      dueSql: letterToSuspendSql,
      statements: letterSuspensionStatements,
    }),
    writingTask(run.db, {
      name: 'news that are off',
      runsWhile: 'off',
      dueSql: newsToSuspendSql(run.nowMs),
      statements: suspensionStatements(run.settings, run.nowMs),
    }),
  ],
  expired: nowMs => [unconfirmedSubscribers(nowMs), oldLetterDeliveries(nowMs)],
})
