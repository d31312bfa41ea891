import { WEEKDAYS } from '../../../lib/recurrence/rule.ts'
import type { DateTime } from '../../../lib/time.ts'
import { filled, repetitionWords } from '../../../words/words.ts'
import { weekdayName } from '../../html/repeats.ts'
import type { Site } from '../../html/site.ts'
import type { Controls } from './controls.ts'
import { namedDay, PRESETS, type Preset, UNITS, WAYS, type Way } from './shapes.ts'

/** What the words for rules name: the second Tuesday, the 10th of June. */
function named(site: Pick<Site, 'dates' | 'words'>, from: DateTime) {
  const { weekday, day, nth } = namedDay(from)
  return {
    day: weekdayName(site, weekday),
    nth: site.words.nths.split(' ')[nth - 1] ?? `${nth}.`,
    n: day,
    date: site.dates.format('dayOfYear', from),
  }
}

/** A preset in words, made from a day: «Every month on the second Tuesday». */
export const presetLabel = (site: Site, preset: Preset, from: DateTime): string =>
  filled(repetitionWords(site.language)[preset], named(site, from))

/** A way to name a day in months and years: «on the second Tuesday of the month». */
export const wayLabel = (site: Site, way: Way, from: DateTime): string =>
  filled(repetitionWords(site.language)[way], named(site, from))

/** The rule of a repetition in words, without its end. */
function ruleLabel(site: Site, { repeat, interval, unit, days, way }: Controls, from: DateTime): string {
  const words = repetitionWords(site.language)
  const preset = PRESETS.find(name => name === repeat)
  if (preset) return presetLabel(site, preset, from)
  if (repeat === 'dates' || repeat === 'kept') return words[repeat]
  const known = UNITS.find(name => name === unit)
  const how = WAYS.find(name => name === way)
  const onDays = days.map(day => weekdayName(site, WEEKDAYS.indexOf(day)))
  return [
    `${words.every} ${interval} ${known ? words[known] : unit}`,
    ...(known === 'week' ? [site.dates.all(onDays)] : []),
    ...(how && (known === 'month' || known === 'year') ? [wayLabel(site, how, from)] : []),
  ].join(', ')
}

/** A whole repetition in words, for those who compare two versions. */
export function repetitionLabel(site: Site, controls: Controls, from: DateTime): string {
  const words = repetitionWords(site.language)
  const { repeat, end, until, count, also, not } = controls
  if (repeat === '') return words.none
  return [
    ruleLabel(site, controls, from),
    ...(end === 'on' ? [`${words.ends}: ${words.until} ${until}`] : []),
    ...(end === 'after' ? [`${words.ends}: ${words.after} ${count} ${words.countUnit}`] : []),
    ...(also.length > 0 ? [`${words.also}: ${also.join(', ')}`] : []),
    ...(not.length > 0 ? [`${words.not}: ${not.join(', ')}`] : []),
  ].join('; ')
}
