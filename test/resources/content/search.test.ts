import { beforeAll, describe, expect, it } from 'vitest'
import { eventsBy, send, user } from '../../factories.ts'

const admin = user('administrator', 'admin')

const { create } = eventsBy(admin)

describe('search', () => {
  beforeAll(async () => {
    await create({
      title: 'It\'s 100% "fun" & games',
      description: 'snake_case, C++ and naïve Ünïcode 🎸 コンサート',
    })
    await create({ title: 'ΟΔΥΣΣΕΑΣ in der Straße', excerpt: 'موسيقى हिन्दी' })
  })

  it.each([
    ['"fun"', 1],
    ['100%', 1],
    ['%', 1],
    ['_', 1],
    ["it's", 1],
    ['c++', 1],
    ['🎸', 1],
    ['サート', 1],
    ['コ', 1],
    ['UNICODE naive', 1],
    ['οδυσσεας', 1],
    ['STRASSE', 1],
    ['موسيقى', 1],
    ['हिन्दी', 1],
    ['<p>', 0],
    ['x'.repeat(1000), 0],
  ])('for %j finds %i', async (query, total) => {
    const { status, body } = await send('GET', `/events?${new URLSearchParams({ search: query })}`)
    expect([status, body.total]).toEqual([200, total])
  })
})
