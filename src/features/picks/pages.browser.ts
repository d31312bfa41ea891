import { required } from '../../kit/lib/required.browser.ts'

// What visitors keep: hearts on events, in this browser, and the page that shows the events with hearts.
// Without scripts there are no hearts.

/**
 * What is kept: by the ids of events, the minutes (since 1970) at which they start, followed by their status
 * if they are off (`29680140-canceled`); ids of series; and the list that somebody subscribes to, with the
 * series (`listed`) and the events that it had last.
 */
type Picks = {
  events: Record<string, Moment>
  series: number[]
  token?: string
  key?: string
  isChanged?: boolean
  listed?: number[] | undefined
  listedIds?: number[] | undefined
}
type Moment = number | string

/** What a heart is on. */
type Mark = {
  isIn: (picks: Picks) => boolean
  add: (picks: Picks) => void
  remove: (picks: Picks) => void
}

const template = document.querySelector<HTMLTemplateElement>('#pick')
if (template) keepPicks(template)

function keepPicks({ content, dataset }: HTMLTemplateElement) {
  const { path = '', api = '', name = '', one = '', dates = '', most } = dataset
  const { full = '', failed = '', unkept = '' } = dataset
  const STORE = 'picks'
  const FORGOTTEN = 'picks-forgotten'
  const NO_TOKEN = '0'.repeat(32)
  const WAIT_MS = 1500

  function stored(): Picks {
    let value: Partial<Picks> | null | undefined
    try {
      value = JSON.parse(localStorage.getItem(STORE) ?? 'null')
    } catch {
      // What cannot be read is forgotten.
    }
    const { events, series, token, key, isChanged, listed, listedIds } = value ?? {}
    return {
      events: events && typeof events === 'object' ? events : {},
      series: Array.isArray(series) ? series : [],
      ...(token && key && { token, key, isChanged: Boolean(isChanged), listed, listedIds }),
    }
  }

  const idsOf = ({ events }: Picks) => Object.keys(events).map(Number)
  const numberOf = (picks: Picks) => idsOf(picks).length + picks.series.length
  const minutesOf = (moment: Moment) => Number.parseInt(`${moment}`, 10) || 0
  /** An event as it is kept. */
  const momentOf = ({ start = '', off }: DOMStringMap): Moment => {
    const minutes = Math.floor(Date.parse(start) / 60_000) || 0
    return off ? `${minutes}-${off}` : minutes
  }

  /** The address of the page. @param isOwn true with the times at which events started when they were kept */
  function addressOf({ events, series }: Picks, isOwn = false) {
    const ids = Object.entries(events).map(([id, moment]) =>
      isOwn && minutesOf(moment) > 0 ? `${id}-${moment}` : id,
    )
    const query = [ids.length > 0 && `ids=${ids}`, series.length > 0 && `series=${series}`].filter(Boolean)
    return query.length > 0 ? `${path}?${query.join('&')}` : path
  }

  const page = document.querySelector<HTMLElement>('.picks')
  const note = page?.querySelector<HTMLElement>('[data-picks-note]')
  const buttons: { button: Element; isIn: Mark['isIn'] }[] = []

  function say(text: string) {
    if (!note) return alert(text)
    note.textContent = text
    note.hidden = false
  }

  /** Shows everywhere on the page what is kept. */
  function show() {
    const picks = stored()
    for (const { button, isIn } of buttons) button.setAttribute('aria-pressed', String(isIn(picks)))
    for (const link of document.querySelectorAll<HTMLAnchorElement>('.site-header a, .site-footer a')) {
      if (link.pathname !== path) continue
      link.href = addressOf(picks, true)
      const folded = link.closest('.site-menu')
      if (!folded) continue
      // The button of the folded menu shows the count, too.
      for (const place of [link, required(folded.querySelector('summary'))]) {
        const count = place.querySelector('.pick-count') ?? place.appendChild(document.createElement('span'))
        count.className = 'pick-count'
        count.textContent = numberOf(picks) > 0 ? ` ${numberOf(picks)}` : ''
      }
    }
    if (page) showPage(page, picks)
  }

  /** Stores something, unless there is no room. @returns true if it is stored */
  function put(value: string, name = STORE) {
    try {
      localStorage.setItem(name, value)
      return true
    } catch {
      return false
    }
  }

  let timer: number | undefined
  /** Stores what is kept, and tells the list about it a moment later. */
  function store(picks: Picks) {
    if (picks.token) picks.isChanged = true
    if (!put(JSON.stringify(picks))) return say(unkept)
    show()
    clearTimeout(timer)
    if (picks.token)
      timer = setTimeout(async () => {
        if ((await keepAdded()) !== undefined) send()
      }, WAIT_MS)
  }

  const request = (address: string, method: string, { events, series }: Partial<Picks> = {}) =>
    fetch(address, {
      method,
      keepalive: true,
      ...(events && {
        headers: { 'Content-Type': 'application/json' },
        body: JSON.stringify({ ids: Object.keys(events).map(Number), series }),
      }),
    }).catch(() => undefined)

  /**
   * Keeps the later dates of a kept series that was divided, and the event that is left of a series that has
   * ended. The stored list already has the new series or the event, but the next change by this browser would
   * remove it again.
   *
   * @returns true if there were any; undefined if there is no room for them, and the list must not be told
   */
  async function keepAdded(): Promise<boolean | undefined> {
    const { token } = stored()
    const response = token ? await request(`${api}/${token}`, 'GET') : undefined
    if (!response?.ok) return false
    const { ids, series }: Record<'ids' | 'series', number[]> = await response.json()
    const now = stored()
    if (now.token !== token) return false
    const added = (listed: number[], listedBefore: number[] | undefined, kept: number[]) => {
      const known = listedBefore ?? (now.isChanged ? listed : kept)
      const room = Math.max(0, Number(most) - numberOf(now))
      return listed.filter(id => !known.includes(id) && !kept.includes(id)).slice(0, room)
    }
    const addedSeries = added(series, now.listed, now.series)
    now.series.push(...addedSeries)
    const addedIds = added(ids, now.listedIds, idsOf(now))
    for (const id of addedIds) now.events[id] = 0
    Object.assign(now, { listed: series, listedIds: ids })
    if (put(JSON.stringify(now))) return addedSeries.length + addedIds.length > 0
    // Nobody has done anything, so only the page of picks says that there was no room.
    if (note) say(unkept)
    return undefined
  }

  /** Sends what is kept to the list, which others read. What fails is sent again with the next page. */
  async function send() {
    timer = undefined
    const sent = stored()
    if (!sent.key) return
    const response = await request(`${api}/${sent.key}`, 'PUT', sent)
    const now = stored()
    if (now.key !== sent.key) return
    if (response?.status === 404) {
      for (const name of ['token', 'key', 'isChanged', 'listed', 'listedIds'] as const) delete now[name]
    } else if (response?.ok) {
      Object.assign(now, { listed: sent.series, listedIds: idsOf(sent) })
      now.isChanged &&= addressOf(now) !== addressOf(sent)
    } else return
    // If there is no room, the next page sends the list again.
    put(JSON.stringify(now))
  }

  /** Keeps something more, unless there is no room. The earliest event that is over makes room. */
  function keep(picks: Picks, add: Mark['add']) {
    const [earliest] = Object.entries(picks.events).sort(([, a], [, b]) => minutesOf(a) - minutesOf(b))
    const isOver = earliest && minutesOf(earliest[1]) * 60_000 < Date.now() - 86_400_000
    if (numberOf(picks) >= Number(most)) {
      if (!isOver) return say(full)
      delete picks.events[earliest[0]]
    }
    add(picks)
    store(picks)
  }

  /** @param dateOf its series, if it has one: all dates of a kept series are kept, and go together */
  const ofEvent = ({ event = '', ...data }: DOMStringMap, dateOf?: number): Mark => ({
    isIn: ({ events, series }) => event in events || series.some(id => id === dateOf),
    add: ({ events }) => {
      events[event] = momentOf(data)
    },
    remove: picks => {
      delete picks.events[event]
      picks.series = picks.series.filter(other => other !== dateOf)
    },
  })

  const ofSeries = (id: number): Mark => ({
    isIn: ({ series }) => series.includes(id),
    add: ({ series }) => series.push(id),
    remove: picks => {
      picks.series = picks.series.filter(other => other !== id)
    },
  })

  /** Adds a heart. @param text its label; one that is shown makes it a button with words */
  function addHeart(
    place: Element,
    { isIn, add, remove }: Mark,
    { label = '', text }: { label?: string; text?: string },
  ) {
    const button = document.importNode(required(content.querySelector('button')), true)
    if (text) {
      button.className = 'button button-quiet heart-button'
      button.append(Object.assign(document.createElement('span'), { textContent: text }))
    } else button.setAttribute('aria-label', label)
    button.addEventListener('click', () => {
      const picks = stored()
      if (!isIn(picks)) return keep(picks, add)
      remove(picks)
      store(picks)
    })
    buttons.push({ button, isIn })
    place.append(button)
  }

  const titleOf = (place: Element) => place.querySelector(':is(h1, h2, h3) a, a')?.textContent.trim() ?? ''

  try {
    localStorage.getItem(STORE)
  } catch {
    // This browser keeps nothing.
    return
  }

  for (const place of document.querySelectorAll<HTMLElement>('[data-event]')) {
    const { series } = place.dataset
    if (!place.matches('article.single')) {
      addHeart(place, ofEvent(place.dataset, Number(series)), {
        label: name.replace('{{name}}', () => titleOf(place)),
      })
      continue
    }
    addHeart(required(place.querySelector('.single-head')), ofEvent(place.dataset), { text: one })
    if (series)
      addHeart(required(place.querySelector('.other-dates')), ofSeries(Number(series)), { text: dates })
  }
  for (const place of document.querySelectorAll<HTMLElement>('.picks-series [data-series]'))
    addHeart(place, ofSeries(Number(place.dataset.series)), {
      label: name.replace('{{name}}', () => titleOf(place)),
    })

  // The page of picks

  const numbersIn = (text: string | undefined) => (text ? text.split(',').map(Number) : [])
  const asked = {
    ids: numbersIn(page?.dataset.picksIds),
    series: numbersIn(page?.dataset.picksSeries),
    /** Pairs of an event and of the one into which it was merged. */
    merged: (page?.dataset.picksMerged?.split(',') ?? []).map(pair => pair.split(':')),
  }
  const isKept = ({ events, series }: Picks) =>
    asked.ids.every(id => id in events) && asked.series.every(id => series.includes(id))
  /**
   * True once it is known that the page shows what this browser keeps: it stays so when hearts are taken
   * away.
   */
  let isOwn = false

  /** Keeps the events that the page shows in place of kept ones. @returns true if there are any */
  function keepMerged({ events }: Picks) {
    const merged = asked.merged.filter(([id = '']) => id in events)
    for (const [id = '', shown = ''] of merged) {
      events[shown] ??= events[id] ?? 0
      delete events[id]
    }
    return merged.length > 0
  }

  function showPage(page: HTMLElement, picks: Picks) {
    if ('picksEmpty' in page.dataset) {
      if (numberOf(picks) > 0) location.replace(addressOf(picks, true))
      const notice = required(page.querySelector<HTMLElement>('[data-picks-forgotten]'))
      const wasHidden = notice.hidden
      notice.hidden = !localStorage.getItem(FORGOTTEN)
      // “Undo” works on this page alone, and without the focus it would come after the whole menu.
      if (wasHidden) notice.focus()
      return
    }
    isOwn ||= isKept(picks)
    if (isOwn && keepMerged(picks)) return store(picks)
    for (const element of page.querySelectorAll<HTMLElement>('[data-picks-own]')) element.hidden = !isOwn
    required(page.querySelector<HTMLElement>('[data-picks-other]')).hidden = isOwn
    for (const element of page.querySelectorAll<HTMLElement>('[data-own]')) {
      const { own = '', other = '' } = element.dataset
      const text = isOwn ? own : other
      // The title of the page begins with its heading.
      document.title = document.title.replace(element.textContent, text)
      element.textContent = text
    }
    if (!isOwn) return
    required(page.querySelector('[data-picks-count]')).textContent = `${numberOf(picks)}`
    const share = new URL(addressOf(picks), location.href).href
    for (const button of page.querySelectorAll<HTMLElement>('.picks-tools > [data-share]'))
      button.dataset.share = share
    for (const button of page.querySelectorAll<HTMLElement>('.picks-tools > [data-copy]'))
      button.dataset.copy = share
    history.replaceState(history.state, '', addressOf(picks, true))
  }

  page?.querySelector('[data-picks-add]')?.addEventListener('click', () => {
    const shown = new Map(
      [...page.querySelectorAll<HTMLElement>('[data-event]')].map(({ dataset }) => [
        Number(dataset.event),
        dataset,
      ]),
    )
    const picks = stored()
    for (const id of asked.ids) if (!(id in picks.events)) picks.events[id] = momentOf(shown.get(id) ?? {})
    picks.series = [...new Set([...picks.series, ...asked.series])]
    if (numberOf(picks) > Number(most)) return say(full)
    store(picks)
    location.assign(addressOf(picks, true))
  })

  page?.querySelector('[data-picks-forget]')?.addEventListener('click', () => {
    if (!put(localStorage.getItem(STORE) ?? '{}', FORGOTTEN)) return say(unkept)
    localStorage.removeItem(STORE)
    location.assign(path)
  })

  page?.querySelector('[data-picks-undo]')?.addEventListener('click', () => {
    const forgotten = localStorage.getItem(FORGOTTEN)
    localStorage.removeItem(FORGOTTEN)
    if (forgotten && !put(forgotten)) say(unkept)
    show()
  })

  /**
   * Does something unless another window shows the page without picks, which holds this lock. Browsers have
   * locks on https only.
   */
  const unlessShownElsewhere = (work: () => Promise<void>) =>
    navigator.locks
      ? navigator.locks.request(FORGOTTEN, { ifAvailable: true }, lock => lock && work())
      : work()

  /** Ends the list of what was forgotten, once nobody can take that back. */
  async function endForgotten() {
    const forgotten = localStorage.getItem(FORGOTTEN)
    if (!forgotten) return
    const { key } = JSON.parse(forgotten)
    const response = key && (await request(`${api}/${key}`, 'DELETE'))
    if (!key || response?.ok || response?.status === 404) localStorage.removeItem(FORGOTTEN)
  }

  const menu = page?.querySelector<HTMLDetailsElement>('.picks-tools .menu-button')
  /** Puts the token into the addresses of the menu. */
  function fill(menu: Element, token: string) {
    for (const link of menu.querySelectorAll('a')) link.href = link.href.replaceAll(NO_TOKEN, token)
    for (const button of menu.querySelectorAll<HTMLElement>('[data-copy]'))
      button.dataset.copy = button.dataset.copy?.replaceAll(NO_TOKEN, token)
  }
  menu?.addEventListener('toggle', async () => {
    if (!menu.open || !menu.innerHTML.includes(NO_TOKEN)) return
    const items = required(menu.querySelector<HTMLElement>('.menu-items'))
    const picks = stored()
    if (picks.token) return fill(menu, picks.token)
    items.inert = true
    const response = await request(api, 'POST', picks)
    items.inert = false
    if (!response?.ok) {
      menu.open = false
      return say(failed)
    }
    const { token, key } = await response.json()
    const now = stored()
    // Another window may have been quicker.
    if (now.token) return fill(menu, now.token)
    const list = { token, key, isChanged: false, listed: picks.series, listedIds: idsOf(picks) }
    if (put(JSON.stringify({ ...now, ...list }))) return fill(menu, token)
    // Nobody could ever change the new list.
    request(`${api}/${key}`, 'DELETE')
    menu.open = false
    say(unkept)
  })

  addEventListener('storage', ({ key }) => key === STORE && show())
  addEventListener('pageshow', show)
  addEventListener('pagehide', () => timer && send())
  // Forgetting can be undone on the page without picks. A request that is sent as that page is left gets no
  // answer, so what it sends is removed at once, or the next page would send it again.
  if (page && 'picksEmpty' in page.dataset) {
    let isFirst = !navigator.locks
    navigator.locks?.request(FORGOTTEN, () => {
      isFirst = true
      return new Promise(() => {})
    })
    addEventListener('pagehide', () => {
      if (!isFirst) return
      endForgotten()
      localStorage.removeItem(FORGOTTEN)
    })
  } else unlessShownElsewhere(endForgotten)
  show()
  if (page || stored().isChanged)
    keepAdded().then(hasAdded => {
      if (hasAdded === undefined) return
      if (hasAdded && page && isOwn) location.replace(addressOf(stored(), true))
      else if (stored().isChanged) send()
    })
}
