import { LETTERS_WAITING, sendLetters } from '../../../../src/features/letters/send.ts'
import { API } from '../../../node-calendar.ts'
import { describeWaiting, EVENT } from '../../../waiting-work.ts'

await describeWaiting('letters', ({ calendar, mailer, settings }) => ({
  make: async names => {
    await calendar.must('POST', '/events', EVENT)
    for (const name of names)
      await calendar.rows(`INSERT INTO letters (name, days, weekday, hour, language, subject, to_email, confirmed_email, api,
          created_utc, zone, next_utc)
        VALUES ('${name}', 30, 'friday', 12, 'en', '', '${name}@lists.example', '${name}@lists.example', '${API}',
          '2026-01-01 00:00:00', 'UTC', '2026-11-20 12:00:00')`)
  },
  run: db => sendLetters({ db, settings, mailer, nowMs: Date.now() }),
  tables: ['letter_deliveries', 'letters'],
  table: 'letters',
  isRowOf: name => `NEW.name = '${name}'`,
  policy: LETTERS_WAITING,
}))
