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
  const [names, texts] = [Object.keys(all), Object.values(all)]
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
      await calendar.rows(
        `INSERT INTO letter_deliveries (letter_id, due_utc, state, tries, at_utc) VALUES (1, ${LONG_AGO}, 'sent', 1, ${LONG_AGO})`,
      )
    },
    leftAt: end => ({
      forgotten: `SELECT count(*) AS n FROM letter_deliveries WHERE at_utc = ${LONG_AGO}`,
      letters: `SELECT (SELECT count(*) FROM letters WHERE next_utc < '${end}')
        + (SELECT count(*) FROM letter_deliveries WHERE state <> 'sent') AS n`,
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
