import { beforeAll, expect, it } from 'vitest'
import { black } from '../../calendar/media/build.ts'
import { upload } from '../../calendar/media/upload.ts'
import { makeEvent, makeOrganizer, makeUser, makeVenue, SITE, send } from '../../factories.ts'

let base: string
let slug: string

beforeAll(async () => {
  const author = await makeUser('author', 'author')
  const { body } = await upload(author, black(1_100, 900))
  base = body.url.replace('.png', '')
  const venue = await makeVenue(author, 'Hall', { image: body.id })
  const organizer = await makeOrganizer(author, 'Guild', { image: body.id })
  const event = await makeEvent(author, { image: body.id, venue: venue.id, organizer: organizer.id })
  slug = event.slug
})

const htmlOf = async (path: string): Promise<string> => (await send('GET', SITE + path)).text
/** The images of a page, without the other attributes. */
const imagesIn = (html: string) =>
  [...html.matchAll(/<img[^>]* src="([^"]+)"(?: srcset="([^"]+)" sizes="([^"]+)")?/g)].map(
    ([, src, srcset = '', sizes]) => ({ src, srcset: srcset.split(', '), sizes }),
  )

it('the page of an event shows the whole image in all of its sizes', async () => {
  const whole = [`${base}-medium.png 300w`, `${base}-large.png 1024w`, `${base}.png 1100w`]
  expect(imagesIn(await htmlOf(`/event/${slug}/`))).toEqual([
    { src: `${base}.png`, srcset: whole, sizes: '(min-width: 60rem) 52rem, 100vw' },
  ])
})

it('the page of an event shows banners and posters whole, lists only posters', async () => {
  const author = await makeUser('author-of-shapes', 'author')
  for (const [width, height, shape] of [
    [1_000, 400, 'is-banner'],
    [1_000, 500, undefined],
    [400, 400, undefined],
    [400, 1_000, 'is-poster'],
  ] as const) {
    const image = { url: `https://images.example/${width}x${height}.jpg`, width, height }
    const made = await makeEvent(author, {
      image,
      title: `Shape ${width} by ${height}`,
      start_date: '2031-01-01',
      end_date: '2031-01-01',
      all_day: true,
    })
    const html = await htmlOf(`/event/${made.slug}/`)
    expect(html.match(/class="single-image ?([^"]*)"/)?.[1] || undefined, `${width}`).toBe(shape)
    expect(html.includes('class="backdrop"')).toBe(shape !== undefined)
    expect(await htmlOf(`/events/?search=${made.slug}`)).not.toContain('is-banner')
  }
})

it('lists, the embed, and pages of venues and organizers may use the cropped thumbnail', async () => {
  const cut = [
    `${base}-thumbnail.png 150w`,
    `${base}-medium.png 300w`,
    `${base}-large.png 1024w`,
    `${base}.png 1100w`,
  ]
  const pages = [
    '/events/?date=2000-01-01',
    '/embed/fragment',
    '/venues/',
    '/organizers/',
    '/venue/hall/',
    '/organizer/guild/',
  ]
  for (const path of pages) {
    const [image] = imagesIn(await htmlOf(path))
    expect(image, path).toMatchObject({ src: `${base}.png`, srcset: cut })
  }
})

it('RSS and JSON Feed have the large size, calendars the original', async () => {
  const feed = async (name: string) => (await send('GET', `/events.${name}?start_date=2000-01-01`)).text
  expect(await feed('rss')).toContain(`<enclosure url="${base}-large.png" length="0" type="image/png"/>`)
  expect(JSON.parse(await feed('feed.json')).items[0].image).toBe(`${base}-large.png`)
  expect((await feed('ics')).replace(/\r\n /g, '')).toContain(`FMTTYPE=image/png:${base}.png`)
})

it('an image of another site has one size', async () => {
  const url = 'https://img.example/poster.webp?size=1&v=2'
  const author = await makeUser('other', 'author')
  await makeEvent(author, { image: url, slug: 'elsewhere' })
  expect(imagesIn(await htmlOf('/event/elsewhere/'))).toEqual([
    { src: url.replace('&', '&amp;'), srcset: [''], sizes: undefined },
  ])
  expect((await send('GET', '/events.rss?start_date=2000-01-01')).text).toContain(
    `<enclosure url="${url.replace('&', '&amp;')}" length="0" type="image/webp"/>`,
  )
})

it.each([
  [800, 1200, 'event-image is-poster'],
  [1200, 800, 'event-image'],
])('lists don’t crop posters (%d × %d)', async (width, height, classes) => {
  const image = { url: `https://images.example/${width}.jpg`, width, height }
  const title = `Of ${width}`
  await makeEvent(await makeUser(`author-${width}`, 'author'), { title, image })
  const html = await htmlOf(`/events/?search=${encodeURIComponent(title)}`)
  expect(html.match(/<img class="([^"]*)"/)?.[1]).toBe(classes)
})
