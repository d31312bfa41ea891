import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { filterList } from '../../../../src/site/html/filters.ts'
import { declareService } from '../../../service.ts'
import { closePages, onPage, servePage } from './browser.ts'

// The calendar on pages of another origin.

describe('<event-calendar> on other sites', { tags: ['browser'] }, () => {
  const server = declareService()
  let site: string

  beforeAll(() => {
    site = new URL(server.api).origin
  })

  afterAll(closePages)

  /** The strictest policy that allows the calendar. */
  const strict = (): string =>
    [
      "default-src 'none'",
      `script-src ${site}`,
      `connect-src ${site}`,
      `img-src ${site} data:`,
      "style-src 'nonce-own'",
      "require-trusted-types-for 'script'",
      'trusted-types event-calendar',
    ].join('; ')

  async function onHostPage(
    body: string,
    act: (page: Page, complaints: readonly string[]) => Promise<unknown>,
    { policy = strict(), style = '' }: { policy?: string; style?: string } = {},
  ): Promise<string[]> {
    const html = `<!doctype html><html lang="en"><title>Elsewhere</title><link rel="icon" href="data:,">
      <style nonce="own">body { font: 20px Georgia, serif; color: #333 } ${style}</style>
      <script type="module" src="${site}/embed.js"></script>${body}`
    const host = await servePage(html, policy)
    const complaints = await onPage(host.origin, act)
    await host.stop()
    return complaints
  }

  // The limit counts what takes place: what is cancelled stands between.
  const EVENT = '.event:not(.is-off)'

  const element = (attributes = '') =>
    `<event-calendar ${attributes}><a href="${site}/events/">Events</a></event-calendar>`

  it('shows events under a strict policy, several times with different options', async () => {
    const complaints = await onHostPage(
      element('limit="3"') +
        element('view="month"') +
        element('categories="classical" language="de" theme="dark" accent="#ffe600"'),
      async page => {
        const parts = page.locator('event-calendar .embed')
        await parts.nth(2).waitFor()
        expect(await parts.count()).toBe(3)
        expect(await parts.nth(0).locator(EVENT).count()).toBe(3)
        expect(await parts.nth(1).locator('table.month').count()).toBe(1)
        expect(await parts.nth(2).getAttribute('lang')).toBe('de')
        expect(await parts.nth(2).innerText()).toContain('Alle kommenden Veranstaltungen')
        for (const href of await page
          .locator('event-calendar .embed a')
          .evaluateAll(all => all.map(a => String(a.getAttribute('href')))))
          expect(href.startsWith(`${site}/`)).toBe(true)
        // The styles of the page around it, except for the attributes.
        const styleOf = (n: number, property: string): Promise<string> =>
          page.evaluate<string>(
            `getComputedStyle(document.querySelectorAll('event-calendar')[${n}].shadowRoot.querySelector('.embed')).${property}`,
          )
        expect(await styleOf(0, 'fontFamily')).toContain('Georgia')
        expect(await styleOf(0, 'fontSize')).toBe('20px')
        expect(await styleOf(0, 'colorScheme')).toBe('normal')
        expect(await styleOf(2, 'colorScheme')).toBe('dark')
        expect(await page.evaluate('getComputedStyle(document.body).fontSize')).toBe('20px')
      },
    )
    expect(complaints).toEqual([])
  })

  it('follows changes of its attributes', async () => {
    await onHostPage(element('limit="2"'), async page => {
      const events = page.locator('event-calendar').locator(EVENT)
      await events.nth(1).waitFor()
      expect(await events.count()).toBe(2)
      await page.locator('event-calendar').evaluate(e => e.setAttribute('limit', '4'))
      await events.nth(3).waitFor()
      expect(await events.count()).toBe(4)
    })
  })

  it('shows its content again if a changed attribute is rejected, and events once it is right', async () => {
    await onHostPage(element('limit="1"'), async page => {
      const calendar = page.locator('event-calendar')
      const events = calendar.locator(EVENT)
      const link = calendar.getByRole('link', { name: 'Events', exact: true })
      await events.first().waitFor({ state: 'attached' })
      expect(await link.isVisible()).toBe(false)
      const set = (value: string) => calendar.evaluate((e, given) => e.setAttribute('tags', given), value)
      await set('no-such-tag')
      await link.waitFor()
      expect(await events.count()).toBe(0)
      await set('')
      await events.first().waitFor({ state: 'attached' })
      expect(await link.isVisible()).toBe(false)
    })
  })

  it('keeps its events if only the connection fails', async () => {
    await onHostPage(element('limit="1"'), async page => {
      const events = page.locator('event-calendar').locator(EVENT)
      await events.first().waitFor({ state: 'attached' })
      await page.route(`${site}/**`, route => route.abort())
      await Promise.all([
        page.waitForEvent('console', message => message.text().startsWith('event-calendar:')),
        page.locator('event-calendar').evaluate(e => e.parentNode?.append(e)),
      ])
      expect(await events.count()).toBe(1)
    })
  })

  it('warns of attributes that it does not have, but not of those of HTML and of frameworks', async () => {
    const strange = 'start_date="2027-01-01" happening="today" theme="blue"'
    const usual =
      'id="a" class="b" style="color: red" title="c" lang="de" dir="ltr" role="region" tabindex="0" slot="d" part="e" onclick="" data-f aria-label="g" v-if="h" _ngcontent-abc x-data="i" view="list" theme="LIGHT" featured limit="1"'
    const complaints = await onHostPage(
      `${element(strange)}${element(usual)}`,
      async page => {
        await page.locator('event-calendar .embed').nth(1).waitFor({ state: 'attached' })
      },
      { policy: `default-src ${site}` },
    )
    expect(complaints.filter(text => text.startsWith('event-calendar:')).sort()).toEqual([
      'event-calendar: theme is light or dark, not blue',
      'event-calendar: there is no attribute happening',
      'event-calendar: there is no attribute start_date',
    ])
  })

  it('asks for what its attributes say: every filter of lists', async () => {
    const flags = ['featured', 'is_free']
    const values: Record<string, string> = {
      ticket_availability: 'few',
      wheelchair: 'yes',
      near: '53.27,-9.05',
    }
    const names = Object.keys(filterList.shape)
    const sentFor = (name: string): string => values[name] ?? '1'
    const attributes = names
      .map(name => (flags.includes(name) ? name : `${name}="${sentFor(name)}"`))
      .join(' ')
    await onHostPage(
      '',
      async page => {
        const answered = page.waitForResponse(/embed\/fragment/)
        // There is no tag 1: the element says so in the console, which is not to be taken for one of the next
        // page.
        const warned = page.waitForEvent('console', message => message.type() === 'warning')
        await page.evaluate(
          `document.body.insertAdjacentHTML('beforeend', ${JSON.stringify(element(attributes))})`,
        )
        const { searchParams } = new URL((await answered).url())
        expect(Object.fromEntries(searchParams)).toEqual(
          Object.fromEntries(names.map(name => [name, flags.includes(name) ? 'true' : sentFor(name)])),
        )
        expect((await warned).text()).toContain('there is no tag 1')
      },
      { policy: `default-src ${site}` },
    )
  })

  it('keeps its styles, and is readable, on a page with conflicting styles', async () => {
    const style = `body { background: #111; color: #eee; text-align: center; text-transform: uppercase; letter-spacing: 1em }
      * { line-height: 4; white-space: nowrap } section, ol, h2, p { display: none }
      .flexible { display: flex }`
    const body = `<div class="flexible">${element('limit="2"')}</div>${element('limit="1" hidden')}`
    const complaints = await onHostPage(
      body,
      async page => {
        const shown = page.locator('event-calendar .embed').first()
        await shown.locator(EVENT).nth(1).waitFor()
        expect((await shown.boundingBox())?.width).toBeGreaterThan(400)
        const styleOf = (property: string): Promise<string> =>
          page.evaluate<string>(
            `getComputedStyle(document.querySelector('event-calendar').shadowRoot.querySelector('.embed')).getPropertyValue('${property}')`,
          )
        for (const [property, value] of [
          ['text-align', 'start'],
          ['text-transform', 'none'],
          ['letter-spacing', 'normal'],
          ['white-space', 'normal'],
        ] as const)
          expect(await styleOf(property), property).toEqual(value)
        expect(await page.locator('event-calendar').nth(1).isVisible()).toBe(false)
        // Long words are broken.
        await shown
          .locator(':is(.event-title, .ongoing h3) a')
          .first()
          .evaluate(e => e.append('Donaudampfschiff'.repeat(30)))
        expect(
          await page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth'),
        ).toBe(false)
        // The page has no color-scheme; its colours decide, also when they change.
        expect(await styleOf('color-scheme')).toBe('dark')
        await page.evaluate("document.body.style = 'background: #fff; color: #222'; 0")
        await page.evaluate(`new Promise(resolve => {
          const look = () => document.querySelector('event-calendar').style.colorScheme ? requestAnimationFrame(look) : resolve()
          look()
        })`)
      },
      { style },
    )
    expect(complaints).toEqual([])
  })

  it.each([320, 1280])('has texts of the same sizes whatever a rem is on the page, %d wide', async width => {
    const sizes = async (root: string): Promise<string[]> => {
      let found: string[] = []
      const act = async (page: Page) => {
        await page.setViewportSize({ width, height: 800 })
        await page.locator('event-calendar .embed').nth(2).waitFor()
        found = await page.evaluate<string[]>(`[...document.querySelectorAll('event-calendar')]
          .flatMap(calendar => [...calendar.shadowRoot.querySelectorAll('.embed *')])
          .filter(each => [...each.childNodes].some(node => node.nodeType === 3))
          .map(each => each.localName + '.' + each.className + ' ' + getComputedStyle(each).fontSize)`)
      }
      const parts = element('limit="20"') + element('view="month"') + element('search="nothing-has-this"')
      await onHostPage(parts, act, { style: `html { font-size: ${root} }` })
      return found
    }
    const found = await sizes('100%')
    expect(found.some(each => each.includes('badge'))).toBe(true)
    expect(await sizes('62.5%')).toEqual(found)
  })

  it('shifts nothing below it if it has a height', async () => {
    await onHostPage(
      `${element('limit="3"')}<p>Below</p>`,
      async page => {
        await page.evaluate(
          `globalThis.shift = 0; new PerformanceObserver(list => {
            for (const entry of list.getEntries()) globalThis.shift += entry.value
          }).observe({ type: 'layout-shift', buffered: true }); 0`,
        )
        await page.locator('event-calendar').locator(EVENT).nth(2).waitFor()
        await page.evaluate(
          'new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))',
        )
        expect(await page.evaluate('globalThis.shift')).toBe(0)
      },
      { style: 'event-calendar { display: block; min-height: 50rem }' },
    )
  })

  it.each([320, 1280])('has no heading over an event in a frame %d pixels wide', async width => {
    await onPage(
      `${site}/embed/frame?limit=6`,
      async page => {
        const edges = await page.locator('.day').evaluateAll(days =>
          days.map(day => {
            const [above, below] = [':scope > h2', '.event-time'].map(part => day.querySelector(part))
            const head = above?.getBoundingClientRect()
            const time = below?.getBoundingClientRect()
            return {
              isBeside: Number(head?.right) <= Number(time?.left),
              gap: Number(time?.top) - Number(head?.bottom),
            }
          }),
        )
        expect(edges.length).toBeGreaterThan(0)
        expect(edges.filter(({ isBeside, gap }) => !isBeside && !(gap >= 0))).toEqual([])
      },
      { viewport: { width, height: 600 } },
    )
  })

  it.each([
    ['auto', 0],
    ['dark', 16],
  ])('keeps texts off the edge of a frame that has colours of its own: %s', async (theme, edge) => {
    await onPage(`${site}/embed/frame?limit=6&theme=${theme}`, async page => {
      expect((await page.locator('.day').first().boundingBox())?.x).toBe(edge)
    })
  })

  it('makes a frame as high as its events, but no other frame, and believes no other page', async () => {
    const frame = `<iframe id="own" src="${site}/embed/frame?limit=3" style="width: 100%; height: 10px"></iframe>
      <iframe id="other" srcdoc="<script>parent.postMessage({ type: 'event-calendar', height: 700 }, '*')</script>" height="10"></iframe>`
    await onHostPage(
      frame,
      async page => {
        const heights = () =>
          page.evaluate<number[]>("[...document.querySelectorAll('iframe')].map(e => e.clientHeight)")
        await expect.poll(async () => (await heights())[0]).toBeGreaterThan(100)
        const inside = await page
          .frame({ url: /embed\/frame/ })
          ?.evaluate("Math.ceil(document.querySelector('.embed').getBoundingClientRect().height)")
        expect(await heights()).toEqual([inside, 10])
      },
      { policy: "default-src * data: 'unsafe-inline'" },
    )
  })

  it.each(['categories="none"', 'limit="many"'])(
    'keeps the link inside if the calendar rejects %s',
    async attributes => {
      const complaints = await onHostPage(element(attributes), async (page, before) => {
        // The browser reports the failed request itself, before the element does.
        while (!before.some(text => text.startsWith('event-calendar:'))) await page.waitForEvent('console')
        expect(await page.getByRole('link', { name: 'Events' }).isVisible()).toBe(true)
      })
      expect(complaints).toContainEqual(
        expect.stringMatching(/event-calendar: the calendar responds with 400 .*(?:none|whole number)/),
      )
    },
  )

  it('keeps the link inside while the calendar is down', async () => {
    const complaints = await onHostPage(element(), async page => {
      // Late in the day, the first is folded.
      await page.locator('event-calendar').locator(EVENT).first().waitFor({ state: 'attached' })
      await page.route(`${site}/**`, route => route.abort())
      await Promise.all([
        page.waitForEvent('console', message => message.text().startsWith('event-calendar:')),
        page.evaluate(
          `document.body.append(Object.assign(document.createElement('event-calendar'), { id: 'late', textContent: 'Still here' })); 0`,
        ),
      ])
      expect(await page.locator('#late').innerText()).toBe('Still here')
    })
    expect(complaints.join()).toContain('event-calendar')
  })
})
