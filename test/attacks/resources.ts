import fc from 'fast-check'

// Fields of resources as people write them, odd as that may be.

const word = fc.constantFrom(
  'Jazz',
  'Café',
  '語',
  '🎸',
  'a & b',
  '<',
  '>',
  '&lt;',
  '&amp;',
  '"quoted"',
  "it's",
  'a\nb',
  'C:\\',
  '100%',
  '  two  blanks',
  '\u200b',
  'مرحبا',
  '\u202eback',
  '<b>bold</b>',
  '1,2',
  '[]',
  '{"a":1}',
  'null',
  '0',
  'false',
)
const title = fc.array(word, { minLength: 1, maxLength: 4 }).map(words => `Title ${words.join(' ')}`)
const html = fc
  .array(
    fc.oneof(
      word,
      fc.constantFrom(
        '<p>One</p>',
        'One\n\nTwo',
        'a\nb\n',
        '<p>a</p>\n\nb',
        '<ul><li>x</ul>',
        '<a href="https://example.org/?a=1&b=2">l</a>',
        '<br>',
        '<b><i>x</b></i>',
        '<img src="https://example.org/a.png" alt="a">',
        '<pre>a\n\n b</pre>',
        '<!-- c -->',
        '<h2>Head</h2>text',
        '&nbsp;',
        '&eacute;',
        '<script>x</script>',
        '<p>',
        '</p>',
        '<blockquote>a\n\nb</blockquote>',
        '<table><tr><td>1</table>',
        ' ',
        '\r\n',
        '<div>a<p>b</div>c',
      ),
    ),
    { maxLength: 6 },
  )
  .map(parts => parts.join(''))
const line = fc.array(word, { maxLength: 3 }).map(words => words.join(' '))
const flag = fc.boolean()
const image = fc.constantFrom(
  '',
  'https://example.org/a.jpg',
  'https://example.org/b',
  'https://example.org/c.png?x=1&y=%20',
  'http://example.org/ü.webp',
)
const website = fc.constantFrom(
  '',
  'https://example.org',
  'www.example.org/x',
  'https://example.org/?q=a b',
  'HTTP://EXAMPLE.org/ä',
)
const status = fc.constantFrom('publish', 'draft', 'pending', 'private', 'future')
const date = fc.constantFrom(
  '2020-01-01 10:00:00',
  '2026-11-20 12:00:00',
  '2027-05-05 05:05:05',
  '2026-11-20T12:00:00-05:00',
)
const some = <T>(values: fc.Arbitrary<T>) => fc.option(values, { nil: undefined })

const shared = {
  slug: some(line),
  description: some(html),
  image: some(image),
  website: some(website),
  status: some(status),
  date: some(date),
}
export const venue = fc
  .record({
    ...shared,
    venue: title,
    address: some(line),
    city: some(line),
    phone: some(line),
    show_map: some(flag),
    show_map_link: some(flag),
    place: some(fc.constantFrom([53.27, -9.05], [0, 0], [-90, 180], [1e-7, -1e-7], [12.3456789012345, 0.1])),
  })
  .map(({ place, ...fields }) => ({ ...fields, ...(place && { geo_lat: place[0], geo_lng: place[1] }) }))
export const organizer = fc.record({
  ...shared,
  organizer: title,
  phone: some(line),
  email: some(fc.constantFrom('', 'a@example.org', 'ü+x@exämple.org')),
})
export const event = fc.record({
  ...shared,
  title,
  excerpt: some(html),
  cost: some(fc.constantFrom('', '€5', '$10 - $25', 'Donation')),
  timezone: some(
    fc.constantFrom(
      'UTC',
      'Europe/Rome',
      'America/New_York',
      'UTC+5.5',
      'UTC-3',
      'Asia/Kathmandu',
      'Australia/Lord_Howe',
    ),
  ),
  start_date: fc.constantFrom(
    '2027-03-28 02:30:00',
    '2026-11-01 01:30:00',
    '2027-01-10',
    '2027-10-31 02:15:00',
    '2027-07-04 12:00:00',
  ),
  end_date: fc.constantFrom('2027-11-01 01:30:00', '2028-02-29 23:59:59', '2027-10-31 03:30:00'),
  all_day: some(flag),
  show_map: some(flag),
  show_map_link: some(flag),
  hide_from_listings: some(flag),
  sticky: some(flag),
  featured: some(flag),
  ticketed: some(flag),
  venue: some(fc.array(venue, { maxLength: 2 })),
  organizer: some(fc.array(organizer, { maxLength: 2 })),
  categories: some(fc.array(title, { maxLength: 3 })),
  tags: some(fc.array(title, { maxLength: 3 })),
})

/** The fields of a category or tag. */
export const term = fc.record({ name: title, description: some(html), slug: some(line) })
