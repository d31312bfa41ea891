import { expect, it } from 'vitest'
import { Report } from '../../../../src/calendar/imports/report.ts'

function filled(): Report {
  const report = new Report()
  report.count('event', 'created', 2)
  for (const id of ['1', '2', '3']) report.explain('event', 'skipped', id, 'it was deleted here')
  report.explain('event', 'failed', '4', 'it has no start date')
  for (let i = 0; i < 12; i++) report.note(`remark ${i}`)
  report.compare('event', 6, 7)
  return report
}

it('skipped records are counted by reason, and failed ones are listed one by one', () => {
  const lines = filled().text({ verbose: false }).split('\n')
  expect(lines).toContain('skipped: 3 × event: it was deleted here')
  expect(lines).toContain('failed: event 4: it has no start date')
  expect(lines.filter(line => line.startsWith('note: remark'))).toHaveLength(10)
  expect(lines).toContain('note: 2 more notes; --verbose shows them')
})

it('of very many failures, or reasons of skipped records, the first hundred are printed', () => {
  const report = new Report()
  for (let line = 1; line <= 150_000; line++)
    report.explain('event', 'failed', `line ${line}`, 'it has no title')
  for (let id = 1; id <= 103; id++) report.explain('venue', 'skipped', '', `it is the same as ${id}`)
  const lines = report.text({ verbose: false }).split('\n')
  expect(lines.slice(0, 102)).toEqual([
    ...Array.from({ length: 100 }, (_, i) => `failed: event line ${i + 1}: it has no title`),
    'failed: 149900 more; --verbose shows them',
    'skipped: 1 × venue: it is the same as 1',
  ])
  expect(lines).toContain('skipped: 3 more; --verbose shows them')
  expect(lines.length).toBeLessThan(210)
  expect(report.text({ verbose: true }).split('\n').length).toBeGreaterThan(150_000)
})

it('--verbose names each record that was skipped', () => {
  const text = filled().text({ verbose: true })
  expect(text).toContain('skipped: event 2: it was deleted here')
  expect(text).toContain('note: remark 11')
})

it('the last line compares what was read with what the source says it has', () => {
  const lines = filled().text({ verbose: false }).split('\n')
  expect(lines.at(-1)).toBe('Read, compared with the totals of the source: events 6 of 7.')
})

it('counts equal guesses, and says the first line of each', () => {
  const report = new Report()
  const { take } = report.guesses
  for (const line of [12, 30, 48]) take({ code: 'guess_zone', text: 'EDT', as: 'Europe/Berlin', line })
  take({ code: 'guess_left_out', field: 'DTEND', text: '2027-13-01', line: 7, what: 'fair.ics' })
  expect(report.text({ verbose: false }).split('\n').slice(0, 2)).toEqual([
    'guess: line 12: unknown time zone "EDT", read as Europe/Berlin (3 times)',
    'guess: fair.ics, line 7: DTEND cannot be understood, left out: "2027-13-01"',
  ])
})

it('tells a limited number of guesses apart, and counts the others', () => {
  const { guesses } = new Report()
  for (let n = 0; n < 1_000; n += 1) guesses.take({ code: 'guess_left_out', field: 'URL', text: `x${n}` })
  expect(guesses.all).toHaveLength(201)
  expect(guesses.all.reduce((sum, { times }) => sum + times, 0)).toBe(1_000)
})
