import { Parser } from 'htmlparser2'
import sanitizeHtml from 'sanitize-html'
import { describe, expect, it } from 'vitest'
import { toHtml, toInlineHtml, toSimpleHtml } from '../../../../src/kit/lib/html.ts'
import { ATTACKS, KEPT, mixtures } from '../hostile-html.ts'

// sanitize-html, with an allow-list that is written again here, must find nothing to remove from what our
// sanitiser lets through. What it removes rightly stays nevertheless is in DIFFERENCES, with the reason.

const words = (text: string): string[] => text.split(' ')

const ELEMENTS = words(
  'a abbr address article aside audio b bdi bdo big blockquote br caption center cite code col colgroup data dd del details dfn ' +
    'div dl dt em figcaption figure font footer h1 h2 h3 h4 h5 h6 header hr i img ins kbd li main mark nav ol p picture pre q rp ' +
    'rt ruby s samp section small source span strike strong sub summary sup table tbody td tfoot th thead time tr tt u ul var ' +
    'video wbr',
)

const ATTRIBUTES = {
  '*': words('class dir lang style title'),
  a: words('href hreflang rel target'),
  audio: words('controls loop muted preload src'),
  blockquote: ['cite'],
  col: ['span'],
  colgroup: ['span'],
  data: ['value'],
  del: words('cite datetime'),
  details: ['open'],
  font: words('color face size'),
  img: words('align alt decoding height loading sizes src srcset width'),
  ins: words('cite datetime'),
  li: ['value'],
  ol: words('reversed start type'),
  q: ['cite'],
  source: words('media sizes src srcset type'),
  table: words('align border cellpadding cellspacing summary width'),
  td: words('align colspan headers rowspan valign width'),
  th: words('abbr align colspan headers rowspan scope valign width'),
  time: ['datetime'],
  video: words('controls height loop muted playsinline poster preload src width'),
}

const COLOUR = /^(?:#[\da-f]{3,8}|[a-z]+|rgba?\([\d.,% ]+\))$/
const KEYWORD = /^[a-z\d -]+$/

const SHARED = {
  allowedSchemes: words('http https mailto tel'),
  allowedSchemesByTag: Object.fromEntries(
    words('audio img source video').map(name => [name, ['http', 'https']]),
  ),
  allowedSchemesAppliedToAttributes: words('cite href poster src'),
  // Nothing of ours is to be left out together with its content.
  nonTextTags: words('script style textarea option'),
} satisfies sanitizeHtml.IOptions

const SANITISERS: Readonly<Record<string, [ours: (html: string) => string, oracle: sanitizeHtml.IOptions]>> =
  {
    toHtml: [
      toHtml,
      {
        ...SHARED,
        allowedTags: ELEMENTS,
        allowedAttributes: ATTRIBUTES,
        allowedStyles: {
          '*': {
            color: [COLOUR],
            'background-color': [COLOUR],
            'font-style': [KEYWORD],
            'font-weight': [KEYWORD],
            'text-align': [KEYWORD],
            'text-decoration': [KEYWORD],
          },
        },
      },
    ],
    toSimpleHtml: [
      toSimpleHtml,
      {
        ...SHARED,
        allowedTags: words(
          'a abbr b blockquote br cite code dd dl dt em h1 h2 h3 h4 h5 h6 hr i li ol p pre q s small strong sub sup table tbody ' +
            'td tfoot th thead tr u ul',
        ),
        allowedAttributes: { a: ['href', 'rel'] },
      },
    ],
    toInlineHtml: [
      toInlineHtml,
      { ...SHARED, allowedTags: words('a em strong'), allowedAttributes: { a: ['href'] } },
    ],
  }

type Part = { element: string; attribute?: string; value?: string }

/** The elements of HTML and their attributes, in order, as a parser reads them. */
function partsOf(html: string): Part[] {
  const parts: Part[] = []
  const parser = new Parser({
    onopentag: (element, attributes) => {
      parts.push({ element })
      for (const [attribute, value] of Object.entries(attributes)) parts.push({ element, attribute, value })
    },
  })
  parser.end(html)
  return parts
}

const DIFFERENCES: readonly [reason: string, isRight: (part: Part) => boolean][] = [
  [
    'An empty address leads to the page that one is on. The oracle leaves out all empty values.',
    ({ attribute, value }) => attribute === 'href' && value === '',
  ],
]

/** The parts of ours that the oracle leaves out, without the differences that are right. */
function leftOut(ours: string, oracle: sanitizeHtml.IOptions): Part[] {
  // Spaces and the order of declarations don't matter.
  const keyOf = ({ value = '', ...part }: Part) =>
    JSON.stringify({ ...part, value: part.attribute === 'style' ? value.replace(/\s/g, '') : value.trim() })
  const theirs = new Map<string, number>()
  for (const part of partsOf(sanitizeHtml(ours, oracle)))
    theirs.set(keyOf(part), (theirs.get(keyOf(part)) ?? 0) + 1)
  return partsOf(ours).filter(part => {
    const left = theirs.get(keyOf(part)) ?? 0
    theirs.set(keyOf(part), left - 1)
    return left <= 0 && !DIFFERENCES.some(([, isRight]) => isRight(part))
  })
}

describe.each(Object.entries(SANITISERS))('what %s lets through', (_, [ours, oracle]) => {
  it.each([
    '<script>x</script>',
    '<a href="javascript:x">y</a>',
    '<a onclick="x">y</a>',
    '<svg><a href="x">y</a></svg>',
    '<p style="background: url(x)">y</p>',
    '<img src="data:x">',
  ])('without ours, the oracle would leave out something of %s', html => {
    expect(leftOut(html, oracle)).not.toEqual([])
  })

  it('sanitize-html would leave out none of it', () => {
    for (const html of [...ATTACKS, ...KEPT, ...mixtures(3000)])
      expect(leftOut(ours(html), oracle), html).toEqual([])
  })
})
