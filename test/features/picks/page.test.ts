import { beforeAll, describe, expect, it, vi } from 'vitest'
import { declareUser, makeDatabaseAnew, makeEvent, query, SITE, send } from '../../factories.ts'
import { measure } from '../../kit/http/metrics.ts'
import { sendWith } from '../../kit/http/worker.ts'
import { TODAY } from '../../setup.ts'

// The page of picks, whose address says what is kept.

beforeAll(makeDatabaseAnew)

const admin = declareUser('administrator', 'admin')
const page = (query: string) => send('GET', `${SITE}/picks/${query}`)
const minutes = (utc: string) => Date.parse(utc) / 60_000
const WHEN = { start_date: '2027-03-10 18:00:00', end_date: '2027-03-10 20:00:00', timezone: 'UTC' }

describe('/picks/', () => {
  it('says what it is for, and is not for search engines', async () => {
    const { status, text, headers } = await page('')
    expect(status).toBe(200)
    expect(text).toContain('Nothing picked yet')
    expect(text).toContain('<noscript>')
    expect(text).toContain('<a href="/picks/" aria-current="true">')
    expect(text).toContain('content="noindex, follow"')
    expect(headers.get('content-security-policy')).toContain("script-src 'self'")
  })

  it('shows events by day, for others without when they were', async () => {
    const event = await makeEvent(admin, { title: 'Concert', ...WHEN })
    const shared = await page(`?ids=${event.id},99999`)
    expect(shared.text).toContain(
      '<h1><span data-own="Your picks" data-other="A shared selection">A shared selection</span> <span class="count" data-picks-count>2</span></h1>',
    )
    expect(shared.text).toContain(`data-event="${event.id}"`)
    expect(shared.text).toContain('1 more is no longer in this calendar.')
    const own = await page(`?ids=${event.id}-${minutes('2027-03-10T18:00:00Z')}`)
    expect(own.text).toContain('>Your picks</span>')
    expect(own.text).not.toContain('Changed since')
    expect(own.text).toContain(`data-share="${SITE}/picks/?ids=${event.id}"`)
  })

  it('says what was moved or cancelled since', async () => {
    const moved = await makeEvent(admin, { title: 'Moved', ...WHEN })
    const off = await makeEvent(admin, { title: 'Called off', ...WHEN, event_status: 'canceled' })
    const day = await makeEvent(admin, {
      title: 'Fair',
      start_date: '2027-03-12',
      end_date: '2027-03-12',
      all_day: true,
    })
    const ids = [
      `${moved.id}-${minutes('2027-03-09T17:00:00Z')}`,
      `${off.id}-${minutes('2027-03-10T18:00:00Z')}`,
      `${day.id}-${minutes('2027-03-11T00:00:00Z')}`,
    ]
    const { text } = await page(`?ids=${ids}`)
    const [, changed = ''] = /<section class="notice picks-changed"(.*?)<\/section>/s.exec(text) ?? []
    expect(changed).toContain('Moved')
    expect(changed).toContain('was Tue, Mar 9, 5:00 PM')
    expect(changed).toContain('Called off')
    expect(changed).toContain('was Thu, Mar 11<')
    // What a badge says is not said again.
    const before = `${moved.id}-${minutes('2027-03-10T18:00:00Z')}`
    await send('PATCH', `/events/${moved.id}`, {
      as: admin,
      json: {
        event_status: 'rescheduled',
        start_date: '2027-03-11 18:00:00',
        end_date: '2027-03-11 20:00:00',
      },
    })
    expect((await page(`?ids=${before}`)).text.match(/was Wed, Mar 10/g)?.length).toBe(2)
    const same = await page(`?ids=${day.id}-${minutes('2027-03-12T00:00:00Z')}`)
    expect(same.text).not.toContain('picks-changed')
  })

  /** What stands on top of the page: its heading, and the titles below it. */
  async function onTop(query: string): Promise<string[]> {
    const [section = ''] =
      /<section class="notice picks-changed".*?<\/section>/s.exec((await page(query)).text) ?? []
    return [...section.matchAll(/<h2[^>]*>([^<]*)|<a [^>]*>([^<]*)/g)].map(
      ([, head, title]) => head ?? title ?? '',
    )
  }

  it('lists nothing as changed that was so when the event was picked', async () => {
    const start = minutes('2027-03-10T18:00:00Z')
    const off = await makeEvent(admin, { title: 'Off', ...WHEN, event_status: 'canceled' })
    const later = await makeEvent(admin, { title: 'Later', ...WHEN, event_status: 'postponed' })
    const moved = await makeEvent(admin, { title: 'New', ...WHEN, event_status: 'rescheduled' })
    const kept = `${off.id}-${start}-canceled,${later.id}-${start}-postponed,${moved.id}-${start}`
    expect(await onTop(`?ids=${kept}`)).toEqual([])
    const changed = `${off.id}-${start}-postponed,${later.id}-${start},${moved.id}-${start - 60}`
    expect(await onTop(`?ids=${changed}`)).toEqual(['Changed since you picked them', 'Off', 'Later', 'New'])
    // Whoever opens a shared selection has kept nothing.
    const shared = `${off.id},${later.id},${moved.id}`
    expect(await onTop(`?ids=${shared}`)).toEqual(['Moved or cancelled', 'Off', 'Later', 'New'])
    const { text } = await page(`?ids=${shared}`)
    expect(text).toContain('<title>A shared selection · ')
    const hooks = [...text.matchAll(/data-event="(\d+)"[^>]* data-off="(\w+)"/g)].map(([, ...hook]) => hook)
    expect(hooks).toEqual([
      [String(off.id), 'canceled'],
      [String(later.id), 'postponed'],
    ])
  })

  it('says of the next date of a series that it is off, not that it changed', async () => {
    const { series } = await makeEvent(admin, {
      title: 'Rehearsal',
      ...WHEN,
      recurrence: 'FREQ=DAILY;COUNT=2',
      event_status: 'canceled',
    })
    expect(await onTop(`?series=${series.id}`)).toEqual(['Moved or cancelled', 'Rehearsal'])
  })

  it('has the event into which one was merged, once, and says that it was moved', async () => {
    const shown = await makeEvent(admin, { title: 'Shown twin', ...WHEN })
    const merged = await makeEvent(admin, { title: 'Merged twin', ...WHEN })
    await query('UPDATE events SET duplicate_of = ? WHERE id = ?', shown.id, merged.id)
    const { text } = await page(`?ids=${merged.id}-${minutes('2027-03-09T18:00:00Z')},${shown.id}`)
    expect(text).toContain('data-picks-count>1<')
    expect(text).toContain(`data-picks-merged="${merged.id}:${shown.id}"`)
    expect(text).not.toContain('no longer in this calendar')
    const one = await page(`?ids=${merged.id}-${minutes('2027-03-09T18:00:00Z')}`)
    expect(one.text).toContain('was Tue, Mar 9')
    expect(one.text).toContain(`data-share="${SITE}/picks/?ids=${shown.id}"`)
  })

  it('counts each event once, and says that a series is gone', async () => {
    const recurrence = 'FREQ=DAILY;COUNT=2'
    const { id, series } = await makeEvent(admin, { title: 'Course', ...WHEN, recurrence })
    const twice = await page(`?ids=${id},${id}&series=${series.id}`)
    expect(twice.text).toContain('data-picks-count>2<')
    expect(twice.text).not.toContain('no longer in this calendar')
    await send('DELETE', `/events/${id}?scope=all`, { as: admin })
    const gone = await page(`?series=${series.id}`)
    expect(gone.text).toContain('1 more is no longer in this calendar.')
  })

  it('folds what is past', async () => {
    const past = await makeEvent(admin, {
      title: 'Long over',
      start_date: '2026-01-10 10:00:00',
      end_date: '2026-01-10 12:00:00',
    })
    const { text } = await page(`?ids=${past.id}`)
    expect(text).toMatch(/<details class="earlier"><summary>1 past event<\/summary>.*Long over/s)
  })

  it('shows the next date of a series, and leads to all', async () => {
    const first = await makeEvent(admin, { title: 'Choir', ...WHEN, recurrence: 'FREQ=WEEKLY;COUNT=3' })
    const { text } = await page(`?series=${first.series.id},99999`)
    expect(text.match(/class="event-title"/g)).toHaveLength(1)
    expect(text).toMatch(
      new RegExp(`data-event="${first.id}" data-start="[^"]+" data-series="${first.series.id}"`),
    )
    expect(text).toContain('href="/event/choir/all/"')
  })

  it('shows the date of a series that is on until it is over, then the one after it, and the last one for good', async () => {
    const { series } = await makeEvent(admin, {
      title: 'Market',
      start_date: '2027-05-10 08:00:00',
      end_date: '2027-05-10 12:00:00',
      timezone: 'UTC',
      recurrence: 'FREQ=WEEKLY;COUNT=3',
    })
    const shownAt = async (utc: string) => {
      vi.setSystemTime(new Date(utc))
      return /data-event="\d+" data-start="([^T]+)/.exec((await page(`?series=${series.id}`)).text)?.[1]
    }
    expect(await shownAt('2027-05-10T07:00:00Z')).toBe('2027-05-10')
    expect(await shownAt('2027-05-10T11:59:00Z')).toBe('2027-05-10')
    expect(await shownAt('2027-05-10T12:00:00Z')).toBe('2027-05-17')
    expect(await shownAt('2027-05-24T13:00:00Z')).toBe('2027-05-24')
    vi.setSystemTime(TODAY)
  })

  it('reads few rows for series with many dates', async () => {
    const ids: number[] = []
    for (let i = 0; i < 4; i++) {
      const recurrence = 'FREQ=DAILY;COUNT=300'
      const { series } = await makeEvent(admin, { title: `Daily ${i}`, ...WHEN, recurrence })
      ids.push(series.id)
    }
    const { status, rows } = await measure('GET', `${SITE}/picks/?series=${ids}`)
    expect(status).toBe(200)
    expect(rows).toBeLessThan(300)
  })

  it('shows nothing that is not public', async () => {
    const ids = await Promise.all(
      [{ status: 'private' }, { status: 'draft' }, { hide_from_listings: true }].map(async fields => {
        const { id } = await makeEvent(admin, { title: 'Secret words', ...WHEN, ...fields })
        return id
      }),
    )
    const { text } = await page(`?ids=${ids}`)
    expect(text).not.toContain('Secret words')
    expect(text).toContain('3 more are no longer in this calendar.')
  })

  it.each([
    '?ids=x',
    '?ids=1-',
    '?ids=1-29680140-scheduled',
    '?ids=0',
    '?series=x',
    `?ids=${Array.from({ length: 501 }, (_, i) => i + 1)}`,
  ])('refuses %s', async query => {
    expect((await page(query)).status).toBe(400)
  })

  it('takes 500 with the times of all, in one round trip', async () => {
    const ids = Array.from({ length: 500 }, (_, i) => `${1_000_000 + i}-29680140`)
    expect((await page(`?ids=${ids}`)).status).toBe(200)
  })
})

describe('every page', () => {
  it('names events for the hearts, but none that lists hide', async () => {
    const shown = await makeEvent(admin, { title: 'Shown', ...WHEN })
    const hidden = await makeEvent(admin, { title: 'Hidden', ...WHEN, hide_from_listings: true })
    expect((await send('GET', `${SITE}/events/`)).text).toContain(
      `data-event="${shown.id}" data-start="2027-03-10T18:00:00+00:00"`,
    )
    expect((await send('GET', `${SITE}/event/shown/`)).text).toMatch(
      /<article class="single" data-event="\d+"/,
    )
    expect((await send('GET', `${SITE}/event/hidden/`)).text).not.toContain(`data-event="${hidden.id}"`)
  })

  it('has neither hearts nor a link where picks are switched off', async () => {
    const off = sendWith({ FEATURES: 'feeds' })
    const { text } = await off('GET', `${SITE}/events/`)
    expect(text).not.toContain('id="pick"')
    expect(text).not.toContain('/picks/')
    expect((await off('GET', `${SITE}/picks/`)).status).toBe(404)
    expect((await off('POST', '/picks', { json: { ids: [1] } })).body.code).toBe('rest_no_route')
  })
})
