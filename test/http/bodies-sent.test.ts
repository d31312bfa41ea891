import { describe, expect, it } from 'vitest'
import { send, user, WHEN } from '../factories.ts'

const admin = user('administrator', 'admin')

describe('bodies', () => {
  const post = (body: string, type = 'application/json') =>
    send('POST', '/events', { as: admin, body, headers: { 'content-type': type } })

  it.each(['[]', 'null', '"text"', '12', 'true', ''])(
    'that are no object (%j) have no fields',
    async body => {
      expect(await post(body)).toMatchObject({ status: 400, body: { code: 'rest_missing_callback_param' } })
    },
  )

  it.each(['{', "{'a': 1}", 'title=x', '\u0000'])('that are no JSON (%j) are said to be', async body => {
    expect(await post(body)).toMatchObject({ status: 400, body: { code: 'rest_invalid_json' } })
  })

  it('come as forms and as multipart, with brackets', async () => {
    const form = new URLSearchParams({
      title: 'From a form',
      ...WHEN,
      'venue[venue]': 'Form hall',
      'tags[]': 'formed',
    })
    form.append('tags[]', 'twice')
    form.append('organizer[0][organizer]', 'Former')
    const multipart = new FormData()
    for (const [name, value] of form) multipart.append(name, value)
    for (const body of [form, multipart]) {
      const { status, body: event } = await send('POST', '/events', { as: admin, body })
      expect(status).toBe(201)
      expect(event).toMatchObject({
        venue: { venue: 'Form hall' },
        tags: [{ name: 'formed' }, { name: 'twice' }],
        organizer: [{ organizer: 'Former' }],
      })
    }
  })
})
