import type { FeaturePart, Written } from '../../feature-part.ts'

const LONG_AGO = "'2020-01-01 00:00:00'"
const DUE = 6

/** Makes a letter with a confirmed address. @param values of further columns in SQL */
const insert = ({ rows }: Pick<Written, 'rows'>, values: Readonly<Record<string, string>>) => {
  const all = {
    ...{ name: "'The week'", days: '7', weekday: "'thursday'", hour: '7', language: "'en'", subject: "''" },
    ...{ to_email: "'week@lists.example'", confirmed_email: "'week@lists.example'" },
    api: "'https://town.example/calendar/events/v1'",
    created_utc: "'2026-11-20 12:00:00'",
    ...values,
  }
  const names = Object.keys(all)
  const texts = Object.values(all)
  return rows(`INSERT INTO letters (${names.join(', ')}) VALUES (${texts.join(', ')}) RETURNING id`)
}

export const lettersPart: FeaturePart = {
  backup: {
    letters: `id version name filters days weekday hour language subject intro to empty api created_utc last_sent_utc`,
  },
  fill: async calendar => {
    // Only requests to a calendar that can send e-mails make one.
    const filters = `'{"categories":"jazz"}'`
    await insert(calendar, { filters, next_utc: "'2026-11-26 07:00:00'", zone: "'UTC'" })
  },
  due: {
    make: async calendar => {
      for (let i = 0; i < DUE; i++)
        await insert(calendar, {
          ...{ days: '62', weekday: "'sunday'", hour: '3', empty: "'say'" },
          ...{ next_utc: "'2026-12-20 03:00:00'", zone: "'UTC'" },
        })
      const times = { start_date: '2026-12-22 19:00:00', end_date: '2026-12-22 21:00:00' }
      await calendar.must('POST', '/events', { title: 'In the news', ...times })
      await calendar.rows(`INSERT INTO news_choices (filters, language, api)
        VALUES ('{}', 'en', 'https://town.example/calendar/events/v1'), ('{}', 'de', 'https://town.example/calendar/events/v1')`)
      await calendar.rows(`INSERT INTO subscribers (email, choice_id, weekday, asked_utc, consented_utc, consent, next_utc)
        SELECT 'reader-' || value || '@people.example', value % 2 + 1, 'sunday', ${LONG_AGO}, ${LONG_AGO}, 1, '2026-12-20 03:00:00'
        FROM json_each('[1, 2, 3, 4, 5, 6]')`)
      await calendar.rows(
        `INSERT INTO subscribers (email, choice_id, weekday, asked_utc) VALUES ('silent@people.example', 1, 'sunday', ${LONG_AGO})`,
      )
      await calendar.rows(
        `INSERT INTO letter_deliveries (letter_id, due_utc, state, tries, at_utc) VALUES (1, ${LONG_AGO}, 'sent', 1, ${LONG_AGO})`,
      )
    },
    leftAt: end => ({
      forgotten: `SELECT count(*) AS n FROM letter_deliveries WHERE at_utc = ${LONG_AGO}`,
      letters: `SELECT (SELECT count(*) FROM letters WHERE next_utc < '${end}')
        + (SELECT count(*) FROM letter_deliveries WHERE state <> 'sent') AS n`,
      news: `SELECT ${DUE} - count(*) AS n FROM subscribers WHERE state = 'sent' AND next_utc > '${end}'`,
      unconfirmed: 'SELECT count(*) AS n FROM subscribers WHERE consented_utc IS NULL',
      sent: `SELECT ${DUE} - count(*) AS n FROM letter_deliveries WHERE state = 'sent' AND at_utc <> ${LONG_AGO}`,
    }),
  },
  rights: [
    [/^(?:GET|POST) \/admin\/letters\//, 'editor'],
    [/^(?:GET|POST) \/admin\/subscribers\//, 'administrator'],
  ],
  menu: ['/admin/letters/'],
  fromStrangers: {
    'POST /subscribers': n => ({ email: `reader-${n}@people.example`, weekday: 'thursday' }),
  },
  attacked: [
    {
      path: '/letters',
      makeRow: async calendar => (await insert(calendar, { confirmed_email: "''" }))[0]?.id,
      sendsMail: true,
    },
    { path: '/subscribers', sendsMail: true },
  ],
}
