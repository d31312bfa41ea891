import { describe, expect, it } from 'vitest'
import { everyRole } from '../../attacks/people.ts'
import { undoOf } from '../../editor/forms.ts'
import { signedIn } from '../../editor/session.ts'
import { makeEvent, makeOrganizer, query, send } from '../../factories.ts'

// An organizer may hide its phone number and e-mail address. test/attacks/hidden.test.ts reads every address
// for what is hidden.

const people = everyRole()
const admin = signedIn('administrator', 'ada')
const editor = signedIn('editor', 'ella')
const owner = signedIn('author', 'arno')

const PHONE = '+353 5550199'
const EMAIL = 'private@guild.example'
const HIDDEN = { phone: PHONE, email: EMAIL, hide_contact: true }

let n = 0
const newName = (): string => `Guild ${++n}`

const read = async (path: string, as?: string) => (await send('GET', path, { ...(as && { as }) })).body

const patch = async (as: string, id: number, json: object) => {
  const { status, body } = await send('PATCH', `/organizers/${id}`, { as, json })
  expect([status, body.code]).toEqual([200, undefined])
  return body
}

describe('a hidden contact', () => {
  it('is read by those who may edit the organizer, and by nobody else', async () => {
    const { id, organizer: name } = await makeOrganizer(people.author.as, newName(), HIDDEN)
    for (const reader of [people.administrator, people.editor, people.author]) {
      expect(await read(`/organizers/${id}`, reader.as)).toMatchObject(HIDDEN)
      expect((await read(`/organizers?search=${name}`, reader.as)).organizers[0]).toMatchObject(HIDDEN)
    }
    const others = [people.another, people.contributor, people.subscriber, undefined]
    for (const reader of others)
      for (const body of [
        await read(`/organizers/${id}`, reader?.as),
        (await read(`/organizers?search=${name}`, reader?.as)).organizers[0],
      ]) {
        expect(body).toMatchObject({ id, organizer: name })
        for (const field of ['phone', 'email', 'hide_contact']) expect(body).not.toHaveProperty(field)
      }
  })

  it('is in no event and no search, whoever asks', async () => {
    const { id } = await makeOrganizer(people.author.as, newName(), HIDDEN)
    const event = await makeEvent(people.author.as, { organizer: id })
    for (const { as } of [people.administrator, people.author]) {
      const { organizer } = await read(`/events/${event.id}`, as)
      expect(organizer).toMatchObject([{ id }])
      expect(JSON.stringify(organizer)).not.toMatch(/5550199|private@|hide_contact/)
      expect(await read('/organizers?search=private@guild', as)).toMatchObject({ total: 0 })
    }
  })

  it('stays hidden when it changes, and is shown again with what it then is', async () => {
    const { id } = await makeOrganizer(people.editor.as, newName(), { phone: '1', email: EMAIL })
    expect(await read(`/organizers/${id}`)).toMatchObject({ phone: '1', email: EMAIL })
    await patch(people.editor.as, id, { hide_contact: true })
    await patch(people.editor.as, id, { phone: PHONE })
    await patch(people.editor.as, id, { website: 'https://guild.example' })
    expect(await read(`/organizers/${id}`)).not.toHaveProperty('phone')
    expect(await read(`/organizers/${id}`, people.editor.as)).toMatchObject(HIDDEN)
    await patch(people.editor.as, id, { hide_contact: false })
    expect(await read(`/organizers/${id}`)).toMatchObject({ phone: PHONE, email: EMAIL })
    expect(await read(`/organizers?search=private@guild`)).toMatchObject({ total: 1 })
  })

  it('that is sent again as it is changes nothing', async () => {
    const { id } = await makeOrganizer(people.editor.as, newName(), HIDDEN)
    const version = () => query('SELECT version FROM organizers WHERE id = ?', id)
    const before = await version()
    await patch(people.editor.as, id, HIDDEN)
    await patch(people.editor.as, id, { email: EMAIL })
    expect(await version()).toEqual(before)
  })

  it('identifies the organizer for those who may edit it', async () => {
    const { id, organizer } = await makeOrganizer(people.author.as, newName(), HIDDEN)
    const named = { organizer: { organizer, email: EMAIL } }
    const idIn = async (as: string) => (await makeEvent(as, named)).organizer[0].id
    expect([await idIn(people.author.as), await idIn(people.editor.as)]).toEqual([id, id])
    // Nobody else finds out by trying addresses.
    expect(await idIn(people.another.as)).not.toBe(id)
    // Nor whether there is something to find.
    const nameIn = async (fields: object) =>
      (await makeOrganizer(people.another.as, organizer, fields)).id === id
    expect([await nameIn({ hide_contact: true }), await nameIn({ hide_contact: false })]).toEqual([
      false,
      true,
    ])
    const twice = { ...HIDDEN, organizer: newName() }
    const { organizer: both } = await makeEvent(people.author.as, { organizer: [twice, twice] })
    expect(both).toHaveLength(1)
  })
})

describe('the history', () => {
  it('shows a hidden contact to administrators only, and also what it was before', async () => {
    const { id } = await makeOrganizer(owner.as, newName(), { phone: '1' })
    await patch(owner.as, id, { phone: PHONE })
    const seen = async ({ browser }: typeof owner) =>
      (await browser.get(`/admin/history/?kind=organizer&id=${id}`)).text.includes('5550199')
    expect(await Promise.all([seen(admin), seen(editor), seen(owner)])).toEqual([true, true, true])
    await patch(owner.as, id, { hide_contact: true })
    await patch(owner.as, id, { phone: `${PHONE}0` })
    expect(await Promise.all([seen(admin), seen(editor), seen(owner)])).toEqual([true, false, false])
    await send('DELETE', `/organizers/${id}?force=true`, { as: owner.as })
    expect(await Promise.all([seen(admin), seen(editor)])).toEqual([true, false])
  })

  it('undoes hiding, showing and changing, and nothing else', async () => {
    const { id } = await makeOrganizer(editor.as, newName(), { phone: '1', email: EMAIL })
    const row = () =>
      query('SELECT phone, email, hide_contact, hidden_phone, hidden_email FROM organizers WHERE id = ?', id)
    for (const change of [{ hide_contact: 'true' }, { phone: PHONE }, { hide_contact: [] }]) {
      const before = await row()
      const saved = await editor.browser.save(`/admin/organizers/${id}/`, change)
      const after = await row()
      expect(after).not.toEqual(before)
      const undone = await editor.browser.submit(undoOf(saved))
      expect(undone.text).toContain('The change has been undone.')
      expect(await row()).toEqual(before)
      await editor.browser.submit(undoOf(undone))
      expect(await row()).toEqual(after)
    }
  })
})

describe('merging', () => {
  const merge = (id: number, into: number) =>
    send('POST', `/organizers/${id}/merge`, { as: people.editor.as, json: { into } })

  it('keeps a hidden contact hidden in the organizer that has none', async () => {
    const from = await makeOrganizer(people.editor.as, newName(), HIDDEN)
    const into = await makeOrganizer(people.editor.as, newName())
    expect((await merge(from.id, into.id)).status).toBe(200)
    expect(await read(`/organizers/${into.id}`)).not.toHaveProperty('phone')
    expect(await read(`/organizers/${into.id}`, people.editor.as)).toMatchObject(HIDDEN)
  })

  it('adds a public one to what the survivor hides', async () => {
    const from = await makeOrganizer(people.editor.as, newName(), {
      phone: '1',
      email: 'public@guild.example',
    })
    const into = await makeOrganizer(people.editor.as, newName(), { phone: PHONE, hide_contact: true })
    expect((await merge(from.id, into.id)).status).toBe(200)
    expect(await read(`/organizers/${into.id}`)).not.toHaveProperty('email')
    const own = { phone: PHONE, email: 'public@guild.example', hide_contact: true }
    expect(await read(`/organizers/${into.id}`, people.editor.as)).toMatchObject(own)
  })
})
