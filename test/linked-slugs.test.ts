import { beforeAll, describe, expect, it } from 'vitest'
import { makeUser, send } from './factories.ts'

let as: string
beforeAll(async () => {
  as = await makeUser('admin', 'administrator')
})

describe.each(['venue', 'organizer'])('a new %s', kind => {
  it.each([{}, { slug: 'gone' }])('may be made right in the trash, with %j', async given => {
    const json = { [kind]: 'Gone', status: 'trash', ...given }
    const made = await send('POST', `/${kind}s`, { as, json })
    expect(made.status).toBe(201)
    expect(made.body).toMatchObject({ [kind]: 'Gone', status: 'trash' })
  })

  // The last one is a single character, but two units of UTF-16.
  it.each(['short', 'a'.repeat(200), '𐌰'])('gets a numbered slug where another has %s', async slug => {
    const make = (name: string) => send('POST', `/${kind}s`, { as, json: { [kind]: name, slug } })
    expect((await make('One')).body.slug).toBe(slug)
    expect(await make('Two')).toMatchObject({ status: 201, body: { [kind]: 'Two' } })
  })
})
