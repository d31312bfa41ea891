import type { FeaturePart } from '../../feature-part.ts'

const LONG_AGO = "'2020-01-01 00:00:00'"
const PAST = "'2026-01-01 00:00:00'"

export const submissionsPart: FeaturePart = {
  fromStrangers: {
    'POST /submissions': n => ({
      title: `Concert ${n}`,
      start_date: '2027-06-10 20:00:00',
      end_date: '2027-06-10 22:00:00',
      description: `<p>Programme ${n}</p>`,
      email: `sender-${n}@people.example`,
    }),
  },
  attacked: [
    {
      path: '/submissions',
      makeRow: async ({ must, rows }) => {
        const times = { start_date: '2027-06-10 20:00:00', end_date: '2027-06-10 22:00:00' }
        const { id } = await must('POST', '/events', { title: 'Attacked', ...times, status: 'pending' })
        const [row] = await rows(`INSERT INTO submissions (event_id, token_digest, event_key, created_utc)
          VALUES (${id}, 'attacked ${id}', '', '2026-11-20 12:00:00') RETURNING id`)
        return row?.id
      },
    },
  ],
  due: {
    make: async ({ rows }) => {
      for (let id = 1; id <= 5; id++)
        await rows(`INSERT INTO day_keys (day, key) VALUES ('2026-01-0${id}', '')`)
      for (const [i, columns] of [
        ['sender', "'x'"],
        ['email, decided_utc', `'a@example.org', ${PAST}`],
        ['decided_utc', LONG_AGO],
        ['sender', "''"],
        ['email, is_confirmed, decided_utc', "'b@example.org', 1, '2026-12-19 20:00:00'"],
      ].entries())
        await rows(`INSERT INTO submissions (id, event_id, token_digest, event_key, created_utc, ${columns[0]})
        VALUES (${i + 1}, ${i + 1000}, 'd${i}', '', ${LONG_AGO}, ${columns[1]})`)
      await rows(`INSERT INTO submissions (id, event_id, token_digest, event_key, created_utc, decided_utc, mail_text, via, form_digest)
        VALUES (6, 1006, 'd6', '', ${PAST}, ${PAST}, 'A concert', 'email', 'mail')`)
      await rows(`INSERT INTO remarks (event_id, text, email, created_utc)
        VALUES (1, 'It is over.', 'someone', ${PAST}), (1, 'someone', '', ${LONG_AGO})`)
    },
    leftAt: () => ({
      days: 'SELECT count(*) AS n FROM day_keys',
      senders:
        "SELECT count(*) AS n FROM submissions WHERE sender <> '' OR (email <> '' AND NOT is_confirmed) OR decided_utc IS NULL",
      mails: "SELECT count(*) AS n FROM submissions WHERE mail_text <> '' OR form_digest IS NOT NULL",
      remarks: `SELECT count(*) AS n FROM remarks WHERE email <> '' OR created_utc = ${LONG_AGO}`,
      decisions: 'SELECT count(*) AS n FROM submissions WHERE is_confirmed AND told_utc IS NULL',
      pages: 'SELECT count(*) - 5 AS n FROM submissions',
    }),
  },
}
