// Pages with events in JSON-LD.

export const script = (json: unknown): string =>
  `<script type="application/ld+json">${JSON.stringify(json)}</script>`

export const event = (name: string, more: object = {}) => ({
  '@context': 'https://schema.org',
  '@type': 'Event',
  name,
  startDate: '2027-03-01T20:00:00Z',
  ...more,
})

export const linksTo = (paths: readonly string[]): string =>
  paths.map(path => `<a href="${path}">x</a>`).join('')
