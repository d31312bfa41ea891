import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import { PYTHON } from '../../../needs.ts'
import { askAsOwner, dayFromNow as day, declareService } from '../../../service.ts'
import { asShown } from '../expand.ts'

// Debian's Python libraries as judges of calendars: they share no code with ours, nor with ical.js.

type Judged = {
  icalendar: {
    errors: string[]
    events: [uid: string, start: string, end: string, title: string, status: string][]
  }
  vobject: { events: number; dates: Record<string, string[]>; serialized: boolean }
}

/**
 * The verdict of a program on a text. The event loop keeps running meanwhile, because the service closes
 * connections.
 */
async function run(program: string, text: string) {
  const running = promisify(execFile)(PYTHON, [join(import.meta.dirname, program)], {
    maxBuffer: 100_000_000,
  })
  running.child.stdin?.end(text)
  return JSON.parse((await running).stdout)
}

const judge = (calendar: string): Promise<Judged> => run('judge.py', calendar)

describe('to other parsers', { tags: ['python'] }, () => {
  const server = declareService()
  type Body = Record<string, ReturnType<typeof JSON.parse>>

  const call = (method: string, path: string, json?: object) => askAsOwner(server)<Body>(method, path, json)

  beforeAll(async () => {
    const make = (fields: object) => call('POST', '/events', fields)
    const at = (n: number, from = '22:30', to = '23:45') => ({
      start_date: `${day(n)} ${from}`,
      end_date: `${day(n)} ${to}`,
    })
    await make({
      title: 'Text, with; all \\ of "it"\u2028 日本語'.repeat(8),
      description: `<p>${'Käse & Brot, '.repeat(50)}</p>`,
      ...at(3),
    })
    await make({ title: 'Whole days', start_date: day(5), end_date: day(7), all_day: true })
    await make({ title: 'Weekly', ...at(2), timezone: 'Europe/Berlin', recurrence: 'FREQ=WEEKLY' })
    await make({
      title: 'Yearly days',
      start_date: day(4),
      end_date: day(4),
      all_day: true,
      recurrence: 'FREQ=DAILY;INTERVAL=20',
    })
    await make({ title: 'By offset', ...at(2), timezone: 'UTC+5.5', recurrence: 'FREQ=DAILY;COUNT=20' })
    await make({
      title: 'Whole hours',
      ...at(2),
      timezone: 'UTC-3',
      recurrence: 'FREQ=DAILY;INTERVAL=3;COUNT=20',
    })
    await make({
      title: 'Named',
      ...at(2),
      timezone: 'America/New_York',
      recurrence: { rdate: [`${day(9)} 10:00`, `${day(10)} 10:00`] },
    })
    const night = await make({
      title: 'Night',
      start_date: `${day(1)} 22:00`,
      end_date: `${day(2)} 06:00`,
      timezone: 'Europe/Rome',
      recurrence: 'FREQ=DAILY',
    })
    const { events } = await call('GET', `/events?series=${night.series.id}&per_page=20`)
    await call('PATCH', `/events/${events[2].id}`, { title: 'Another night' })
    await call('PATCH', `/events/${events[4].id}`, {
      start_date: `${day(5)} 18:00`,
      end_date: `${day(5)} 19:00`,
    })
    await call('PATCH', `/events/${events[6].id}`, { event_status: 'canceled' })
    await call('DELETE', `/events/${events[8].id}`)
    const gone = await make({ title: 'Gone', ...at(3) })
    await call('DELETE', `/events/${gone.id}`)
  })

  it.each(['', 'search=night', 'start_date=+10 days&end_date=+90 days'])(
    'a calendar shows what the list shows, with the filters %s',
    async query => {
      const sent = query.replaceAll('+', '%2B')
      const text = await (await fetch(`${server.api}/events.ics?${sent}`)).text()
      const start = query.includes('start_date') ? '' : `&start_date=${day(-90)}`
      const list: Body[] = []
      for (let page = 1, pages = 1; page <= pages; page++) {
        const body = await call('GET', `/events?${sent}${start}&status=publish&per_page=100&page=${page}`)
        list.push(...body.events)
        pages = body.total_pages
      }
      expect(list.length).toBeGreaterThan(0)
      const { icalendar, vobject } = await judge(text)
      expect(icalendar.errors).toEqual([])
      const ownTitle = (title: string) => title.replace(/^(?:Cancelled|New date): /, '')
      // The hour that judge.py adds to the end of rules may give an endless series another date two years
      // ahead.
      const isBeforeHorizon = (start: string) => start < day(700)
      const judged = icalendar.events.filter(([, start]) => isBeforeHorizon(start))
      expect(judged.map(([, start, end, title]) => `${start} ${end} ${ownTitle(title)}`).sort()).toEqual(
        list
          .map(asShown)
          .filter(({ start }) => isBeforeHorizon(start))
          .map(({ start, end, title }) => `${start} ${end} ${title}`)
          .sort(),
      )
      expect(vobject).toMatchObject({ serialized: true, events: expect.any(Number) })
    },
  )

  it('RSS is valid with any characters in titles', async () => {
    const title = 'A ]]> & &amp; "q" \u0000\u000b\ufffe 𝄞'
    await call('POST', '/events', {
      title,
      description: `<p>${title} <a href="https://example.org/?a=1&b=2">x</a></p>`,
      start_date: day(1),
      end_date: day(1),
    })
    const input = await (await fetch(`${server.api}/events.rss`)).text()
    const { wrong, titles }: { wrong: string[]; titles: string[] } = await run('rss.py', input)
    expect([...new Set(wrong)]).toEqual([])
    expect(titles).toContain('A ]]> & & "q"  𝄞')
    expect(titles.length).toBeGreaterThan(50)
  })
})
