import { NOTICES_WAITING, sendNotices } from '../../src/editor/notices.ts'
import { describeWaiting, EVENT } from '../waiting-work.ts'

await describeWaiting('notices', ({ calendar, mailer, settings }) => ({
  make: async names => {
    for (const name of names)
      await calendar.rows(`INSERT INTO users (login, role, created_utc, email, notices, noticed_utc)
        VALUES ('${name}', 'editor', '2026-01-01 00:00:00', '${name}@town.example', 'now', '2026-11-20 11:00:00')`)
    await calendar.must('POST', '/events', { ...EVENT, status: 'pending' })
  },
  run: db => sendNotices({ db, settings, mailer, nowMs: Date.now() }),
  tables: [],
  table: 'users',
  isRowOf: name => `NEW.login = '${name}'`,
  policy: NOTICES_WAITING,
}))
