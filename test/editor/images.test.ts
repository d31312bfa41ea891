import { describe, expect, it } from 'vitest'
import { png } from '../calendar/media/build.ts'
import { makeEvent, makeVenue, send } from '../factories.ts'
import { faultyD1 } from '../kit/http/faulty-d1.ts'
import { expectPage } from '../site/pages/page.ts'
import { fieldsIn } from './forms.ts'
import { type SignedIn, signedIn, signIn } from './session.ts'

const editor = signedIn('editor')
const author = signedIn('author')

const LIBRARY = '/admin/images/'

const fileOf = (name: string) => new File([png(30, 20, name)], `${name}.png`, { type: 'image/png' })

/** Uploads an image. @returns its id */
async function uploadByForm({ browser }: SignedIn, name: string, alt_text = ''): Promise<number> {
  const { headers } = await browser.post(LIBRARY, { file: fileOf(name), alt_text })
  return Number(headers.get('location')?.match(/images\/(\d+)/)?.[1])
}

describe('the library', () => {
  it('stores images with their alternative text, and finds them', async () => {
    const id = await uploadByForm(author, 'kites', 'Kites over the sea')
    const { html, text } = await author.browser.get(`${LIBRARY}?search=over+sea`)
    expect(html).toContain(`href="${LIBRARY}${id}/"`)
    expect(text).not.toContain('no description')
    expect((await author.browser.get(`${LIBRARY}?search=xylophone`)).text).toContain('No images here')
  })

  it('shows whole images, as the form of an event does', async () => {
    const file = new File([png(800, 200, 'banner')], 'banner.png', { type: 'image/png' })
    await editor.browser.post(LIBRARY, { file, alt_text: 'A banner' })
    for (const path of [`${LIBRARY}?search=banner`, '/admin/events/new/']) {
      const { html } = await editor.browser.get(path)
      expect(html, path).toContain('-medium.png"')
      expect(html, path).not.toContain('-thumbnail.png"')
    }
  })

  it('says what is wrong with a file, and keeps the alternative text', async () => {
    const none = await author.browser.post(LIBRARY, { alt_text: 'typed "before"' })
    expectPage(none, 422, 'Please choose a file.')
    expect(none.html).toContain('value="typed &quot;before&quot;"')
    const text = new File(['no image'], 'x.png')
    const shown = await author.browser.post(LIBRARY, { file: text, alt_text: '' })
    expectPage(shown, 422, 'This can’t be used as an image.')
  })

  it('keeps the text of an image that is uploaded again without one', async () => {
    const id = await uploadByForm(editor, 'twice', 'Two kites')
    const altTextOf = async () => (await send('GET', `/media/${id}`, { as: editor.as })).body.alt_text
    expect([await uploadByForm(editor, 'twice'), await altTextOf()]).toEqual([id, 'Two kites'])
    await editor.browser.post('/admin/events/new/', {
      ...fieldsIn((await editor.browser.get('/admin/events/new/')).html),
      image_file: fileOf('twice'),
    })
    expect(await altTextOf()).toBe('Two kites')
    expect([await uploadByForm(editor, 'twice', 'Three'), await altTextOf()]).toEqual([id, 'Three'])
  })

  it('shows the uses of an image, changes its texts, and deletes unused ones', async () => {
    const id = await uploadByForm(editor, 'poster')
    const event = await makeEvent(editor.as, { title: 'With <poster>', image: id })
    await makeVenue(editor.as, 'With it too', { image: id })
    const shown = await editor.browser.get(`${LIBRARY}${id}/`)
    expect(shown.links).toContain(`/admin/events/${event.id}/`)
    expect(shown.text).toContain('With it too')
    expect(shown.html).not.toContain('/delete/')
    const used = await editor.browser.post(`${LIBRARY}${id}/delete/`)
    expectPage(used, 409, 'It is in use')
    // Any other failure is not taken for this one.
    const broken = editor.browser.with(faultyD1({ message: 'CHECK constraint failed', writesOnly: true }))
    const failed = await broken.post(`${LIBRARY}${id}/delete/`)
    expectPage(failed, 409, 'Not done')
    expect(failed.text).not.toContain('It is in use')
    const form = fieldsIn(shown.html)
    const saved = await editor.browser.post(`${LIBRARY}${id}/`, {
      ...form,
      alt_text: 'A "poster" <b>',
      do: 'save',
    })
    expect(saved.status).toBe(303)
    expect((await send('GET', `/media/${id}`, { as: editor.as })).body.alt_text).toBe('A "poster"')
    const stale = await editor.browser.post(`${LIBRARY}${id}/`, { ...form, alt_text: 'Another', do: 'save' })
    expectPage(stale, 412, 'Somebody else has changed this')
    const unused = await uploadByForm(editor, 'unused')
    const gone = await editor.browser.post(`${LIBRARY}${unused}/delete/`)
    expect(gone.headers.get('location')).toBe(LIBRARY)
    expect((await editor.browser.get(`${LIBRARY}${unused}/`)).status).toBe(404)
  })
})

describe('an image of the settings', () => {
  const administrator = signedIn('administrator')

  it.each(['image', 'header_image'])('is shown as used by the settings, and stays: %s', async name => {
    const id = await uploadByForm(editor, `of ${name}`)
    await send('PATCH', '/settings', { as: administrator.as, json: { [name]: id } })
    const shown = await administrator.browser.get(`${LIBRARY}${id}/`)
    expect(shown.text).toContain('Where it is used Settings')
    expect(shown.html).not.toContain('/delete/')
    expect((await editor.browser.get(`${LIBRARY}${id}/`)).text).toContain('Where it is used Settings')
    const refused = await send('DELETE', `/media/${id}`, { as: editor.as })
    expect(refused).toMatchObject({ status: 409, body: { data: { used_by: [{ kind: 'settings', id: 1 }] } } })
    await send('PATCH', '/settings', { as: administrator.as, json: { [name]: 0 } })
    expect((await editor.browser.get(`${LIBRARY}${id}/`)).text).toContain('Nowhere')
  })
})

describe('who may do what with images', () => {
  it('contributors choose, authors upload and change their own, editors change all', async () => {
    const contributor = await signIn('contributor')
    const id = await uploadByForm(editor, 'of an editor')
    await makeEvent(editor.as, { title: 'Public', image: id })
    expect((await contributor.browser.get(LIBRARY)).html).not.toContain('type="file"')
    const other = await author.browser.get(`${LIBRARY}${id}/`)
    expect(other.text).toContain('Somebody else has uploaded this image')
    const changed = await author.browser.post(`${LIBRARY}${id}/`, {
      'was.title': 'x',
      title: 'Mine',
      do: 'save',
    })
    expectPage(changed, 403, 'you can use it, but not change it')
    expect((await author.browser.post(`${LIBRARY}${id}/delete/`)).status).toBe(403)
    const own = await uploadByForm(author, 'of an author', 'Own')
    expect((await editor.browser.save(`${LIBRARY}${own}/`, { title: 'Edited' })).text).toContain(
      'Saved: Edited',
    )
  })

  it('images of hidden events only are hidden', async () => {
    const id = await uploadByForm(editor, 'hidden', 'Secret plans')
    await makeEvent(editor.as, { title: 'Secret', status: 'draft', image: id })
    expect((await author.browser.get(`${LIBRARY}${id}/`)).status).toBe(404)
    expect((await author.browser.get(`${LIBRARY}?search=secret`)).text).toContain('No images here')
    expect((await author.browser.post(`${LIBRARY}${id}/delete/`)).status).toBe(404)
  })
})
