// One known event, said in thousands of ways; what is scored:
//
// - Every case says exactly what it lists in `expect.events`, and nothing else: each event that is found must
//   be one of these, and each of these is found exactly or not at all. `parts` names what may be left out or
//   made plainer (`without`): noise, the shape (`shape:…`), and every form that is not the plainest (`day:…`,
//   `time:…`, `layout:…`): without it the plainest is used.
// - `start`, `end`: `YYYY-MM-DD HH:MM` if a time was said, else `YYYY-MM-DD` with `all_day`. `end` is null
//   where none was said and none may be given, and undefined where it is not scored (a duration was said).
//   For stays it is the last day.
// - `dates`: all further starts besides `start`. `open`: a series without an end; `start` is the first one,
//   and there are no `dates`.
// - `title`: accepted spellings; compare without regard to case, outer quotes and blanks. Null: not scored.
// - `cost`: compare as numbers (“7.50” is “7.5”); null: no admission was said, none may be given; undefined:
//   not scored.
// - `venue`: the known one's full name; null: none of `known.venues` may be given; undefined: not scored.
// - `cancelled`: true or absent (also for “is not cancelled”). Postponed without a new date: the old date,
//   cancelled; saying nothing is right as well. Part `shape:ocr`: a digit was misread; missing is right,
//   another value is wrong.
// - Several events in one text stand in the order of the text. Prices and days of something else (raffle,
//   stalls, closing days, deadlines, photos, past evenings) belong to no event.
// - Without a year: the next such day after now (1–320 days ahead). “this Saturday”: of the same week.

import { de } from './de.ts'
import { en } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import type { Day, DayForm, Lang, PartKey, Rand, Rel, SeriesKey, Title, Venue } from './types.ts'
import { add, cap, iso, nth, PART_KEYS, pad, rand, toNum, wday } from './types.ts'

export type Expected = {
  title: string[] | null
  start: string
  end?: string | null
  all_day: boolean
  dates?: string[]
  open?: boolean
  cost?: string | null | undefined
  venue?: string | null
  cancelled?: boolean
}
export type Case = {
  language: string
  now: string
  timezone: string
  text: string
  parts: string[]
  known: { venues: string[]; organizers: string[] }
  expect: { events: Expected[] }
}
const LANGS: Lang[] = [en, de, fr, es]
type Keyed = { key: string; weight: number }
type Timing = Pick<Expected, 'start' | 'end' | 'all_day' | 'dates' | 'open'>
type When = { say: (p: boolean) => string; exp: Timing; first: Day; h: number; m: number; timed: boolean }

/** One of some items by their weights; undefined if there is none. */
function weighted<T>(items: readonly T[], weightOf: (item: T) => number, random: Rand): T | undefined {
  let at = random.next() * items.reduce((sum, item) => sum + weightOf(item), 0)
  return items.find(item => {
    at -= weightOf(item)
    return at < 0
  })
}

class Choices {
  parts = new Set<string>()
  root: string
  without: readonly string[]
  constructor(root: string, without: readonly string[]) {
    this.root = root
    this.without = without
  }
  randomFor(key: string): Rand {
    return rand(`${this.root}/${key}`)
  }
  /** An optional part, in with this chance. */
  use(name: string, chance: number): boolean {
    if (this.without.includes(name) || this.randomFor(`use:${name}`).next() >= chance) return false
    this.parts.add(name)
    return true
  }
  /** One of the forms by weight; items[0] is the plainest and not named as a part. */
  choose<T extends Keyed>(group: string, items: readonly T[], fits: (x: T) => boolean = () => true): T {
    const ok = items.filter(fits)
    const plain = (ok[0] ?? items[0]) as T
    const got = weighted(ok, ({ weight }) => weight, this.randomFor(`choose:${group}`)) ?? plain
    const name = `${group}:${got.key}`
    if (got === plain || this.without.includes(name)) return plain
    this.parts.add(name)
    return got
  }
}
const fill = (s: string, v: Record<string, string>): string =>
  s.replace(/\{(\w+)\}/g, (all, k: string) => v[k] ?? all)
const tidy = (s: string, fr: boolean): string =>
  s
    .replace(/ {2,}/g, ' ')
    .replace(fr ? / +([,.;)])/g : / +([,.;:!)](?= |$|\n))/g, '$1')
    .replace(/,\s*,/g, ',')
    .replace(/,\./g, '.')
    .replace(/\.\.(?!\.)/g, '.')
    .trim()
const stamp = (x: Day, h: number, m: number): string => `${iso(x)} ${pad(h)}:${pad(m)}`

/** The offset in days a relative form means, or null where it may not be said now. */
function relDays(rel: Rel, now: Day, hour: number, r: Rand): number | null {
  const k = wday(now)
  if (rel === 'today') return hour < 13 ? 0 : null
  if (rel === 'tomorrow') return 1
  if (rel === 'after') return 2
  if (rel === 'inweek') return 7
  if (rel === 'this') return k <= 3 ? r.int(k + 2, 6) - k : null
  if (rel === 'nextweek') return k <= 4 ? 7 - k + r.int(0, 6) : null
  return k <= 3 ? r.int(k + 2, 6) - k + 7 : null
}

/** Day, time and what they mean, for one event on one day. */
function single(
  choices: Choices,
  lang: Lang,
  now: Day,
  hour: number,
  dayTime: boolean,
  noRel: boolean,
): When {
  const r = choices.randomFor('when')
  let day = add(now, r.next() < 0.25 ? r.int(8, 15) : r.int(16, 320))
  let h = dayTime ? r.int(10, 15) : r.int(17, 20)
  const m = r.pick([0, 0, 0, 0, 0, 30, 30, 30, 15, 45])
  const base = day
  const form = choices.choose(
    'day',
    lang.day,
    (f: DayForm) =>
      (f.ok ? f.ok(base) : true) &&
      (!f.rel || (!noRel && relDays(f.rel, now, hour, choices.randomFor('rel')) !== null)),
  )
  if (form.rel) day = add(now, relDays(form.rel, now, hour, choices.randomFor('rel')) as number)
  if (form.rel === 'today' && h < 18) h = 18
  const timed = Boolean(form.rel) || !choices.use('shape:noTime', 0.1)
  const clock = times(choices, lang, h, m, timed && choices.use('shape:end', 0.28))
  const sep = choices.choose('join', [
    { key: 'comma', weight: 10, s: ', ' },
    { key: 'space', weight: 5, s: ' ' },
    { key: 'bar', weight: 2, s: ' | ' },
    { key: 'line', weight: 4, s: '\n' },
    { key: 'dot', weight: 2, s: ' · ' },
    { key: 'prose', weight: 7, s: 'P' },
  ]).s
  const ocr = timed && !form.rel && choices.use('shape:ocr', 0.05)
  const say = (p: boolean): string => {
    const d = p ? (form.p ? form.p(day) : lang.on + form.say(day)) : form.say(day)
    const s = !timed ? d : p || sep === 'P' ? `${d} ${clock.say(true)}` : d + sep + clock.say(false)
    return ocr ? misreadDigit(s, choices.randomFor('ocr')) : s
  }
  return {
    say,
    exp: timed
      ? {
          start: stamp(day, h, m),
          end: clock.end ? stamp(day, clock.end[0], clock.end[1]) : null,
          all_day: false,
        }
      : { start: iso(day), end: null, all_day: true },
    first: day,
    h,
    m,
    timed,
  }
}
function misreadDigit(s: string, r: Rand): string {
  const at = [...s.matchAll(/[01]/g)].map(x => x.index as number).filter(i => i > 0)
  if (!at.length) return s
  const i = r.pick(at)
  return s.slice(0, i) + (s[i] === '0' ? 'O' : 'l') + s.slice(i + 1)
}
function times(
  choices: Choices,
  lang: Lang,
  h: number,
  m: number,
  ranged: boolean,
  group = 'time',
): { say: (p: boolean) => string; end: [number, number] | null } {
  const inList = group !== 'time'
  if (ranged) {
    const r = choices.randomFor('end')
    const h2 = Math.min(22, h + r.int(1, 3)),
      m2 = r.pick([0, 0, m, 30])
    const f = (p: boolean) =>
      choices
        .choose(
          'range',
          lang.range,
          x => x.say(h, m, h2, m2, p) !== null && !(inList && x.key.startsWith('begin')),
        )
        .say(h, m, h2, m2, p) as string
    return { say: f, end: [h2, m2] }
  }
  return {
    say: p =>
      choices
        .choose(group, lang.time, x => x.say(h, m, p) !== null && !(inList && /^begin|^four/.test(x.key)))
        .say(h, m, p) as string,
    end: null,
  }
}

function several(
  choices: Choices,
  lang: Lang,
  now: Day,
  kind: string,
  dayTime: boolean,
  long: boolean,
): When {
  const r = choices.randomFor('when')
  const h = dayTime ? r.int(10, 15) : r.int(17, 20),
    m = r.pick([0, 0, 0, 30, 30, 15])
  const a = add(now, r.int(10, 230))
  if (kind === 'stay') {
    const z = add(a, long ? r.int(7, 40) : r.int(1, 4))
    return {
      say: p => choices.choose('run', lang.run, x => x.say([a, z], p) !== null).say([a, z], p) as string,
      exp: { start: iso(a), end: iso(z), all_day: true },
      first: a,
      h,
      m,
      timed: false,
    }
  }
  if (kind === 'mixed') {
    const rows = Array.from({ length: r.int(2, 4) }, (_, i) => ({
      x: add(a, i * r.pick([1, 1, 7])),
      h: r.next() < 0.35 ? h - 3 : h,
    }))
    const uniq = rows.filter(
      (x, i) => i === 0 || toNum(x.x) > Math.max(...rows.slice(0, i).map(y => toNum(y.x))),
    )
    const form = choices.choose('day', lang.day.slice(1), f => !f.rel && !f.ok),
      sep = choices.choose('rows', [
        { key: 'lines', weight: 4, s: '\n' },
        { key: 'slash', weight: 2, s: ' / ' },
        { key: 'semi', weight: 2, s: '; ' },
      ]).s
    const clock = choices.choose(
      'timeRow',
      lang.time,
      f => [h, h - 3].every(k => f.say(k, m, false) !== null) && !/^begin|^hora|^des|^starts/.test(f.key),
    )
    const at = uniq.map(x => stamp(x.x, x.h, m))
    return {
      say: () => uniq.map(x => `${form.say(x.x)}, ${clock.say(x.h, m, false)}`).join(sep),
      exp: { start: at[0] as string, end: null, all_day: false, dates: at.slice(1) },
      first: a,
      h,
      m,
      timed: true,
    }
  }
  const clock = times(choices, lang, h, m, choices.use('shape:end', 0.2), 'timeEach')
  const all = (days: Day[]): Timing => {
    const at = days.map(x => stamp(x, h, m))
    return {
      start: at[0] as string,
      end: clock.end ? stamp(days[0] as Day, clock.end[0], clock.end[1]) : null,
      all_day: false,
      dates: at.slice(1),
    }
  }
  if (kind === 'nights') {
    const n = r.int(2, 3),
      z = add(a, n)
    return {
      say: p =>
        `${choices.choose('run', lang.run, x => x.say([a, z], p) !== null).say([a, z], p)}${p ? '' : ','} ${lang.each}${clock.say(p)}`,
      exp: all(Array.from({ length: n + 1 }, (_, i) => add(a, i))),
      first: a,
      h,
      m,
      timed: true,
    }
  }
  const days = [a]
  for (let i = r.int(1, 3); i > 0; i--)
    days.push(add(days[days.length - 1] as Day, r.pick([1, 2, 3, 7, 7, 14])))
  return {
    say: p =>
      `${choices.choose('list', lang.list, x => x.say(days, p) !== null).say(days, p)}${p ? '' : ','} ${lang.each}${clock.say(p)}`,
    exp: all(days),
    first: a,
    h,
    m,
    timed: true,
  }
}

function series(choices: Choices, lang: Lang, now: Day): When & { posterOnly: boolean } {
  const r = choices.randomFor('when')
  const key = choices.choose('series', [
    { key: 'until', weight: 8 },
    { key: 'untilOnly', weight: 3 },
    { key: 'open', weight: 8 },
    { key: 'openFrom', weight: 3 },
    { key: 'nth', weight: 4 },
    { key: 'nth2', weight: 3 },
    { key: 'count', weight: 5 },
    { key: 'except', weight: 4 },
    { key: 'otherTimes', weight: 4 },
    { key: 'fortnight', weight: 2 },
  ]).key as SeriesKey
  const h = r.int(17, 20),
    m = r.pick([0, 0, 30, 15]),
    h2 = h - r.int(2, 3)
  const soon = key === 'untilOnly' || key === 'open' || key === 'nth' || key === 'nth2'
  let a = add(now, soon ? r.int(1, 6) : r.int(8, 200))
  const k = wday(a),
    n = r.int(3, 9)
  const o1 = key === 'nth2' ? r.int(1, 2) : r.int(1, 4),
    o2 = o1 + 2
  if (key === 'nth' || key === 'nth2')
    while (![o1, key === 'nth2' ? o2 : o1].includes(Math.ceil(a.d / 7))) a = add(a, 7)
  const clock = times(choices, lang, h, m, key !== 'otherTimes' && choices.use('shape:end', 0.3), 'timeEach')
  let days = Array.from({ length: n }, (_, i) => add(a, 7 * i))
  let kk = k
  const X = days[r.int(1, n - 2)] as Day
  if (key === 'otherTimes') {
    days = Array.from({ length: n + 2 }, (_, i) => add(a, i))
    kk = wday(days[r.int(1, n)] as Day)
  }
  const z = days[days.length - 1] as Day
  if (key === 'except') days = days.filter(x => toNum(x) !== toNum(X))
  const stamps = days.map(x => (key === 'otherTimes' && wday(x) === kk ? stamp(x, h2, 0) : stamp(x, h, m)))
  const end = clock.end ? stamp(a, clock.end[0], clock.end[1]) : null
  const bounded =
    key === 'until' || key === 'untilOnly' || key === 'count' || key === 'except' || key === 'otherTimes'
  const t = choices.randomFor('seriesText').pick(lang.series[key])
  const say = (p: boolean): string => {
    const s = fill(t, {
      every: lang.every(kk),
      plural: lang.plural(kk),
      wd: lang.wd[kk] as string,
      A: lang.plain(a),
      Z: lang.plain(z),
      X: lang.plain(X),
      T: clock.say(true),
      T2: nth(lang.time, 0).say(h2, 0, true) as string,
      n:
        r.next() < 2 && n > 2
          ? choices.randomFor('nword').next() < 0.5
            ? String(n)
            : (lang.nums[n] as string)
          : '',
      o1: lang.ord(o1),
      o2: lang.ord(o2),
      n1: String(o1),
      n2: String(o2),
    })
    return p ? s : cap(s)
  }
  return {
    say,
    exp: bounded
      ? { start: stamps[0] as string, end, all_day: false, dates: stamps.slice(1) }
      : { start: stamp(a, h, m), end, all_day: false, open: true },
    first: a,
    h,
    m,
    timed: true,
    posterOnly: key === 'count' || key === 'except' || key === 'otherTimes',
  }
}

type Place = { at: string; head: string; venue: string | null; known: string[] }
function place(choices: Choices, lang: Lang): Place {
  const r = choices.randomFor('place')
  const v = r.pick(lang.venues)
  const rest = (must: string | null): string[] => {
    const names = lang.venues.map(x => x.name).filter(x => x !== must && r.next() < 0.5)
    if (must) names.splice(r.int(0, names.length), 0, must)
    return names
  }
  const kind = choices.choose('venue', [
    { key: 'none', weight: 20 },
    { key: 'full', weight: 50 },
    { key: 'part', weight: 18 },
    { key: 'other', weight: 12 },
  ]).key
  if (kind === 'other') {
    const o = r.pick(lang.others)
    return { at: o.at, head: o.text, venue: null, known: rest(o.near) }
  }
  if (kind === 'none') return { at: '', head: '', venue: null, known: rest(v.name) }
  const part = kind === 'part' && v.part && v.partAt
  return {
    at: part ? (v.partAt as string) : v.at,
    head: part ? (v.part as string) : v.name,
    venue: v.name,
    known: rest(v.name),
  }
}

function money(choices: Choices, lang: Lang, zone: string, n: number, half: boolean): string {
  return lang.money[0]
    ? (choices
        .choose(
          'money',
          lang.money,
          x =>
            x.say(n, half) !== null &&
            (!x.zones || x.zones.includes(zone)) &&
            ((zone !== 'Europe/Zurich' && zone !== 'Europe/Dublin') || Boolean(x.zones)),
        )
        .say(n, half) as string)
    : ''
}
function price(
  choices: Choices,
  lang: Lang,
  zone: string,
): { text: string; cost: string | null | undefined } {
  const r = choices.randomFor('price')
  if (!choices.use('shape:price', 0.4)) return { text: '', cost: null }
  const p = r.int(4, 15),
    q = p + r.int(1, 5)
  const f = choices.choose('price', lang.price)
  const text = fill(
    f.s,
    f.c === '0' || f.c === '?'
      ? {}
      : f.c === 'h'
        ? { h: money(choices, lang, zone, p, true) }
        : { p: money(choices, lang, zone, p, false), q: money(choices, lang, zone, q, false) },
  )
  return {
    text,
    cost:
      f.c === '0'
        ? '0'
        : f.c === 'p'
          ? String(p)
          : f.c === 'h'
            ? `${p}.50`
            : f.c === 'p - q'
              ? `${p} - ${q}`
              : undefined,
  }
}

/** The text of a noise part; null where it cannot be said here. */
function noise(
  choices: Choices,
  lang: Lang,
  key: string,
  s: string,
  now: Day,
  zone: string,
  org: string,
  when: When | null,
): string | null {
  const r = choices.randomFor(`noise:${key}`)
  let ok = true
  const past = { y: now.y - r.int(1, 4), m: r.int(1, 12), d: r.int(1, 28) }
  const text = s.replace(/\{([a-zA-Z]+)([-+]?\d*)\}/g, (_, k: string, num: string) => {
    const n = Number(num)
    if (k === 'd' && when) {
      const x = add(when.first, n)
      if (toNum(x) <= toNum(now) + 1 || toNum(x) > toNum(now) + 350) ok = false
      return lang.plain(x)
    }
    if (k === 't' && when) {
      if (!when.timed) ok = false
      const t = when.h * 60 + when.m + n
      return lang.clock(Math.floor(t / 60), t % 60)
    }
    if (k === 'f') return lang.plain(add(now, n + 3))
    if (k === 'pastY') return lang.plainY(past)
    if (k === 'now') return lang.plainY(now)
    if (k === 'nowLong') return `${lang.wd[wday(now)]}, ${lang.plain(now)} ${now.y}`
    if (k === 'nowY') return String(now.y)
    if (k === 'org') return org
    if (k === 'n') return String(r.int(20, 60))
    if (k === 'year') return String(r.int(1848, 1998))
    if (k === 'plz') return String(r.int(10200, 88299))
    if (k === 'x') return money(choices, lang, zone, r.int(2, 3), false)
    ok = false
    return ''
  })
  return ok ? text : null
}

const HEAD: readonly PartKey[] = PART_KEYS.slice(0, 9)
const SHEET: readonly PartKey[] = ['photoDate', 'issue', 'flat', 'offer', 'presents', 'caseNo', 'sheetDate']
const MUSIC = /konzert|concert|orgel|organ|orgue|concierto|recital|órgano/i
function noises(
  choices: Choices,
  lang: Lang,
  now: Day,
  zone: string,
  org: string,
  when: When | null,
  music: boolean,
  mail: boolean,
): { head: string[]; tail: string[]; has: Set<string> } {
  const share = choices.randomFor('density').pick([0, 0.02, 0.04, 0.06, 0.09])
  const out = { head: [] as string[], tail: [] as string[], has: new Set<string>() }
  for (const key of PART_KEYS) {
    if ((key === 'lifespan' || key === 'opus') && !music) continue
    if (key === 'sentHeader' ? !mail : mail && SHEET.includes(key)) continue
    if (
      choices.randomFor(`use:${key}`).next() >=
        share *
          (key === 'deadline' || key === 'doors' || key === 'noRegistration' || key === 'phone' ? 2 : 1) ||
      choices.without.includes(key)
    )
      continue
    if (key === 'noRegistration' && (out.has.has('deadline') || out.has.has('ticketsFrom'))) continue
    const text = noise(
      choices,
      lang,
      key,
      choices.randomFor(`pick:${key}`).pick(lang.parts[key]),
      now,
      zone,
      org,
      when,
    )
    if (text === null) continue
    choices.parts.add(key)
    out.has.add(key)
    const early = key === 'sentHeader'
    if (!HEAD.includes(key)) out.tail.push(text)
    else if (early) out.head.unshift(text)
    else out.head.push(text)
  }
  out.head.sort(
    (p, q) =>
      Number(p.includes(org) && out.has.has('presents')) - Number(q.includes(org) && out.has.has('presents')),
  )
  const r = choices.randomFor('shuffle')
  out.tail = out.tail
    .map(x => ({ x, k: r.next() }))
    .sort((p, q) => p.k - q.k)
    .map(p => p.x)
  return out
}
const stop = (s: string): string => (/[.!?:)»”“]$/.test(s) ? s : `${s}.`)
const accepted = (t: Title, ...more: string[]): string[] => [
  ...new Set([t.t, t.nom, cap(t.nom), ...(t.also ?? []), ...more]),
]

/**
 * Replaces the indefinite article of an event that has been mentioned: “a Barn Dance” becomes “the Barn
 * Dance”.
 */
function definite(lang: Lang, nom: string): string {
  if (lang.code === 'en') return nom.replace(/^an? /, 'the ')
  if (lang.code === 'fr') return nom.replace(/^une /, 'la ').replace(/^un /, 'le ')
  return nom
    .replace(/^eine /, 'die ')
    .replace(/^ein (?=Spiele|Familien)/, 'der ')
    .replace(/^ein /, 'das ')
}

export function generate(seed: number, index: number, without: readonly string[] = []): Case {
  const choices = new Choices(`${seed}/${index}`, without)
  const lang = LANGS[index % LANGS.length] as Lang
  const r = choices.randomFor('base')
  const zone = r.pick(lang.zones)
  const now = add({ y: 2024, m: 1, d: 1 }, r.int(0, 2190))
  const hour = r.int(7, 21),
    min = r.int(0, 59)
  const org = r.pick(lang.orgs)
  const kinds: [string, number][] = [
    ['single', 46],
    ['stay', 6],
    ['nights', 4],
    ['list', 8],
    ['mixed', 4],
    ['series', 12],
    ['cancelled', 5],
    ['negated', 2],
    ['moved', 3],
    ['movedOpen', 2],
    ['agenda', 7],
    ['nothing', 9],
  ]
  const kind = weighted(kinds, ([, weight]) => weight, choices.randomFor('kind'))?.[0] ?? 'single'
  const toCase = (text: string, known: string[], events: Expected[]): Case => ({
    language: lang.code,
    now: `${iso(now)} ${pad(hour)}:${pad(min)}`,
    timezone: zone,
    text: finish(choices, text),
    parts: [...choices.parts],
    known: {
      venues: known,
      organizers: lang.orgs.filter(x => x === org || choices.randomFor(`org:${x}`).next() < 0.5),
    },
    expect: { events },
  })
  const body = (s: string): string =>
    choices.use('shape:mailFrame', 0.3) ? frame(choices, lang, null, [s]) : s
  if (kind === 'nothing') {
    const s =
      noise(
        choices,
        lang,
        'nothing',
        choices.randomFor('nothing').pick(lang.nothing),
        now,
        zone,
        org,
        null,
      ) ?? ''
    const n = noises(choices, lang, now, zone, org, null, false, true)
    return toCase(
      body([...n.head, s, ...n.tail].join('\n')),
      lang.venues.map(x => x.name),
      [],
    )
  }
  if (kind === 'agenda') return agenda(choices, lang, now, zone, org, toCase)

  const pool =
    kind === 'stay'
      ? lang.stays
      : kind === 'nights' || kind === 'mixed'
        ? lang.shows
        : kind === 'series'
          ? lang.courses
          : lang.titles
  const course = kind === 'series' ? series(choices, lang, now) : null
  const title = r.pick(course && choices.parts.has('series:otherTimes') ? lang.shows : pool)
  const when =
    course ??
    (kind === 'stay' || kind === 'nights' || kind === 'list' || kind === 'mixed'
      ? several(choices, lang, now, kind, Boolean(title.day), /^(Ausst|Exhib|Expos)/.test(title.t))
      : single(choices, lang, now, hour, Boolean(title.day), kind === 'moved' || kind === 'movedOpen'))
  const sentenceOnly = kind === 'negated' || kind === 'moved' || kind === 'movedOpen'
  const layout = choices.choose(
    'layout',
    [
      { key: 'poster', weight: 12 },
      { key: 'labels', weight: 5 },
      { key: 'mail', weight: 9 },
      { key: 'chat', weight: 5 },
    ],
    x =>
      sentenceOnly
        ? x.key === 'mail' || x.key === 'chat'
        : kind === 'mixed'
          ? x.key === 'poster'
          : course?.posterOnly
            ? x.key === 'poster' || x.key === 'labels'
            : true,
  ).key
  const mail = layout === 'mail',
    flow = mail || layout === 'chat'
  const pl = place(choices, lang),
    pr = price(choices, lang, zone)
  const n = noises(choices, lang, now, zone, org, when, MUSIC.test(title.t), flow)
  const event: Expected = {
    title: accepted(title, definite(lang, title.nom)),
    ...when.exp,
    venue: pl.venue,
    cost: pr.cost,
  }
  if (kind === 'cancelled' || kind === 'movedOpen') event.cancelled = true
  if (n.has.has('duration')) {
    if (event.end === null) delete event.end
  }
  if (n.has.has('donation') && event.cost === null) delete event.cost
  if (event.cost === undefined) delete event.cost
  if (flow) {
    const from =
      kind === 'cancelled'
        ? lang.cancelled
        : kind === 'negated'
          ? lang.negated
          : kind === 'moved'
            ? lang.moved
            : kind === 'movedOpen'
              ? lang.movedOpen
              : mail
                ? lang.sentence
                : lang.chat
    const tpl = choices.randomFor('sentence').pick(from),
      nom = from === lang.sentence || from === lang.chat ? title.nom : definite(lang, title.nom)
    const lower = /\{when\}/i.test(tpl) ? when.say(true) : ''
    const v: Record<string, string> = {
      e: /^(la|une) |^l’(assemblée|exposition)/.test(title.nom)
        ? lang.code === 'es'
          ? 'a'
          : 'e'
        : lang.code === 'es'
          ? 'o'
          : '',
      when: lower,
      When: cap(lower),
      head: tpl.includes('{head}') ? when.say(false).replace(/\n/g, ', ') : '',
      at: pl.at,
      nom,
      Nom: cap(nom),
      dat: title.dat,
      old: lang.plain(
        add(
          when.first,
          toNum(when.first) - toNum(now) > 12
            ? -choices.randomFor('old').int(2, 9)
            : choices.randomFor('old').int(3, 9),
        ),
      ),
    }
    const s = cap(tidy(fill(tpl, v), lang.code === 'fr'))
    const after = [pr.text, ...n.tail].filter(Boolean).map(stop)
    if (layout === 'chat') return toCase([...n.head, [s, ...after].join(' ')].join('\n'), pl.known, [event])
    const fw = n.has.has('sentHeader') ? (n.head.shift() ?? '') : ''
    const glued = choices.use('shape:glued', 0.5)
    const paras = glued ? [...n.head, [s, ...after].join(' ')] : [...n.head, s, ...after]
    return toCase((fw ? `${fw}\n\n` : '') + frame(choices, lang, title, paras), pl.known, [event])
  }
  let name = title.t
  if (kind === 'cancelled') {
    name = fill(choices.randomFor('cancelHead').pick(lang.cancelHead), { t: title.t })
    event.title?.push(name)
  }
  if (choices.use('shape:caps', 0.15)) name = name.toUpperCase()
  const sub = choices.use('shape:subtitle', 0.12) ? choices.randomFor('sub').pick(lang.subtitle) : ''
  if (sub)
    event.title = accepted(
      title,
      `${title.t} ${sub}`,
      `${title.t}, ${sub}`,
      `${title.t} – ${sub}`,
      ...(kind === 'cancelled' ? [name] : []),
    )
  const md = choices.use('shape:markdown', 0.06),
    emoji = !md && choices.use('shape:emoji', 0.07)
  const after =
    when.timed &&
    !choices.parts.has('deadline') &&
    !choices.parts.has('ticketsFrom') &&
    choices.use('shape:afterTime', 0.07)
      ? `. ${choices.randomFor('afterTime').pick(lang.parts.noRegistration)}`
      : ''
  const head = when.say(false).replace(/\.$/, after ? '' : '.') + after
  const foot = choices.use('shape:more', 0.2) ? [choices.randomFor('more').pick(lang.more)] : []
  let core: string[]
  if (layout === 'labels') {
    core = [
      `${lang.label.what}: ${name}${sub ? ` ${sub}` : ''}`,
      `${lang.label.when}: ${head.replace(/\n/g, ', ')}`,
    ]
    if (pl.head) core.push(`${lang.label.where}: ${pl.head}`)
    if (pr.text) core.push(pr.text)
  } else {
    const t = [md ? `**${name}**` : name, ...(sub ? [sub] : [])],
      d = [(emoji ? '📅 ' : '') + cap(head)],
      v = pl.head
        ? [(emoji ? '📍 ' : '') + (choices.randomFor('atHead').next() < 0.3 ? cap(pl.at) : pl.head)]
        : [],
      p = pr.text ? [pr.text] : []
    const order = choices.choose('order', [
      { key: 'title', weight: 10 },
      { key: 'dateFirst', weight: 3 },
      { key: 'placeSecond', weight: 3 },
    ]).key
    core =
      order === 'dateFirst'
        ? [...d, ...t, ...v, ...p]
        : order === 'placeSecond'
          ? [...t, ...v, ...d, ...p]
          : [...t, ...d, ...v, ...p]
  }
  if (choices.use('shape:oneLine', 0.12)) {
    const line = `${core
      .map(x => x.replace(/\n/g, kind === 'mixed' ? '; ' : ' '))
      .join(', ')
      .replace(/([.:]), /g, '$1 ')}`
    return toCase(
      [...n.head, [stop(line), ...[...n.tail, ...foot].map(stop)].join(' ')].join('\n'),
      pl.known,
      [event],
    )
  }
  const blank = choices.use('shape:blankLines', 0.2) ? '\n\n' : '\n'
  return toCase([...n.head, ...core, ...n.tail, ...foot].join(blank), pl.known, [event])
}

function agenda(
  choices: Choices,
  lang: Lang,
  now: Day,
  zone: string,
  org: string,
  toCase: (t: string, k: string[], e: Expected[]) => Case,
): Case {
  const r = choices.randomFor('agenda')
  const bullet = choices.choose('bullet', [
    { key: 'none', weight: 4, s: '' },
    { key: 'dash', weight: 4, s: '- ' },
    { key: 'dot', weight: 4, s: '• ' },
    { key: 'tri', weight: 2, s: '► ' },
    { key: 'star', weight: 3, s: '* ' },
  ]).s
  const shape = choices.choose('row', [
    { key: 'colon', weight: 6 },
    { key: 'comma', weight: 4 },
    { key: 'bar', weight: 3 },
    { key: 'tab', weight: 2 },
    { key: 'block', weight: 3 },
    { key: 'colonSp', weight: 2 },
  ]).key
  let day = add(now, r.int(5, 120))
  const form = choices.choose('day', lang.day, f => !f.rel && !f.ok)
  const events: Expected[] = [],
    lines: string[] = []
  const used = [...lang.titles]
    .map(x => ({ x, k: r.next() }))
    .sort((a, b) => a.k - b.k)
    .slice(0, r.int(2, 5))
    .map(y => y.x)
  const off = choices.use('shape:oneCancelled', 0.12) ? r.int(0, used.length - 1) : -1
  const time = choices.choose(
    'timeRow',
    lang.time,
    f =>
      [12, 19].every(k => f.say(k, 0, false) !== null && f.say(k, 30, false) !== null) &&
      !/^begin/.test(f.key),
  )
  const withVenue = choices.use('shape:rowVenue', 0.6)
  used.forEach((t, i) => {
    const h = t.day ? r.int(10, 15) : r.int(17, 20),
      m = r.pick([0, 0, 30]),
      v = r.pick(lang.venues) as Venue
    const gap = r.int(1, 20)
    day = add(day, gap)
    if (i > 0 && !choices.use(`row${i + 1}`, 1)) return
    const d = form.say(day),
      tt = time.say(h, m, false) as string,
      name = i === off ? fill(lang.cancelHead[0] as string, { t: t.t }) : t.t
    const row =
      shape === 'bar'
        ? [d, tt, name, ...(withVenue ? [v.name] : [])].join(' | ')
        : shape === 'tab'
          ? [d, tt, name, ...(withVenue ? [v.name] : [])].join('\t')
          : shape === 'comma'
            ? `${d}, ${tt}, ${name}${withVenue ? `, ${v.name}` : ''}`
            : shape === 'block'
              ? `${name}\n${d}, ${tt}${withVenue ? `\n${v.name}` : ''}\n`
              : `${d}${shape === 'colonSp' ? ' ' : ''}: ${name}, ${tt}${withVenue ? `, ${v.name}` : ''}`
    lines.push((shape === 'block' ? '' : bullet) + row)
    events.push({
      title: accepted(t, name),
      start: stamp(day, h, m),
      end: null,
      all_day: false,
      venue: withVenue ? v.name : null,
      cost: null,
      ...(i === off ? { cancelled: true } : {}),
    })
  })
  const n = noises(choices, lang, now, zone, org, null, false, true)
  const intro = choices.use('shape:listHead', 0.6) ? [r.pick(lang.lists)] : []
  const text = [...n.head, ...intro, ...lines, ...n.tail].join('\n')
  for (const e of events) {
    if (n.has.has('donation')) delete e.cost
    if (n.has.has('duration')) delete e.end
  }
  return toCase(
    choices.use('shape:mailFrame', 0.2) ? frame(choices, lang, null, [text]) : text,
    lang.venues.map(x => x.name),
    events,
  )
}

function frame(choices: Choices, lang: Lang, title: Title | null, paras: string[]): string {
  const out: string[] = [],
    r = choices.randomFor('frame')
  if (title && choices.use('shape:subject', 0.3))
    out.push(fill(r.pick(lang.subject), { t: title.t, dat: title.dat }))
  if (choices.use('shape:greeting', 0.8)) out.push(r.pick(lang.hello))
  if (choices.use('shape:intro', 0.25)) out.push(r.pick(lang.intro))
  out.push(...paras)
  if (choices.use('shape:signature', 0.75)) out.push(`${r.pick(lang.bye)}\n${r.pick(lang.sign)}`)
  if (choices.use('shape:disclaimer', 0.15)) out.push(r.pick(lang.disclaimer))
  return out.join('\n\n')
}

/** What happens to a text on its way: wrapped, quoted, with odd blanks and line ends. */
function finish(choices: Choices, text: string): string {
  let s = text.trim()
  if (choices.use('shape:wrap', 0.08))
    s = s
      .split('\n')
      .map(x => (x.includes('\t') ? x : x.replace(/(.{40,60}?) (?=\S{3})/g, '$1\n')))
      .join('\n')
  if (!choices.parts.has('shape:ocr') && choices.use('shape:allCaps', 0.03)) s = s.toUpperCase()
  if (choices.use('shape:nbsp', 0.05)) s = s.replace(/(\d) (?=\S)/g, '$1\u00a0')
  if (choices.use('shape:twoBlanks', 0.05)) s = s.replace(/([.,:]) (?=\S)/g, '$1  ')
  if (choices.use('shape:quoted', 0.04))
    s = s
      .split('\n')
      .map(x => `> ${x}`)
      .join('\n')
  if (choices.use('shape:tail', 0.05))
    s = s
      .split('\n')
      .map(x => `${x}  `)
      .join('\n')
  if (choices.use('shape:crlf', 0.08)) s = s.replace(/\n/g, '\r\n')
  return s
}

/** The case with as few optional parts as still fail (the case itself if it does not fail). */
export function reduce(seed: number, index: number, fails: (candidate: Case) => boolean): Case {
  let without: string[] = [],
    best = generate(seed, index)
  for (let again = true; again; ) {
    again = false
    for (const part of best.parts) {
      if (without.includes(part)) continue
      const next = [...without, part],
        candidate = generate(seed, index, next)
      if (fails(candidate)) {
        without = next
        best = candidate
        again = true
      }
    }
  }
  return best
}
