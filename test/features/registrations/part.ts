import type { FeaturePart, Written } from '../../feature-part.ts'

const LONG_AGO = "'2020-01-01 00:00:00'"
const OVER = "'2026-10-01 18:00:00'"

/**
 * Makes a registration for an event with somebody on its list. Only requests to a calendar that can send
 * e-mails make one.
 */
async function insert(
  { must, rows }: Written,
  name: string,
  created = "'2026-11-20 12:00:00'",
): Promise<number> {
  const event = await must('POST', '/events', {
    title: 'Course',
    start_date: '2027-06-10 18:00:00',
    end_date: '2027-06-10 20:00:00',
  })
  const [registration] = await rows(
    `INSERT INTO registrations (event_id, places, tickets, api) VALUES (${event.id}, 1, 'waitlist', 'https://town.example/calendar/events/v1') RETURNING id`,
  )
  await rows(`INSERT INTO registrants (registration_id, state, name, email, language, position, created_utc)
    VALUES (${registration?.id}, 'confirmed', '${name}', '${name}@people.example', 'en', 1, ${created})`)
  return Number(event.id)
}

export const registrationsPart: FeaturePart = {
  backup: {
    registrations: `id version event_id series_id places per_person opens_days opens_time closes_days closes_time waiting_list
      question former api`,
  },
  fill: async calendar => void (await insert(calendar, 'registered-person')),
  keptOut: /registered-person/i,
  ofEvent: async ({ rows }, event) =>
    void (await rows(
      `INSERT INTO registrations (event_id, places, api) VALUES (${event}, 12, 'https://town.example/calendar/events/v1')`,
    )),
  due: {
    make: async calendar => {
      const waitsForDate = await insert(calendar, 'long-ago', LONG_AGO)
      await calendar.rows(`UPDATE events SET event_status = 'postponed' WHERE id = ${waitsForDate}`)
      await insert(calendar, 'waiting')
      await calendar.rows("UPDATE registrants SET state = 'waiting' WHERE name = 'waiting'")
      await calendar.rows(
        `INSERT INTO registrants (registration_id, name, email, language, created_utc) VALUES (1, 'asked', 'asked@people.example', 'en', ${LONG_AGO})`,
      )
      const over = await insert(calendar, 'over', OVER)
      await calendar.rows(
        `UPDATE events SET start_date = ${OVER}, end_date = ${OVER}, utc_start_date = ${OVER}, utc_end_date = ${OVER} WHERE id = ${over}`,
      )
      await calendar.rows(`UPDATE registrations SET told = (SELECT json_array(json_object('id', id, 'title', title,
        'start', start_date, 'end', end_date, 'utc', json_array(utc_start_date, utc_end_date), 'day', all_day, 'zone', timezone,
        'status', event_status, 'why', 0, 'online', 0, 'venue', NULL, 'place', '', 'address', '')) FROM events WHERE id = event_id)`)
      await calendar.rows(`INSERT INTO registration_mails (kind, registration_id, registrant_id, email, language, api, claimed_utc, held_utc)
        SELECT 'confirmed', 1, 1, 'late@people.example', 'en', 'https://town.example/calendar/events/v1', value ->> 0, value ->> 1
        FROM json_each(json_array(json_array(${OVER}, ''), json_array('', ${OVER})))`)
    },
    leftAt: () => ({
      forgotten: `SELECT count(*) AS n FROM registrants WHERE created_utc = ${LONG_AGO}`,
      over: "SELECT count(*) AS n FROM registrants WHERE name = 'over'",
      mails: 'SELECT count(*) AS n FROM registration_mails',
      moved: "SELECT count(*) AS n FROM registrants WHERE state = 'waiting'",
    }),
  },
  rights: [[/^(?:GET|POST) \/admin\/registrations\//, 'contributor']],
  fromStrangers: {
    'POST /events/{id}/registrations': n => ({
      name: `Person ${n}`,
      email: `person-${n}@people.example`,
      consent: true,
    }),
    // The first one is on the list, and is sent the link.
    'POST /events/{id}/registrations/link': n => ({
      email: n === 1 ? 'attacked@people.example' : `person-${n}@people.example`,
    }),
  },
  attacked: [
    {
      path: '/events/{id}/registration',
      makeRow: async calendar => {
        const event = await insert(calendar, 'attacked')
        await calendar.rows(`UPDATE registrations SET places = 12 WHERE event_id = ${event}`)
        return event
      },
      sendsMail: true,
    },
    {
      path: '/events/{id}/registrations',
      makeRow: calendar => insert(calendar, 'attacked-list'),
      sendsMail: true,
    },
    {
      path: '/registrations',
      makeRow: async calendar => {
        await insert(calendar, 'attacked-person')
        return (await calendar.rows('SELECT max(id) AS id FROM registrants'))[0]?.id
      },
      sendsMail: true,
    },
  ],
}
