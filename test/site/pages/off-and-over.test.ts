import { expect, it, vi } from 'vitest'
import { declareUser, send } from '../../factories.ts'
import { eventMakerFor, page } from './page.ts'

// What pages say of events that are cancelled, postponed or over.

const admin = declareUser('administrator', 'admin')
const addEvent = eventMakerFor(admin)

it('a past date names the next one that takes place', async () => {
  const recurrence = { rrule: 'FREQ=WEEKLY;COUNT=4' }
  const first = await addEvent('Rehearsal', '2027-03-02 18:00', '2027-03-02 20:00', { recurrence })
  const { body } = await send('GET', `/events?series=${first.series.id}&start_date=2027-03-01`, { as: admin })
  const [, second, third] = body.events
  for (const [event, event_status] of [
    [second, 'canceled'],
    [third, 'postponed'],
  ])
    await send('PATCH', `/events/${event.id}`, { as: admin, json: { event_status } })
  vi.setSystemTime('2027-03-03T12:00:00Z')
  const { text } = await page('/event/rehearsal/2027-03-02/')
  expect(text).toMatch(/This event is over\. Next date: Tue, Mar 23/)
})

it('a postponed event is neither on, nor over, nor next', async () => {
  vi.setSystemTime('2027-05-10T12:30:00Z')
  await addEvent('Moved concert', '2027-05-10 12:00', '2027-05-10 14:00', { event_status: 'postponed' })
  await addEvent('Later talk', '2027-05-12 10:00', '2027-05-12 11:00')
  const today = await page('/events/today/')
  expect(today.text).toContain('Called off')
  expect(today.text).not.toContain('On now')
  vi.setSystemTime('2027-05-10T15:00:00Z')
  expect((await page('/event/moved-concert/')).text).not.toContain('This event is over')
  vi.setSystemTime('2027-05-09T12:00:00Z')
  expect((await page('/events/today/')).text).toMatch(/Next: .*Later talk/)
})

it('an evening without events doesn’t say that nothing takes place that day', async () => {
  vi.setSystemTime('2027-06-10T12:00:00Z')
  await addEvent('Lunch concert', '2027-06-10 13:00', '2027-06-10 14:00')
  expect((await page('/events/today/')).text).toContain('Lunch concert')
  expect((await page('/events/today/?evening=1')).text).not.toMatch(/nothing.*today/i)
})

it.each([
  ['en', 'Nothing begins tonight. Next: Saturday,', 'Nothing more begins tonight. Next: Saturday,'],
  ['de', 'Heute Abend beginnt nichts. Als Nächstes: Samstag,', 'Heute Abend beginnt nichts mehr. Als'],
  ['fr', 'Rien ne commence ce soir. Ensuite : samedi,', 'Plus rien ne commence ce soir. Ensuite :'],
  ['es', 'Esta noche no empieza nada. Lo próximo: sábado,', 'Esta noche ya no empieza nada más. Lo'],
])('“Tonight” names the next event in its own words: %s', async (LANGUAGE, none, noMore) => {
  const vars = { LANGUAGE }
  const tonight = async () => (await page('/events/today/?evening=1', { vars })).text
  vi.setSystemTime('2028-06-16T12:00:00Z')
  const made = [
    await addEvent('Afternoon', '2028-06-16 14:00', '2028-06-16 22:00'),
    await addEvent('After midnight', '2028-06-17 00:30', '2028-06-17 03:00'),
  ]
  const before = await tonight()
  expect(before).toContain(none)
  expect(before.match(/After midnight/g)).toHaveLength(2)
  expect(before).not.toContain('Afternoon')
  made.push(await addEvent('Evening song', '2028-06-16 19:00', '2028-06-16 20:00'))
  expect(await tonight()).not.toContain('After midnight')
  vi.setSystemTime('2028-06-16T23:30:00Z')
  expect(await tonight()).toContain(noMore)
  for (const { id } of made) await send('DELETE', `/events/${id}?force=true`, { as: admin })
})

it('whole days of tomorrow in zones further east come next', async () => {
  vi.setSystemTime('2028-07-14T22:00:00Z')
  const fields = { all_day: true, timezone: 'Pacific/Auckland' }
  await addEvent('Feast', '2028-07-15', '2028-07-15', fields)
  const { text } = await page('/events/today/')
  expect(text).toMatch(/^Today Fri, Jul 14 .*Nothing today\. Next: Saturday, Feast/)
})

it.each([
  ['fr', 'jusqu’à 21:00'],
  ['es', 'hasta las 21:00'],
])('the end of an event in a list reads as a time: %s', async (LANGUAGE, words) => {
  vi.setSystemTime('2027-07-10T12:00:00Z')
  await addEvent(`Evening ${LANGUAGE}`, '2027-07-10 19:00', '2027-07-10 21:00')
  const { text } = await page('/events/', { vars: { LANGUAGE } })
  expect(text.replace(/\s+/g, ' ')).toContain(words)
})
