import { expect, it } from 'vitest'
import { png } from '../calendar/media/build.ts'
import { makeEvent, makeVenue, query, queryValue, send } from '../factories.ts'
import { fieldsIn } from './forms.ts'
import { type SignedIn, signedIn, signIn } from './session.ts'

// Every kind of action of an administrator, and the entries of the audit that it leaves. Each begins with as
// few rows as it needs, so that no entry depends on a row that is seldom there.

const admin = signedIn('administrator', 'admin')

const USERS = '/admin/users/'
const ACCOUNT = '/admin/account/'

/** Sends a form as the administrator, who is sent on if it has worked. */
async function submit(path: string, fields: Parameters<typeof admin.browser.post>[1] = {}): Promise<void> {
  const { status, text } = await admin.browser.post(path, fields)
  if (status !== 303 && status !== 200) throw new Error(`${path} failed with ${status}: ${text}`)
}

const lastEntry = async (): Promise<number> => Number(await queryValue('SELECT max(id) FROM audit')) || 0

/** The entries after one: action, kind, id and fields of each. */
const entriesAfter = async (id: number) =>
  (await query('SELECT * FROM audit WHERE id > ? ORDER BY id', id)).map(entry => [
    entry.user_id,
    entry.action,
    entry.kind,
    entry.object_id,
    entry.fields,
  ])

type OnUser = { what: string; act: (user: SignedIn) => Promise<unknown>; action: string; fields: string[] }

const ofUser = (part: string, fields = {}) => ({
  act: ({ id }: SignedIn) => submit(`${USERS}${id}/${part}/`, fields),
})

it.each<OnUser>([
  { what: 'gives another role', ...ofUser('role', { role: 'author' }), action: 'update', fields: ['role'] },
  { what: 'makes a link', ...ofUser('link'), action: 'update', fields: ['link'] },
  { what: 'makes a password', ...ofUser('passwords', { name: 'x' }), action: 'update', fields: ['password'] },
  { what: 'ends the sessions', ...ofUser('sessions/end'), action: 'revoke', fields: ['session'] },
  { what: 'removes', ...ofUser('remove'), action: 'delete', fields: [] },
  {
    what: 'revokes the only password',
    act: async ({ id }) => {
      const password = await queryValue('SELECT id FROM passwords WHERE user_id = ?', id)
      await submit(`${USERS}${id}/passwords/${password}/revoke/`)
    },
    action: 'revoke',
    fields: ['password'],
  },
])('an administrator who $what a user leaves one entry', async ({ act, action, fields }) => {
  const user = await signIn('editor')
  const before = await lastEntry()
  await act(user)
  expect(await entriesAfter(before)).toEqual([[admin.id, action, 'user', user.id, JSON.stringify(fields)]])
})

it('the history says what was taken from a user: sessions or a password', async () => {
  const { id } = await signIn('editor')
  const said = async () => (await admin.browser.get(`/admin/history/?kind=user&id=${id}`)).text
  await submit(`${USERS}${id}/sessions/end/`)
  expect(await said()).toContain('signed out everywhere')
  const password = await queryValue('SELECT id FROM passwords WHERE user_id = ?', id)
  await submit(`${USERS}${id}/passwords/${password}/revoke/`)
  expect(await said()).toContain('had a password revoked')
  expect(await said()).not.toContain('withdrawn')
})

const addPasskey = (id: number) =>
  queryValue(
    `INSERT INTO passkeys (user_id, credential_id, public_key, counter, transports, name, created_utc)
      VALUES (?, 'a key', 'x', 0, '[]', 'Telephone', '2026-01-01 00:00:00') RETURNING id`,
    id,
  )

it.each([
  ['name', () => submit(`${ACCOUNT}name/`, { name: 'Ada' })],
  ['password', () => submit(`${ACCOUNT}passwords/`, { name: 'Website' })],
  ['passkey', async () => submit(`${ACCOUNT}passkeys/${await addPasskey(admin.id)}/remove/`)],
])('an administrator who changes the own %s leaves one entry', async (field, act) => {
  const before = await lastEntry()
  await act()
  expect(await entriesAfter(before)).toEqual([[admin.id, 'update', 'user', admin.id, `["${field}"]`]])
})

const venue = async (name: string) => Number((await makeVenue(admin.as, name)).id)

async function image(): Promise<number> {
  const file = new File([png(30, 20, String(Math.random()))], 'poster.png', { type: 'image/png' })
  const { headers } = await admin.browser.post('/admin/images/', { file, alt_text: '' })
  return Number(/images\/(\d+)/.exec(headers.get('location') ?? '')?.[1])
}

const patch = async (path: string, json: object) =>
  expect((await send('PATCH', path, { as: admin.as, json })).status).toBe(200)

type OnContent = {
  what: string
  make: () => Promise<number>
  act: (id: number) => Promise<unknown>
  entry: readonly [action: string, kind: string, fields: string[]]
}

it.each<OnContent>([
  {
    what: 'moves an event to the trash',
    make: async () => (await makeEvent(admin.as)).id,
    act: id => submit(`/admin/events/${id}/trash/`),
    entry: ['trash', 'event', []],
  },
  {
    what: 'deletes a venue for good',
    make: () => venue('Barn'),
    act: id => send('DELETE', `/venues/${id}?force=true`, { as: admin.as }),
    entry: ['delete', 'venue', []],
  },
  {
    what: 'changes the text of an image',
    make: image,
    act: async id => {
      const { html } = await admin.browser.get(`/admin/images/${id}/`)
      await submit(`/admin/images/${id}/`, { ...fieldsIn(html), alt_text: 'A poster' })
    },
    entry: ['update', 'image', ['alt_text']],
  },
  {
    what: 'deletes an image with its file',
    make: image,
    act: id => submit(`/admin/images/${id}/delete/`),
    entry: ['delete', 'image', []],
  },
  {
    what: 'deletes an image elsewhere',
    make: async () =>
      Number(
        await queryValue(
          "INSERT INTO images (url, author_id, date_utc) VALUES ('https://a.example/1.png', ?, '2026-01-01 00:00:00') RETURNING id",
          admin.id,
        ),
      ),
    act: id => submit(`/admin/images/${id}/delete/`),
    entry: ['delete', 'image', []],
  },
  {
    what: 'changes the settings',
    make: async () => 1,
    act: () => patch('/settings', { name: 'Town' }),
    entry: ['update', 'settings', ['name']],
  },
])('an administrator who $what leaves one entry', async ({ make, act, entry: [action, kind, fields] }) => {
  const id = await make()
  const before = await lastEntry()
  await act(id)
  expect(await entriesAfter(before)).toEqual([[admin.id, action, kind, id, JSON.stringify(fields)]])
})

it('an upload leaves one entry about the new image', async () => {
  const before = await lastEntry()
  const id = await image()
  expect(await entriesAfter(before)).toEqual([[admin.id, 'create', 'image', id, '["file","title"]']])
})

it('a merge leaves an entry about each of the two venues', async () => {
  const from = await venue('Hall')
  const into = await venue('Great Hall')
  const before = await lastEntry()
  await send('POST', `/venues/${from}/merge`, { as: admin.as, json: { into } })
  expect((await entriesAfter(before)).map(([, action, , id]) => [action, id])).toEqual([
    ['update', into],
    ['merge', from],
  ])
})
