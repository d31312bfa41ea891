import { beforeEach, describe, expect, it } from 'vitest'
import { makeVenue, query, send } from '../factories.ts'
import { sendTo } from '../request.ts'
import { expectPage } from '../site/pages/page.ts'
import { fieldsIn } from './forms.ts'
import { type Browser, type SignedIn, signedIn } from './session.ts'

// “Find on the map” in the form of a venue. The geocoder responds with the text in its own address
// (`outboundService` of vitest.config.ts).

const author = signedIn('author')
const contributor = signedIn('contributor')

const geocoder = (text: string) => ({
  GEOCODER: `https://maps.example/search?text=${encodeURIComponent(text)}`,
})
const PLACES = JSON.stringify([
  { display_name: 'Barn <b>& Sons</b>, Kent', lat: '53.2707', lon: '-9.0568' },
  { display_name: 'Barn, Cork', lat: '51.9', lon: '-8.47' },
])

/** A browser with somebody's session, on a calendar with that geocoder. */
const browserOf = ({ browser }: SignedIn, text = PLACES): Browser => browser.with(geocoder(text))

beforeEach(async () => {
  await query("DELETE FROM setbacks WHERE task = 'geocoder'")
})

const ADDRESS = { venue: 'Barn', address: '1 Lane', city: 'Kent' }
const NEW = '/admin/venues/new/'

async function typed(browser: Browser, fields: object = ADDRESS) {
  const empty = fieldsIn((await browser.get(NEW)).html)
  return { ...empty, ...fields }
}
const countVenues = async () => (await send('GET', '/venues?per_page=1', { as: author.as })).body.total

it('the form of a venue offers places, one of which becomes the position once it is chosen and saved', async () => {
  const browser = browserOf(author)
  const before = await countVenues()
  const fields = await typed(browser)
  const shown = await browser.post(NEW, { ...fields, do: 'locate' })
  expectPage(shown, 200, 'Sends the address above to maps.example, once.', 'Barn & Sons, Kent')
  expect(shown.html).not.toContain('Sons</b>')
  expect(shown.links).toContain('https://www.openstreetmap.org/copyright')
  expect(shown.text).toContain('© OpenStreetMap contributors')
  expect(await countVenues()).toBe(before)
  const offered = fieldsIn(shown.html)
  // The input is kept, and nothing is chosen.
  expect(offered).toMatchObject({ address: ['1 Lane'], city: ['Kent'], geo_lat: [''], geo_found: [''] })
  expect((await browser.post(NEW, { ...offered, geo_found: '53.2707 -9.0568', do: 'save' })).status).toBe(303)
  const [venue] = (await send('GET', '/venues?per_page=1', { as: author.as })).body.venues
  expect(venue).toMatchObject({ venue: 'Barn', geo_lat: 53.2707, geo_lng: -9.0568 })
})

it('the position of a venue stays if no place is chosen', async () => {
  const browser = browserOf(author)
  const { id } = await makeVenue(author.as, 'Hall', { city: 'Kent', geo_lat: 1, geo_lng: 2 })
  const path = `/admin/venues/${id}/`
  const shown = await browser.save(path, { do: 'locate' })
  expect(fieldsIn(shown.html)).toMatchObject({ geo_lat: ['1'], geo_lng: ['2'] })
  await browser.post(path, { ...fieldsIn(shown.html), do: 'save' })
  expect((await send('GET', `/venues/${id}`)).body).toMatchObject({ geo_lat: 1, geo_lng: 2 })
})

it.each([
  ['nothing is found', '[]', ADDRESS, 'Nothing was found for this address.'],
  ['the geocoder is broken', '<h1>Hello</h1>', ADDRESS, 'The map service did not respond as it should.'],
  [
    'there is no address',
    PLACES,
    { venue: 'Barn' },
    'Please fill in the street, the postal code or the town first.',
  ],
])('the form says so if %s, and keeps the input', async (_, text, address, message) => {
  const browser = browserOf(author, text)
  const fields = await typed(browser, { ...address, phone: '123' })
  const shown = await browser.post(NEW, { ...fields, do: 'locate' })
  expectPage(shown, 200, message)
  expect(fieldsIn(shown.html)).toMatchObject({ venue: ['Barn'], phone: ['123'] })
})

it('the form says so if another address is being looked up', async () => {
  const browser = browserOf(author)
  const fields = { ...(await typed(browser)), do: 'locate' }
  expect((await browser.post(NEW, fields)).text).toContain('Barn, Cork')
  // Later than the clock of any request.
  await query("UPDATE setbacks SET until_utc = '2999-01-01 00:00:00' WHERE task = 'geocoder'")
  expect((await browser.post(NEW, fields)).text).toContain('Please try again in two seconds.')
})

describe('the search for an address is offered only', () => {
  const BUTTON = 'value="locate"'

  it('with a geocoder', async () => {
    expect((await browserOf(author).get(NEW)).html).toContain(BUTTON)
    expect((await author.browser.get(NEW)).html).not.toContain(BUTTON)
    expect(await send('POST', '/venues/locate', { as: author.as, json: ADDRESS })).toMatchObject({
      status: 501,
      body: { code: 'rest_geocoder_unavailable' },
    })
  })

  it('to authors and above', async () => {
    expect((await browserOf(contributor).get(NEW)).html).not.toContain(BUTTON)
    const locate = async (authorization?: string) => {
      const headers = { 'content-type': 'application/json', ...(authorization && { authorization }) }
      const init = { method: 'POST', headers, body: JSON.stringify(ADDRESS) }
      return (await sendTo(geocoder(PLACES), '/venues/locate', init)).status
    }
    expect({
      byVisitor: await locate(),
      byContributor: await locate(contributor.as),
      byAuthor: await locate(author.as),
    }).toEqual({ byVisitor: 401, byContributor: 403, byAuthor: 200 })
  })
})

it('the form of an event finds the position of a venue that is made in it', async () => {
  const browser = browserOf(author)
  const event = { title: 'Ceilidh', start_date: '2027-03-01', start_date_time: '20:00' }
  const venue = { venue_new_venue: 'Barn', venue_new_address: '1 Lane', venue_new_city: 'Kent' }
  const shown = await browser.save('/admin/events/new/', { ...event, ...venue, do: 'locate' })
  expectPage(shown, 200, 'Barn & Sons, Kent')
  const chosen = { ...fieldsIn(shown.html), geo_found: '53.2707 -9.0568', do: 'save' }
  expect((await browser.post('/admin/events/new/', chosen)).status).toBe(303)
  const { body } = await send('GET', '/events?search=ceilidh', { as: author.as })
  expect(body.events[0].venue).toMatchObject({ venue: 'Barn', geo_lat: 53.2707, geo_lng: -9.0568 })
})
