import { describe, expect, it } from 'vitest'
import { occurrenceDates } from '../../src/kit/lib/recurrence/dates.ts'
import { FREQUENCIES, formatRule, parseRule, WEEKDAYS } from '../../src/kit/lib/recurrence/rule.ts'
import { addDays, addMonths } from '../../src/kit/lib/time.ts'
import { entriesOf } from '../../src/site/forms/entries.ts'
import { presetLabel } from '../../src/site/forms/repetition/control.ts'
import {
  controlsOf,
  entriesOfRepetition,
  type KnownRecurrence,
  NO_REPETITION,
  recurrenceOf,
  repetitionIn,
  ruleIn,
} from '../../src/site/forms/repetition/rule.ts'
import {
  namedDay,
  type PRESETS,
  presetsFrom,
  ruleOfShape,
  shapeOfPreset,
} from '../../src/site/forms/repetition/shapes.ts'
import type { PageContext } from '../../src/site/html/page-context.ts'
import { datesOf } from '../../src/words/dates.ts'
import { textsIn } from '../../src/words/words.ts'

/** Numbers that are the same in every run. */
function randomNumbers(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const site = (language: string) =>
  // The parts of a site that labels need.
  ({ language, words: textsIn(language).pages, dates: datesOf(language) }) as PageContext

const known = (rrule: string, first: string, more: Partial<KnownRecurrence> = {}): KnownRecurrence => ({
  rrule,
  rdate: [],
  exdate: [],
  first,
  date: first,
  shown: first,
  ...more,
})

/** The repetition that a browser sends from the controls of a recurrence. */
function sent(before: KnownRecurrence, change: Record<string, string | string[]> = {}) {
  const form = new FormData()
  for (const [name, texts] of entriesOfRepetition({ controls: controlsOf(before), known: before }))
    for (const text of change[name] === undefined ? texts : []) form.append(name, text)
  for (const [name, texts] of Object.entries(change))
    for (const text of [texts].flat()) form.append(name, text)
  const repetition = repetitionIn(entriesOf(form))
  if (!repetition) throw new Error('The form has no repetition.')
  return repetition
}

/** A rule of random parts, in the form in which rules are stored. */
function randomRule(random: (below: number) => number): string | undefined {
  const some = <T>(items: readonly T[]): T => items[random(items.length)] as T
  const parts = [`FREQ=${some(FREQUENCIES)}`]
  if (random(3) === 0) parts.push(`INTERVAL=${1 + random(5)}`)
  if (random(3) === 0)
    parts.push(some(['COUNT=7', 'UNTIL=20281231', 'UNTIL=20280630T195959', 'UNTIL=20290101T100000Z']))
  if (random(4) === 0) parts.push(`BYMONTH=${1 + random(12)}`)
  if (random(4) === 0) parts.push(`BYMONTHDAY=${some(['-1', '1', '10', '31', '1,15', '-2'])}`)
  if (random(3) === 0)
    parts.push(`BYDAY=${some(['MO', 'TU', 'MO,WE,FR', '2TU', '-1FR', '5MO', 'SA,SU', '1MO,3MO'])}`)
  if (random(8) === 0) parts.push(`BYSETPOS=${some(['1', '-1'])}`)
  if (random(8) === 0) parts.push(`WKST=${some(WEEKDAYS)}`)
  try {
    return formatRule(parseRule(parts.join(';')))
  } catch {
    return undefined
  }
}

describe('a rule', () => {
  it('survives an unchanged form', () => {
    const random = randomNumbers(7)
    const shown = new Set<string>()
    let rules = 0
    while (rules < 800) {
      const rrule = randomRule(random)
      if (rrule === undefined) continue
      rules++
      const before = known(rrule, addDays('2027-01-01 20:00:00', random(1_500)))
      const repetition = sent(before)
      shown.add(repetition.controls.repeat)
      expect(ruleIn(repetition, before.shown), `${rrule} from ${before.first}`).toBe(rrule)
      expect(recurrenceOf(repetition, before.shown)).toBeUndefined()
      // A change of the end keeps the rest.
      const ended = sent(before, { recurrence_end: 'after', recurrence_count: '3' })
      const without = rrule.replace(/;(COUNT|UNTIL)=[^;]*/, '')
      const { count, ...rest } = parseRule(ruleIn(ended, before.shown))
      expect([count, formatRule(rest)]).toEqual([3, without])
    }
    expect([...shown]).toEqual(expect.arrayContaining(['weekly', 'daily', 'yearly', 'kept', 'own']))
  })

  it('has the dates that its label promises', () => {
    const random = randomNumbers(11)
    for (let n = 0; n < 60; n++) {
      const start = addDays('2027-01-01 20:00:00', random(2_000))
      const day = namedDay(start)
      const is: Record<(typeof PRESETS)[number], (date: string) => boolean> = {
        weekly: date => namedDay(date).weekday === day.weekday,
        'month-nth': date => namedDay(date).weekday === day.weekday && namedDay(date).nth === day.nth,
        'month-last': date => namedDay(date).weekday === day.weekday && namedDay(date).isLast,
        'month-date': date => namedDay(date).day === day.day,
        'month-end': date => namedDay(date).isEnd,
        yearly: date => date.slice(5) === start.slice(5),
        daily: () => true,
        weekdays: date => namedDay(date).weekday < 5,
      }
      const offered = presetsFrom(start)
      for (const preset of offered) {
        const rule = ruleOfShape(shapeOfPreset(preset, start), start)
        expect(controlsOf(known(formatRule(rule), start)).repeat).toBe(preset)
        const expanded = firstOf(rule, start)
        const to = expanded.at(-1) ?? ''
        const said = []
        for (let date = start; date <= to; date = addDays(date, 1)) if (is[preset](date)) said.push(date)
        expect(expanded, `${preset} from ${start}`).toEqual(said)
      }
      // Each is offered if and only if its words are true of the start.
      expect(offered.includes('weekdays')).toBe(day.weekday < 5)
      expect(offered.includes('month-end')).toBe(addDays(start, 1).slice(8, 10) === '01')
      expect(offered.includes('month-last')).toBe(addDays(start, 7).slice(5, 7) !== start.slice(5, 7))
    }
  })

  it('has a label in each language', () => {
    const labels = (language: string, start: string) =>
      presetsFrom(start).map(preset => presetLabel(site(language), preset, start))
    expect(labels('en-GB', '2027-06-08 20:00:00')).toEqual([
      'Every Tuesday',
      'Monthly, second Tuesday',
      'Monthly, day 8',
      'Yearly, 8 June',
      'Every day',
      'Monday to Friday',
    ])
    expect(labels('de', '2027-06-25 20:00:00').slice(0, 5)).toEqual([
      'Jeden Freitag',
      'Vierter Freitag im Monat',
      'Letzter Freitag im Monat',
      'Jeden Monat am 25.',
      'Jedes Jahr am 25. Juni',
    ])
    expect(labels('es', '2027-06-30 20:00:00').slice(0, 4)).toEqual([
      'Cada miércoles',
      'El último miércoles del mes',
      'El día 30 de cada mes',
      'El último día del mes',
    ])
    expect(labels('fr', '2027-06-12 20:00:00')).toEqual([
      'Chaque samedi',
      'Le deuxième samedi du mois',
      'Le 12 de chaque mois',
      'Chaque année, le 12 juin',
      'Tous les jours',
    ])
  })
})

const firstOf = (rule: ReturnType<typeof ruleOfShape>, start: string): readonly string[] =>
  occurrenceDates({ start, rule }, { to: addMonths(start, 100), limit: 8 }).dates

describe('a recurrence of a form', () => {
  const tuesday = '2027-06-08 20:00:00'
  const fresh = (controls: object) => ({ controls: { ...NO_REPETITION, ...controls } })

  it('of a new event follows from the controls', () => {
    expect(recurrenceOf(fresh({}), tuesday)).toBeUndefined()
    expect(recurrenceOf(fresh({ repeat: 'weekly', end: 'after', count: '10' }), tuesday)).toEqual({
      rrule: 'FREQ=WEEKLY;COUNT=10',
    })
    expect(
      recurrenceOf(
        fresh({
          repeat: 'own',
          interval: '2',
          days: ['TH', 'TU'],
          end: 'on',
          until: '2027-12-31',
          not: ['2027-06-22'],
        }),
        tuesday,
      ),
    ).toEqual({ rrule: 'FREQ=WEEKLY;INTERVAL=2;UNTIL=20271231T235959;BYDAY=TU,TH', exdate: ['2027-06-22'] })
    expect(recurrenceOf(fresh({ repeat: 'own', unit: 'year', way: 'nth' }), tuesday)).toEqual({
      rrule: 'FREQ=YEARLY;BYMONTH=6;BYDAY=2TU',
    })
    expect(recurrenceOf(fresh({ repeat: 'dates', also: ['2027-06-10T20:00'] }), tuesday)).toEqual({
      rdate: ['2027-06-10T20:00'],
    })
  })

  const ten = { repeat: 'weekly', end: 'after', count: '10' }
  const left = ['2027-06-22', '2027-06-29', '2027-07-06']
  const summer = { from: '2027-06-20', to: '2027-07-08' }

  it('has as many dates that take place as the number says', () => {
    const made = (controls: object) => recurrenceOf(fresh({ ...ten, ...controls }), tuesday)
    expect(made(summer)).toEqual({ rrule: 'FREQ=WEEKLY;COUNT=13', exdate: left })
    expect(made({ not: ['2027-06-22', '2027-06-23'] })).toEqual({
      rrule: 'FREQ=WEEKLY;COUNT=11',
      exdate: ['2027-06-22', '2027-06-23'],
    })
    // A break in which the last date would be moves it on; one after the last date changes nothing.
    expect(made({ ...summer, count: '3' })).toEqual({ rrule: 'FREQ=WEEKLY;COUNT=6', exdate: left })
    expect(made({ from: '2027-09-01', to: '2027-09-30' })).toEqual({ rrule: 'FREQ=WEEKLY;COUNT=10' })
  })

  it('shows that number again, and stays as it is until it is changed', () => {
    const exdate = left.map(day => `${day} 20:00:00`)
    const before = known('FREQ=WEEKLY;COUNT=13', tuesday, { exdate })
    const change = (controls = {}, start = tuesday, of = before) => recurrenceOf(sent(of, controls), start)
    expect(controlsOf(before).count).toBe('10')
    expect(change()).toBeUndefined()
    expect(change({}, '2027-06-09 20:00:00')).toBeUndefined()
    expect(change({ recurrence_count: '12' })).toEqual({ rrule: 'FREQ=WEEKLY;COUNT=15' })
    // A date that is left out on its own is one date less.
    expect(change({ recurrence_not: [...left, '2027-07-13'] })).toEqual({ exdate: [...left, '2027-07-13'] })
    const whole = known('FREQ=WEEKLY;COUNT=10', tuesday)
    const days = { recurrence_from: summer.from, recurrence_to: summer.to }
    expect(change(days, tuesday, whole)).toEqual({ rrule: 'FREQ=WEEKLY;COUNT=13', exdate: left })
    // The last date is left out already.
    const short = known('FREQ=WEEKLY;COUNT=10', tuesday, { exdate: ['2027-08-10 20:00:00'] })
    expect([controlsOf(short).count, change({}, tuesday, short)]).toEqual(['9', undefined])
  })

  it('from one date on has the rest of the number, or as many as are typed', () => {
    const exdate = left.map(day => `${day} 20:00:00`)
    const date = '2027-07-13 20:00:00'
    const shown = '2027-07-13 20:00:00'
    const before = known('FREQ=WEEKLY;COUNT=13', tuesday, { exdate, date, shown })
    const change = (controls: object) => recurrenceOf(sent(before, { ...controls }), shown, 'following')
    expect(change({ recurrence_count: '4' })).toEqual({ rrule: 'FREQ=WEEKLY;COUNT=4' })
    expect(change({ recurrence_from: '2027-07-18', recurrence_to: '2027-07-26' })).toEqual({
      rrule: 'FREQ=WEEKLY;COUNT=9',
      exdate: [...left, '2027-07-20'],
    })
  })

  it('of random controls has that number, shows it again and keeps it', () => {
    const random = randomNumbers(8)
    for (let n = 0; n < 300; n++) {
      const start = addDays('2027-01-01 20:00:00', random(400))
      const [preset = 'weekly'] = presetsFrom(start).slice(random(3))
      const from = addDays(start, random(200) - 10)
      const days = random(90)
      const not = Array.from({ length: random(3) }, () => addDays(start, 7 * (1 + random(20))).slice(0, 10))
      const count = 1 + random(12)
      const controls = {
        ...{ repeat: preset, end: 'after', count: String(count), not },
        ...(random(2) === 0 && { from: from.slice(0, 10), to: addDays(from, days).slice(0, 10) }),
      }
      const choice = recurrenceOf(fresh(controls), start)
      if (!choice) throw new Error('It does not repeat.')
      const exdate = (choice.exdate ?? []).map(day => `${day}${start.slice(10)}`)
      const set = { start, rule: parseRule(choice.rrule ?? ''), exdate }
      const held = occurrenceDates(set, { to: addMonths(start, 900), limit: 99 }).dates
      expect(held.length, JSON.stringify({ start, controls, choice })).toBe(count)
      const stored = known(choice.rrule ?? '', start, { exdate })
      expect(controlsOf(stored).count).toBe(String(count))
      expect(recurrenceOf(sent(stored), start)).toBeUndefined()
    }
  })

  it('of the earlier dates ends before the later ones, whatever is changed', () => {
    const before = known('FREQ=WEEKLY;UNTIL=20270629T195959', tuesday)
    const change = (controls: Record<string, string | string[]>, start = tuesday) =>
      recurrenceOf(sent(before, controls), start)
    expect(controlsOf(before).until).toBe('2027-06-28')
    expect(change({})).toBeUndefined()
    expect(change({}, '2027-06-08 19:00:00')).toBeUndefined()
    expect(change({ recurrence: 'own', recurrence_days: ['TU', 'TH'] })).toEqual({
      rrule: 'FREQ=WEEKLY;UNTIL=20270628T235959;BYDAY=TU,TH',
    })
    expect(change({ recurrence_until: '2027-06-29' })).toEqual({ rrule: 'FREQ=WEEKLY;UNTIL=20270629T235959' })
  })

  it('with invalid controls is left to the API to refuse', () => {
    const rule = (controls: object) => recurrenceOf(fresh(controls), tuesday)
    expect(rule({ repeat: 'weekly', end: 'after', count: '' })).toEqual({ rrule: 'FREQ=WEEKLY;COUNT=' })
    expect(rule({ repeat: 'weekly', end: 'on', until: 'soon' })).toEqual({ rrule: 'FREQ=WEEKLY;UNTIL=soon' })
    expect(rule({ repeat: 'own', interval: '0;COUNT=3' })).toEqual({
      rrule: 'FREQ=WEEKLY;INTERVAL=0 COUNT 3',
    })
    expect(rule({ repeat: 'FREQ=SECONDLY' })).toEqual({ rrule: 'FREQ=FREQ SECONDLY' })
    expect(rule({ repeat: 'kept' })).toEqual({ rrule: 'FREQ=kept' })
  })

  it('of a series contains only changes', () => {
    const before = known('FREQ=WEEKLY', tuesday, {
      exdate: ['2027-06-22 20:00:00'],
      rdate: ['2027-06-10 18:00:00'],
    })
    const change = (controls: Record<string, string | string[]>, start = tuesday) =>
      recurrenceOf(sent(before, controls), start)
    expect(change({})).toBeUndefined()
    expect(change({ recurrence: '' })).toBe('')
    expect(change({ recurrence_not: [] })).toEqual({ exdate: [] })
    expect(change({ recurrence_not: ['2027-06-22', '2027-06-29'] })).toEqual({
      exdate: ['2027-06-22', '2027-06-29'],
    })
    expect(change({ recurrence_end: 'on', recurrence_until: '2027-09-01' })).toEqual({
      rrule: 'FREQ=WEEKLY;UNTIL=20270901T235959',
    })
    // A break adds its dates to the excluded ones, which move with the event.
    const summer = { recurrence_from: '2027-06-20', recurrence_to: '2027-07-08' }
    expect(change(summer)).toEqual({ exdate: ['2027-06-22', '2027-06-29', '2027-07-06'] })
    expect(change({ ...summer, recurrence_not: [] }, '2027-06-10 20:00:00')).toEqual({
      exdate: ['2027-06-24', '2027-07-01', '2027-07-08'],
    })
    expect(change({ recurrence_known: '{"rrule":"FREQ=DAILY"' })).toEqual({
      rrule: 'FREQ=WEEKLY',
      rdate: ['2027-06-10T18:00'],
      exdate: ['2027-06-22'],
    })
  })

  it('moves with the event, and sends its rule again if that names the day', () => {
    const wednesday = '2027-06-09 20:00:00'
    const change = (rrule: string, start = wednesday) => recurrenceOf(sent(known(rrule, tuesday), {}), start)
    expect(change('FREQ=WEEKLY;COUNT=5')).toBeUndefined()
    expect(change('FREQ=WEEKLY;BYDAY=TU')).toEqual({ rrule: 'FREQ=WEEKLY' })
    expect(change('FREQ=MONTHLY;BYDAY=2TU')).toEqual({ rrule: 'FREQ=MONTHLY;BYDAY=2WE' })
    const twice = 'FREQ=WEEKLY;BYDAY=TU,TH'
    expect(change(twice)).toBeUndefined()
    expect(change(twice, '2027-06-10 20:00:00')).toEqual({ rrule: twice })
    // The API says that its days have to be chosen again.
    expect(change('FREQ=MONTHLY;BYDAY=TU;BYSETPOS=2')).toBeUndefined()
  })
})
