// Programs as people write them for WordPress, with nothing in them that is ours: a site's address, a login and a
// password are all that they get. `request` is fetch.

export type Request = (url: string, init?: RequestInit) => Promise<Response>
type Site = { request: Request; site: string; login: string; password: string }
type Poster = { name: string; bytes: Uint8Array<ArrayBuffer>; type: string }

const basic = ({ login, password }: Site) => ({ Authorization: `Basic ${btoa(`${login}:${password}`)}` })

class HttpError extends Error {}

async function json(response: Response) {
  const body = JSON.parse(await response.text())
  if (!response.ok) throw new HttpError(`${response.status} ${body.code}: ${body.message}`)
  return body
}

const EVENT = { start_date: '2027-06-10 20:00:00', end_date: '2027-06-10 23:00:00' }

/** A script that mirrors a list of concerts: bytes with a file's name, tags looked up by name, then the event. */
export async function mirror(site: Site, poster: Poster, { title, tags }: { title: string; tags: string[] }) {
  const api = `${site.site}/wp-json`
  const headers = { ...basic(site), 'User-Agent': 'python-requests/2.31.0', Accept: '*/*' }
  const me = await json(await site.request(`${api}/wp/v2/users/me?context=edit`, { headers }))
  if (!me.capabilities.upload_files) throw new Error('no rights')
  const uploaded = await site.request(`${api}/wp/v2/media`, {
    method: 'POST',
    headers: {
      ...headers,
      'Content-Disposition': `attachment; filename="${poster.name}"`,
      'Content-Type': poster.type,
    },
    body: poster.bytes,
  })
  if (uploaded.status !== 201) throw new HttpError(`upload: ${uploaded.status} ${await uploaded.text()}`)
  const media = await uploaded.json<{ id: number; source_url: string }>()
  const described = { alt_text: `Poster of ${title}`, title: { raw: title } }
  await json(
    await site.request(`${api}/wp/v2/media/${media.id}`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json' },
      body: JSON.stringify(described),
    }),
  )
  const ids: number[] = []
  for (const name of tags) {
    const query = new URLSearchParams({ search: name, per_page: '100' })
    const found: { id: number; name: string }[] = await json(
      await site.request(`${api}/wp/v2/tags?${query}`, { headers }),
    )
    const exact = found.find(tag => tag.name.toLowerCase() === name.toLowerCase())
    if (exact) ids.push(exact.id)
    else {
      const made = await site.request(`${api}/wp/v2/tags`, {
        method: 'POST',
        headers: { ...headers, 'Content-Type': 'application/json' },
        body: JSON.stringify({ name }),
      })
      ids.push((await json(made)).id)
    }
  }
  const event = { title, ...EVENT, image: media.id, tags: ids, status: 'publish' }
  const posted = await site.request(`${api}/tribe/events/v1/events`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(event),
  })
  return { me, media, event: await json(posted) }
}

/** A plugin that sends forms, as curl does: an image in a part called file, texts beside it, lists in brackets. */
export async function form(
  site: Site,
  poster: Poster,
  { title, category }: { title: string; category: string },
) {
  const index = await json(await site.request(`${site.site}/wp-json/`))
  if (!index.namespaces.includes('tribe/events/v1')) throw new Error('the calendar is not there')
  const upload = new FormData()
  upload.append('file', new File([poster.bytes], poster.name, { type: poster.type }))
  upload.append('title', title)
  upload.append('alt_text', 'From a form')
  const headers = basic(site)
  const media = await json(
    await site.request(`${site.site}/wp-json/wp/v2/media`, { method: 'POST', headers, body: upload }),
  )
  const slug = category.toLowerCase().replaceAll(' ', '-')
  const list = `${site.site}/wp-json/wp/v2/categories?slug=${slug}&hide_empty=0&_fields=id,name,slug`
  let [term] = await json(await site.request(list, { headers }))
  term ??= await json(
    await site.request(`${site.site}/wp-json/wp/v2/categories`, {
      method: 'POST',
      headers,
      body: new URLSearchParams({ name: category, slug, parent: '0' }),
    }),
  )
  const fields = new URLSearchParams({ title, ...EVENT, image: String(media.id) })
  fields.append('categories[]', String(term.id))
  const address = `${site.site}/wp-json/tribe/events/v1/events`
  return {
    media,
    term,
    event: await json(await site.request(address, { method: 'POST', headers, body: fields })),
  }
}

/** A program that fetches all terms first, page by page, makes what is missing, and takes an existing one from the error. */
export async function paging(site: Site, names: string[]) {
  const headers = basic(site)
  const known = new Map<string, number>()
  for (let page = 1, pages = 1; page <= pages; page++) {
    const query = `per_page=2&page=${page}&orderby=id&order=asc&hide_empty=false&context=view`
    const response = await site.request(`${site.site}/wp-json/wp/v2/tags?${query}`, { headers })
    pages = Number(response.headers.get('X-WP-TotalPages'))
    for (const { name, id } of await json(response)) known.set(name, id)
  }
  const ids: number[] = []
  for (const name of names) {
    const response = await site.request(`${site.site}/wp-json/wp/v2/tags`, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json; charset=utf-8' },
      body: JSON.stringify({ name }),
    })
    const body = JSON.parse(await response.text())
    if (body.code === 'term_exists') ids.push(body.data.term_id)
    else if (response.status === 201) ids.push(body.id)
    else throw new HttpError(body.message)
  }
  const images: unknown[] = []
  for (let page = 1; ; page++) {
    const address = `${site.site}/wp-json/wp/v2/media?per_page=1&page=${page}&media_type=image&orderby=date`
    const response = await site.request(address, { headers })
    if (response.status === 400) break
    images.push(...(await json(response)))
  }
  return { known, ids, images }
}
