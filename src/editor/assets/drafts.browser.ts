import { required } from '../../kit/lib/required.browser.ts'

// Drafts: what is typed stays in the browser until it is saved, and is offered again after a reload or a
// crash.

/** How long after the last key the draft is stored, in milliseconds. */
const PAUSE = 300
const MAX_AGE_DAYS = 7
const PREFIX = 'draft:'
/** The key in sessionStorage of the window's name between two pages. */
const NAME = 'window'
/** The names of inputs that nobody types into. */
const FILLED = /^(?:was\..*|version|(?:parts_)?key|shown)$/

type Entry = [name: string, value: string]
type Draft = { at: number; entries: Entry[] }

const storage = (() => {
  try {
    return localStorage
  } catch {
    // Browsers may forbid access to the storage.
    return undefined
  }
})()

function keepDrafts(storage: Storage) {
  /**
   * The name of this window, so that two windows with the same form keep a draft each. It goes from page to
   * page, but is not in sessionStorage while a page is open: a copy of the window would get a copy of the
   * storage.
   */
  const windowName = sessionStorage.getItem(NAME) || Math.random().toString(36).slice(2)
  const takeName = () => sessionStorage.removeItem(NAME)
  takeName()
  addEventListener('pageshow', takeName)
  addEventListener('pagehide', () => {
    try {
      sessionStorage.setItem(NAME, windowName)
    } catch {
      // The storage is full, and the next page has another name.
    }
  })

  /** True from the sign-out on: the page may still change. */
  let isOver = false

  const keys = () => Object.keys(storage).filter(key => key.startsWith(PREFIX))

  const read = (key: string): Draft | undefined => {
    try {
      const draft: Draft = JSON.parse(storage.getItem(key) ?? '')
      if (draft.at > Date.now() - MAX_AGE_DAYS * 86_400_000) return draft
    } catch {
      // The entry is no draft of this version of the script.
    }
    storage.removeItem(key)
    return undefined
  }

  /** The key of the form's last draft. */
  const newestKey = (address: string) =>
    keys()
      .filter(key => key === address || key.startsWith(`${address}#`))
      .sort((a, b) => (read(b)?.at ?? 0) - (read(a)?.at ?? 0))[0]

  const typed = (entries: readonly Entry[]) =>
    JSON.stringify(entries.filter(([name, value]) => value !== '' && !FILLED.test(name)))
  const versionOf = (entries: readonly Entry[]) => entries.find(([name]) => name === 'version')?.[1]

  /** Offers the draft of a form, and keeps what is typed from then on. */
  const keepDraft = (form: HTMLFormElement, box: HTMLElement) => {
    const { user, found = '', older = '', offline = '' } = box.dataset
    const without = required(box.dataset.without).split(' ')
    const address = `${PREFIX}${user}:${form.getAttribute('action')}`
    // The form of something new has a key.
    const formKey = new FormData(form).get('key')
    const key = `${address}#${formKey || windowName}`
    const status = required(box.querySelector('[role="status"]'))
    const choice = required(box.querySelector<HTMLElement>('.actions'))
    const say = (text: string, isChoice: boolean) => {
      box.hidden = false
      choice.hidden = !isChoice
      status.textContent = text
    }
    const entries = () =>
      [...new FormData(form)].filter(
        (entry): entry is Entry => typeof entry[1] === 'string' && !without.includes(entry[0]),
      )
    const isUnsaved = form.matches('.is-unsaved')
    const initial = entries()
    const offeredKey = isUnsaved ? undefined : read(key) ? key : newestKey(address)
    const draft = offeredKey && read(offeredKey)
    let timer: number | undefined

    const put = (draftKey: string, kept: readonly Entry[]) => {
      if (isOver) return
      try {
        storage.setItem(draftKey, JSON.stringify({ at: Date.now(), entries: kept }))
      } catch {
        // The storage is full.
      }
    }
    const keep = () => {
      clearTimeout(timer)
      timer = undefined
      const kept = entries()
      if (isUnsaved || typed(kept) !== typed(initial)) put(key, kept)
      else storage.removeItem(key)
    }
    const change = () => {
      clearTimeout(timer)
      timer = setTimeout(keep, PAUSE)
    }
    for (const type of ['input', 'change']) form.addEventListener(type, change)
    addEventListener('pagehide', () => timer && keep())
    form.addEventListener('submit', event => {
      if (timer) keep()
      if (navigator.onLine) return
      event.preventDefault()
      say(offline, false)
      box.scrollIntoView({ block: 'center' })
    })

    addEventListener('online', () => {
      if (status.textContent === offline) box.hidden = true
    })

    if (!draft || typed(draft.entries) === typed(initial)) return
    say(versionOf(draft.entries) === versionOf(initial) ? found : older, true)
    required(box.querySelector('[data-restore]')).addEventListener('click', () => {
      // The server shows the form with the draft. If the draft is of an older version, saving compares it
      // with what is stored. From now on it belongs to this window, unless its form has a key of its own.
      put(formKey ? offeredKey : key, draft.entries)
      if (!formKey && offeredKey !== key) storage.removeItem(offeredKey)
      const sent = document.createElement('form')
      Object.assign(sent, {
        method: 'post',
        action: form.action,
        enctype: 'multipart/form-data',
        hidden: true,
      })
      const others = [...new FormData(form)].filter(([name]) => without.includes(name))
      for (const [name, value] of [...draft.entries, ...others, ['do', 'edit']]) {
        const input = document.createElement('textarea')
        Object.assign(input, { name, value })
        sent.append(input)
      }
      document.body.append(sent)
      sent.submit()
    })
    required(box.querySelector('[data-discard]')).addEventListener('click', () => {
      storage.removeItem(offeredKey)
      if (typed(entries()) !== typed(initial)) keep()
      box.hidden = true
      form.querySelector<HTMLInputElement>('input:not([type="hidden"])')?.focus()
    })
  }

  const saved = document.querySelector<HTMLElement>('[data-saved]')?.dataset.saved
  if (saved) for (const key of [saved, `${saved}#${windowName}`]) storage.removeItem(PREFIX + key)
  // Taking the version that somebody else saved discards the draft.
  for (const link of document.querySelectorAll<HTMLAnchorElement>('[data-gives-up]'))
    link.addEventListener('click', () => {
      for (const key of keys())
        if ([`:${link.pathname}`, `:${link.pathname}#${windowName}`].some(end => key.endsWith(end)))
          storage.removeItem(key)
    })
  // Old drafts go, whoever typed them.
  for (const key of keys()) read(key)
  for (const form of document.querySelectorAll('form[action="/admin/sign-out/"]'))
    form.addEventListener('submit', () => {
      isOver = true
      for (const key of keys()) storage.removeItem(key)
    })
  const box = document.querySelector<HTMLElement>('[data-drafts]')
  if (box) keepDraft(required(document.querySelector<HTMLFormElement>('#editor-form')), box)
}

if (storage) keepDrafts(storage)
