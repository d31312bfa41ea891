import { beforeAll, describe, expect, it } from 'vitest'
import { declareUser, makeEvent, send } from '../../factories.ts'

const as = declareUser('editor')

beforeAll(async () => {
  await makeEvent(as, { title: 'Jazz night' })
})

describe('happening with the name of a month', () => {
  it.each([
    'this weekend',
    'next month',
    'June',
    'January 2027',
    '2027-01',
    'next 10 days',
    'tomorrow to Sunday',
    'this evening',
    'this afternoon',
    'Saturday afternoon',
  ])('is understood: %s', async happening => {
    const { status, body } = await send('GET', `/events?happening=${encodeURIComponent(happening)}`)
    expect(status).toBe(200)
    const resolved = new URL(String(body.rest_url)).searchParams.get('happening')
    expect(resolved).toMatch(/^\d{4}-\d\d-\d\dT[\d:]+Z?\/\d{4}-\d\d-\d\dT|^2027-01$/)
  })

  it('is that month', async () => {
    const titles = async (happening: string) =>
      (await send('GET', `/events?happening=${happening}&search=jazz`)).body.events.map(
        ({ title }: { title: string }) => title,
      )
    expect([await titles('January%202027'), await titles('February%202027')]).toEqual([['Jazz night'], []])
    expect((await send('GET', '/events?happening=whenever')).body.data.params.happening).toContain(
      'this weekend',
    )
  })
})
