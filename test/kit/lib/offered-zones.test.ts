import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../../../src/kit/lib/languages.ts'
import { toEpoch } from '../../../src/kit/lib/time.ts'
import { canonicalZone, offeredZone, offsetOf, zonesFor } from '../../../src/kit/lib/zones.ts'

const listed = Intl.supportedValuesOf('timeZone')
const old = listed.filter(zone => offeredZone(zone) !== zone)

describe('the choice of a zone', () => {
  it.each([
    ['en', 'Europe/London'],
    ['de', 'Europe/Berlin'],
    ['de-AT', 'Europe/Berlin'],
    ['es', 'Europe/Madrid'],
    ['fr-BE', 'Europe/Paris'],
    ['xx', 'Europe/London'],
  ])('begins with those that people look for, and has all of them once: %s', (language, first) => {
    const zones = zonesFor(language)
    expect(zones[0]).toBe(first)
    expect(zones.indexOf('UTC')).toBeLessThanOrEqual(9)
    expect(zones.length).toBe(new Set(zones).size)
    expect(new Set(zones)).toEqual(new Set(['UTC', ...listed.map(offeredZone)]))
    const rest = zones.slice(zones.indexOf('UTC') + 1)
    expect(rest).toEqual(rest.toSorted())
  })

  it('has a zone under its name of today, which is the same zone', () => {
    expect(old).toContain('Asia/Calcutta')
    expect(old).toHaveLength(19)
    for (const language of LANGUAGES)
      expect(zonesFor(language).filter(zone => old.includes(zone))).toEqual([])
    for (const zone of old) {
      const current = offeredZone(zone)
      expect(canonicalZone(current), zone).toEqual(current)
      for (const day of ['1975-01-15', '1999-07-15', '2026-01-15', '2026-07-15']) {
        const at = toEpoch(`${day} 12:00:00`)
        expect(offsetOf(current)(at), `${zone} ${day}`).toEqual(offsetOf(zone)(at))
      }
    }
  })
})
