import { describe, expect, it } from 'vitest'
import { declareUser, makeCategory, makeEvent, makeTag, makeVenue, query, send } from '../factories.ts'
import { expectPage } from '../site/pages/page.ts'
import { fieldsIn } from './forms.ts'
import { signedIn, signIn } from './session.ts'

const editor = signedIn('editor')
const author = signedIn('author')
const other = declareUser('author', 'other')

describe('merging', () => {
  it('finds the other one by its name, compares both, and merges them', async () => {
    const old = await makeVenue(editor.as, 'The old Barn', { city: 'Kent', phone: '<b>1</b>' })
    const good = await makeVenue(editor.as, 'Barn', { phone: '2' })
    await makeEvent(editor.as, { venue: [old.id, good.id] })
    await makeEvent(editor.as, { venue: old.id, status: 'draft' })
    const path = `/admin/venues/${old.id}/merge/`
    const found = await editor.browser.get(path)
    expect(found.text).toContain('Merge “The old Barn”')
    expect(found.links).toContain(`${path}?into=${good.id}`)
    expect(found.links).toContain(`/admin/venues/${old.id}/`)
    const both = await editor.browser.get(`${path}?into=${good.id}`)
    expect(both.links).toContain(`/admin/venues/${old.id}/`)
    expect(both.text).toMatch(/One event moves\./)
    expect(both.text).toMatch(/Result: Kent/)
    expect(both.text).toContain('This can’t be undone.')
    const merged = await editor.browser.submit(path, fieldsIn(both.html))
    expect(merged.text).toContain('“The old Barn” has been merged into “Barn”.')
    expect(merged.html).not.toContain('/admin/undo/')
    const history = await editor.browser.get(`/admin/history/?kind=venue&id=${old.id}`)
    expect(history.text).toContain('The old Barn')
    expect(history.html).not.toContain('/admin/undo/')
    expect((await send('GET', `/venues/${good.id}`)).body).toMatchObject({ city: 'Kent', phone: '2' })
    expect((await editor.browser.get(path)).status).toBe(404)
  })

  it('shows the addresses in texts and images that the survivor takes over', async () => {
    const { as } = await signIn('contributor')
    const description = '<p>Mind the <a href="https://steps.example/">steps</a></p>'
    const image = 'https://pictures.example/shed.jpg'
    const draft = await makeVenue(as, 'The Shed', { description, image })
    const good = await makeVenue(editor.as, 'Shed')
    const { text } = await editor.browser.get(`/admin/venues/${draft.id}/merge/?into=${good.id}`)
    expect(text).toContain('Result: Mind the steps https://steps.example/')
    expect(text).toContain(`Result: ${image}`)
  })

  it('is refused if a text that becomes public has changed since it was shown', async () => {
    const image = `https://pictures.example/${crypto.randomUUID()}.jpg`
    const old = await makeVenue(editor.as, 'Old quay', { image, status: 'pending' })
    const good = await makeVenue(editor.as, 'Quay')
    const path = `/admin/venues/${old.id}/merge/`
    const seen = fieldsIn((await editor.browser.get(`${path}?into=${good.id}`)).html)
    await query(`UPDATE images SET alt_text = 'Harmful', version = version + 1 WHERE id = ?`, old.image.id)
    const again = await editor.browser.post(path, seen)
    expectPage(again, 409, 'Harmful')
    expect((await editor.browser.post(path, fieldsIn(again.html))).status).toBe(303)
  })

  it('says why it is refused, and changes nothing', async () => {
    const top = await makeCategory(editor.as, 'Top')
    const low = await makeCategory(editor.as, 'Low', { parent: top.id })
    const path = `/admin/categories/${top.id}/merge/`
    const both = await editor.browser.get(`${path}?into=${low.id}`)
    expect(both.text).toContain('subcategories move too')
    const refused = await editor.browser.post(path, fieldsIn(both.html))
    expectPage(refused, 409, 'below this one')
    // Something has changed since the page was shown.
    const old = await makeCategory(editor.as, 'Old')
    const good = await makeCategory(editor.as, 'Good')
    const seen = await editor.browser.get(`/admin/categories/${old.id}/merge/?into=${good.id}`)
    await send('PATCH', `/categories/${old.id}`, { as: editor.as, json: { description: 'New' } })
    expect(
      (await editor.browser.post(`/admin/categories/${old.id}/merge/`, fieldsIn(seen.html))).status,
    ).toBe(409)
    const again = await editor.browser.get(`/admin/categories/${old.id}/merge/?into=${good.id}`)
    await send('PATCH', `/categories/${good.id}`, { as: editor.as, json: { description: 'New' } })
    const changed = await editor.browser.post(`/admin/categories/${old.id}/merge/`, fieldsIn(again.html))
    expectPage(changed, 409, 'changed while you were looking')
    const shown = await makeVenue(editor.as, 'Shown')
    const hidden = await makeVenue(editor.as, 'Hidden', { status: 'draft' })
    const { text } = await editor.browser.get(`/admin/venues/${shown.id}/merge/?into=${hidden.id}`)
    expect(text).toContain('The one that stays is not public')
    const tag = await makeTag(editor.as, 'tag')
    expect((await editor.browser.get(`/admin/tags/${tag.id}/merge/?into=${tag.id}`)).status).toBe(404)
    expect((await editor.browser.get(`/admin/tags/${tag.id}/merge/?into=${low.id}`)).status).toBe(404)
  })

  it('needs the right to change both', async () => {
    const own = await makeVenue(author.as, 'Own yard')
    const theirs = await makeVenue(other, 'Their yard')
    const { id: trashed } = await makeVenue(author.as, 'Thrown yard')
    await send('DELETE', `/venues/${trashed}`, { as: author.as })
    const { links } = await author.browser.get(`/admin/venues/${own.id}/merge/?search=yard`)
    expect(links.some(link => link.includes('into='))).toBe(false)
    expect((await author.browser.get(`/admin/venues/${own.id}/merge/?into=${theirs.id}`)).status).toBe(403)
    expect((await author.browser.get(`/admin/venues/${theirs.id}/merge/`)).status).toBe(403)
    const forged = await author.browser.post(`/admin/venues/${own.id}/merge/`, {
      into: String(theirs.id),
      version: '1',
    })
    expect(forged.status).toBe(403)
    const tag = await makeTag(editor.as, 'not theirs')
    expect((await author.browser.get(`/admin/tags/${tag.id}/merge/`)).status).toBe(403)
  })
})
