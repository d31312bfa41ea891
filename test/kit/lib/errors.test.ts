import { expect, it } from 'vitest'
import { invalidParams, ValidationErrors, withRenamedParams } from '../../../src/kit/lib/errors.ts'

it('the message about bad parameters gives a reason for each', () => {
  const errors = new ValidationErrors()
  errors.add('page', 'must be a positive whole number')
  errors.add('geoloc_lat', 'needs geoloc_lng as well')
  errors.add('venue', 'there is no venue 99')
  expect(() => errors.throwIfAny()).toThrow(
    'Invalid parameter(s): page: must be a positive whole number; geoloc_lat: needs geoloc_lng as well; venue: there is no venue 99',
  )
})

it('an error can be told in the names of another API', () => {
  const own = invalidParams(new Map([['geo_lat', 'needs a longitude as well']]))
  expect(withRenamedParams(own, name => (name === 'geo_lat' ? 'meta._VenueLat' : name))).toMatchObject({
    message: 'Invalid parameter(s): meta._VenueLat: needs a longitude as well',
    data: { params: { 'meta._VenueLat': 'needs a longitude as well' } },
  })
})

it('the message stays within 500 characters, whatever the names and reasons, and data has all of them', () => {
  const reasons = new Map(
    Array.from({ length: 40 }, (_, i) => [`p${i}${'x'.repeat(300)}`, 'must be shorter']),
  )
  const { message, data } = invalidParams(reasons)
  expect(message).toHaveLength(500)
  expect(message).toMatch(/^Invalid parameter\(s\): p0x+…; p1x+…;.*…$/)
  expect(data.params).toEqual(Object.fromEntries(reasons))
})
