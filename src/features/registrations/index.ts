import { defineFeature, type Feature } from '../../feature.ts'
import { registrationsArea } from './area.ts'
import {
  erasureTask,
  peopleToTellSql,
  placesToUpdateSql,
  tellPeople,
  unconfirmedPeople,
  unsentMailsTask,
  updateAllPlaces,
} from './cron.ts'
import { lostMails, mailsDueSql, refusedMails, sendMails } from './mail-queue.ts'
import { registerButton } from './pages/new.ts'
import { ownPages, registerPages } from './pages/visitor-pages.ts'
import { eraseRegistrantRoute, registrationRoutes } from './routes.ts'
import { emailFields, registrationChecks } from './schema.ts'
import { newDateSettingsStatements, settingsCopyStatements, withPeopleSql } from './settings.ts'
import { protectionOfEvent, questionStatements } from './source-questions.ts'
import { registrants, registrationMails, registrations } from './tables.ts'
import { ownerEndStatements } from './tickets.ts'
import words from './words.ts'

const PERSONAL =
  "Registrants consented to this calendar alone storing their data, so backups don't include it."
const NOBODY = 'A restored calendar has no registrants.'
const COMPUTED_AGAIN = 'Computed again after a restore.'

const DECLARED = {
  errors: {
    403: {
      rest_registration_closed:
        'Registration has not opened yet or has closed, or the event does not take place.',
    },
    404: {
      'rest-registration-not-found': 'This event does not take registrations here.',
      'rest-registrant-not-found': 'There is no such person on the list.',
      'registrant-archive-page-not-found': 'The list has no such page.',
    },
    409: {
      rest_registration_asked: '`asked` is not what the source of the event asks now.',
      rest_registration_full: 'There are not that many places left, or others are waiting for them.',
      rest_registration_people:
        'People have registered: `confirm` must be their number, `data.people`. `data.unconfirmed` more have not confirmed, and are erased as well.',
    },
    503: {
      rest_registration_mails_used_up:
        'No more e-mails about registrations can be sent today, for this event or for any.',
    },
  },
  capabilities: { manage_registrants: 'administrator' },
  words,
  fields: { registrant: emailFields.shape },
  history: { registrant: { table: registrants, requires: 'manage_registrants' } },
} as const

/** Registration for events, with places and a waiting list. Only these tables hold names and addresses. */
export const registrationsFeature: Feature<typeof DECLARED> = defineFeature({
  name: 'registrations',
  declares: DECLARED,
  tables: { registrations, registrants, registrationMails },
  backup: {
    registrations: {
      omittedColumns: {
        closed: 'Restored registrations are closed until their organizers open or end them.',
        taken: NOBODY,
        waiting: NOBODY,
        told: NOBODY,
        told_utc: NOBODY,
        asked: NOBODY,
        tickets: COMPUTED_AGAIN,
        tickets_utc: COMPUTED_AGAIN,
      },
      checks: registrationChecks,
      toRow: row => ({ ...row, closed: true }),
      note: 'Registrations are closed and empty: their organizers open or end them.',
    },
    registrants: PERSONAL,
    registrationMails: PERSONAL,
  },
  references: {
    registrations: {
      event_id: {
        event: {
          deletionStatements: ids => ownerEndStatements('event', ids),
          copyStatements: change => settingsCopyStatements('event', change),
          protectedSql: id => withPeopleSql('event', id),
          protection: protectionOfEvent,
          questionStatements,
        },
      },
      series_id: {
        series: {
          deletionStatements: ids => ownerEndStatements('series', ids),
          copyStatements: change => settingsCopyStatements('series', change),
          protectedSql: id => withPeopleSql('series', id),
          newDateStatements: newDateSettingsStatements,
        },
      },
      // The cron compares it with the current dates, and follows merged venues. A deleted date counts as
      // cancelled.
      told: { event: {}, venue: { merged: false } },
      // What a source wants stays, until it no longer wants it, or somebody answers.
      asked: { event: {} },
    },
  },
  routes: registrationRoutes,
  docTags: { registrations: 'People who register for events.' },
  forms: { '/registrations': ownPages, '/register': registerPages },
  erasing: [eraseRegistrantRoute],
  parts: { eventAction: registerButton },
  area: registrationsArea,
  tasks: ({ mailer, ...run }) => [
    ...(mailer
      ? [
          {
            name: 'registrations: e-mails',
            dueSql: mailsDueSql(run.nowMs),
            work: () => sendMails({ ...run, mailer }),
          },
        ]
      : []),
    unsentMailsTask(run, mailer ? 'off' : 'always'),
    { name: 'registrations: changes', dueSql: peopleToTellSql(run.nowMs), work: () => tellPeople(run) },
    { name: 'registrations: places', dueSql: placesToUpdateSql(run.nowMs), work: () => updateAllPlaces(run) },
    erasureTask(run),
  ],
  expired: nowMs => [unconfirmedPeople(nowMs), lostMails(nowMs), refusedMails(nowMs)],
})
