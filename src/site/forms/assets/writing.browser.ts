import Squire from 'squire-rte'
import { required } from '../../../kit/lib/required.browser.ts'

// The visual editor of a long text, over its textarea, which has what is saved. Squire edits the HTML in the
// page itself, so whatever nobody touches stays as it was. A text with parts that could not stay, such as a
// table, is edited as HTML.

/** Elements that can be edited as they look. */
const EDITABLE = /^(?:P|BR|STRONG|B|EM|I|U|S|A|SPAN|SUB|SUP|CODE|UL|OL|LI|H[1-6]|BLOCKQUOTE|IMG)$/
/** The tools that make some of these elements. */
const TOOLS: Record<string, string> = { BLOCKQUOTE: 'quote', IMG: 'image' }
const BLOCK = /^(?:P|UL|OL|LI|H[1-6]|BLOCKQUOTE)$/

const parse = (html: string) => new DOMParser().parseFromString(html, 'text/html').body

const fragmentOf = (body: Element) => {
  const fragment = document.createDocumentFragment()
  fragment.append(...body.childNodes)
  return fragment
}

/** Replaces an element by one of another name, with the same attributes and content. */
const renameElement = (element: Element, name: string) => {
  const other = document.createElement(name)
  for (const { name: key, value } of element.attributes) other.setAttribute(key, value)
  other.append(...element.childNodes)
  element.replaceWith(other)
  return other
}

const rename = (body: Element, from: string, to: string) => {
  for (const element of body.querySelectorAll(from)) renameElement(element, to)
}

/** Drops the line breaks that give empty ends of blocks a height: browsers show the same without them. */
const dropLastBreaks = (body: Element) => {
  for (const br of body.querySelectorAll('br'))
    if (!br.nextSibling && br.previousSibling && br.previousSibling.nodeName !== 'BR') br.remove()
}

/** HTML without the differences that no reader sees. */
const canonical = (html: string) => {
  const body = parse(html)
  rename(body, 'b', 'strong')
  rename(body, 'i', 'em')
  dropLastBreaks(body)
  body.normalize()
  return body.innerHTML
    .replace(/[ \t\r\n]+/g, ' ')
    .replace(/ ?(<\/?(?:p|br|ul|ol|li|h[1-6]|blockquote)\b[^>]*>) ?/g, '$1')
    .replace(/ ((?:<\/(?:a|em|s|span|strong|u)>)+<\/(?:p|li|h[1-6])>)/g, '$1')
    .trim()
}

/**
 * Attributes that are data while a text is edited: classes and styles may mean something else on this page.
 */
const ASIDE = [
  ['class', 'data-own-class'],
  ['style', 'data-own-style'],
] as const

/**
 * Renames an attribute. All attributes keep their order, so that elements that nobody touches are written as
 * they were.
 */
const renameAttribute = (body: Element, from: string, to: string) => {
  for (const element of body.querySelectorAll(`[${from}]`)) {
    const attributes = [...element.attributes]
    for (const { name } of attributes) element.removeAttribute(name)
    for (const { name, value } of attributes) element.setAttribute(name === from ? to : name, value)
  }
}

/** How a text is written. */
type Conventions = { isBold?: boolean; isItalic?: boolean; hasFixedBlanks?: boolean }

/** The HTML of the editor, one block a line, by the conventions of the text that it began with. */
const written = (html: string, { isBold, isItalic, hasFixedBlanks }: Conventions) => {
  const body = parse(html)
  for (const [name, data] of ASIDE) renameAttribute(body, data, name)
  dropLastBreaks(body)
  if (!isBold) rename(body, 'b', 'strong')
  if (!isItalic) rename(body, 'i', 'em')
  for (
    let last = body.lastElementChild;
    last && /^(?:P|DIV)$/.test(last.nodeName);
    last = body.lastElementChild
  ) {
    // A block with a fixed space was there before.
    if (last.textContent !== '' || last.querySelector('img')) break
    last.remove()
  }
  const text = [...body.children].map(block => block.outerHTML).join('\n')
  // At the end of a text, browsers turn a typed space into one that does not break.
  return hasFixedBlanks ? text : text.replaceAll('&nbsp;', ' ')
}

/**
 * Styles without those that only Word knows, such as `mso-bidi-font-weight`, which is for right-to-left text.
 */
const styleOf = (element: Element) => (element.getAttribute('style') ?? '').replace(/\bmso-[^;]*/g, '')

/**
 * Bold and italic of a word processor, which has them as styles. They are read from the text of the
 * attribute, since the policy of the page keeps it from being parsed.
 */
const fromStyles = (element: Element, style: string) => {
  const names = [
    /font-weight:\s*(?:bold|[6-9]00)/.test(style) && 'strong',
    /font-style:\s*italic/.test(style) && 'em',
  ].filter(name => name !== false)
  for (const name of names) {
    const inner = document.createElement(name)
    inner.append(...element.childNodes)
    element.append(inner)
  }
}

/** The paragraphs that Word has for the items of lists, as lists. */
const makeLists = (body: Element) => {
  for (const item of body.querySelectorAll('p[style*="mso-list"]')) {
    const mark = item.querySelector('[style*="mso-list"]')
    const name = /^\s*\w+[.)]/.test(mark?.textContent ?? '') ? 'OL' : 'UL'
    mark?.remove()
    const before = item.previousElementSibling
    const list = before?.nodeName === name ? before : document.createElement(name)
    if (list !== before) item.before(list)
    list.append(renameElement(item, 'li'))
  }
}

/**
 * What is pasted, in the elements and attributes that the buttons set: programs that copy text bring many
 * more.
 */
const pasted = (html: string, isAllowed: (name: string) => boolean) => {
  const body = parse(html)
  for (const element of body.querySelectorAll('style, script, title, xml, o\\:p')) element.remove()
  makeLists(body)
  for (const element of [...body.querySelectorAll('*')].reverse()) {
    const { nodeName: name } = element
    const style = styleOf(element)
    const isNormal = name === 'B' && /font-weight:\s*normal/.test(style)
    if (!/^(?:B|STRONG|I|EM|H[1-6])$/.test(name)) fromStyles(element, style)
    const isImage = element instanceof HTMLImageElement
    const address = isImage ? element.src : (element.getAttribute('href') ?? '')
    const alt = element.getAttribute('alt') ?? ''
    for (const { name: key } of [...element.attributes]) element.removeAttribute(key)
    if (isImage && isAllowed('IMG') && /^https?:/.test(address)) Object.assign(element, { src: address, alt })
    else if (name === 'A' && /^(?:https?|mailto|tel):/i.test(address)) element.setAttribute('href', address)
    else if (name === 'H1') renameElement(element, isAllowed('H2') ? 'h2' : 'p')
    else if (
      /^(?:DIV|TR|DT|DD|ARTICLE|SECTION|PRE)$/.test(name) &&
      ![...element.children].some(({ nodeName }) => BLOCK.test(nodeName))
    )
      renameElement(element, 'p')
    else if (/^H[2-6]$|^BLOCKQUOTE$/.test(name) && !isAllowed(name)) renameElement(element, 'p')
    else if (/^T[DH]$/.test(name)) {
      // Word has a paragraph in each cell. A row becomes one paragraph.
      const [first, ...others] = element.children
      const content = first?.nodeName === 'P' && others.length === 0 ? first : element
      element.replaceWith(...content.childNodes, ' ')
    } else if (isNormal || !EDITABLE.test(name) || /^(?:SPAN|A|IMG|CODE)$/.test(name))
      element.replaceWith(...element.childNodes)
  }
  return fragmentOf(body)
}

/**
 * Opens a dialog with some content, which resolves to what `choose` is called with; undefined if it was
 * closed.
 */
const ask = <Choice>(
  label: string,
  close: string,
  fill: (form: HTMLFormElement, choose: (value: Choice) => void) => void,
) =>
  new Promise<Choice | undefined>(resolve => {
    const dialog = document.createElement('dialog')
    dialog.className = 'writing-dialog'
    dialog.setAttribute('aria-label', label)
    const form = document.createElement('form')
    const cancel = Object.assign(document.createElement('button'), {
      type: 'button',
      className: 'button button-quiet',
      textContent: close,
    })
    let chosen: Choice | undefined
    const choose = (value: Choice) => {
      chosen = value
      dialog.close()
    }
    cancel.addEventListener('click', () => dialog.close())
    dialog.addEventListener('close', () => {
      dialog.remove()
      resolve(chosen)
    })
    fill(form, choose)
    form.append(cancel)
    dialog.append(form)
    document.body.append(dialog)
    dialog.showModal()
  })

/** Where arrow keys lead among the tools. */
const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

const button = (text: string, look = 'button') =>
  Object.assign(document.createElement('button'), { className: look, textContent: text })

for (const field of document.querySelectorAll<HTMLElement>('[data-writing]')) {
  const text = required(field.querySelector('textarea'))
  const tools = required(field.querySelector<HTMLElement>('[role="toolbar"]'))
  const note = required(field.querySelector<HTMLElement>('.writing-note'))
  const buttons = [...tools.querySelectorAll('button')]
  const asHtml = tools.querySelector('[data-html]')
  const {
    link = '',
    address: addressText = '',
    remove = '',
    image: imageText = '',
    close = '',
  } = field.dataset
  const help = document.getElementById(`${text.id}-help`)
  const label = required(document.querySelector<HTMLElement>(`label[for="${text.id}"]`))
  const images = [...(text.form?.querySelectorAll<HTMLImageElement>('.library img[data-full]') ?? [])]
  const names = buttons.map(({ dataset }) => dataset.set)
  const isAllowed = (name: string) => names.includes(name[0] === 'H' ? 'heading' : TOOLS[name])
  const page = document.createElement('div')
  Object.assign(page, { className: 'rich writing-page', id: `${text.id}-page`, hidden: true })
  label.id ||= `${text.id}-label`
  const roles = {
    role: 'textbox',
    'aria-multiline': 'true',
    'aria-labelledby': label.id,
    'aria-describedby': text.getAttribute('aria-describedby'),
    'aria-invalid': text.getAttribute('aria-invalid'),
  }
  for (const [key, value] of Object.entries(roles)) if (value) page.setAttribute(key, value)
  text.after(page)

  let isShowing = false
  const editor = new Squire(page, {
    blockTag: 'P',
    // A text that is shown keeps what it has. Whatever is pasted is cleaned before it is in the page.
    sanitizeToDOMFragment: html => (isShowing ? fragmentOf(parse(html)) : pasted(html, isAllowed)),
  })
  /** The conventions that the text had before it was edited, and keeps. */
  let conventions: Conventions = {}
  /**
   * The text that was shown, and what the editor made of it: as long as nobody changes that, the text stays.
   */
  let shown: { html: string; text: string } | undefined

  /** Shows a text as pages do. @returns false if some of it could not stay as it is */
  const show = (html: string) => {
    const body = parse(html)
    if (![...body.querySelectorAll('*')].every(({ nodeName }) => EDITABLE.test(nodeName))) return false
    for (const [name, data] of ASIDE) renameAttribute(body, name, data)
    const clean = body.innerHTML
    isShowing = true
    editor.setHTML(clean)
    isShowing = false
    if (clean.trim() !== '' && canonical(editor.getHTML()) !== canonical(clean)) return false
    shown = { html: editor.getHTML(), text: text.value }
    conventions = {
      isBold: /<b[ >]/.test(html),
      isItalic: /<i[ >]/.test(html),
      hasFixedBlanks: /&nbsp;|\xa0/.test(html),
    }
    return true
  }

  /** Changes between the text as it looks and its HTML. */
  const switchView = (isVisual: boolean) => {
    page.hidden = !isVisual
    text.hidden = isVisual
    // The help says how paragraphs are written as text.
    if (help) help.hidden = isVisual
    for (const other of buttons)
      if (other !== asHtml) other.hidden = !isVisual || (other.dataset.set === 'image' && images.length === 0)
    asHtml?.setAttribute('aria-pressed', String(!isVisual))
    const [first, ...others] = buttons.filter(({ hidden }) => !hidden)
    if (first) first.tabIndex = 0
    for (const other of others) other.tabIndex = -1
    tools.hidden = !first
  }

  const isVisual = () => !page.hidden

  const toHtml = async () => {
    const token = required(text.form?.querySelector<HTMLInputElement>('[name="_token"]')).value
    const body = new URLSearchParams({ text: text.value, _token: token })
    const response = await fetch('/admin/text/', { method: 'POST', body }).catch(() => undefined)
    return response?.ok ? response.text() : undefined
  }

  const toggle = async () => {
    note.hidden = true
    if (isVisual()) {
      switchView(false)
      return text.focus()
    }
    const html = await toHtml()
    if (html === undefined) return
    if (show(html)) {
      switchView(true)
      editor.focus()
    } else note.hidden = false
  }

  const isIn = (pattern: RegExp) => pattern.test(editor.getPath())

  const setLink = async () => {
    const node = editor.getSelection().commonAncestorContainer
    const current = (node instanceof Element ? node : node.parentElement)?.closest('a')
    const range = editor.getSelection()
    const address = await ask<string>(link, close, (form, choose) => {
      const input = Object.assign(document.createElement('input'), {
        type: 'text',
        inputMode: 'url',
        value: current?.getAttribute('href') ?? '',
        placeholder: 'https://',
        autocapitalize: 'none',
        spellcheck: false,
      })
      input.setAttribute('aria-label', addressText)
      const submit = button(link)
      form.append(input, submit)
      if (current) {
        const removal = Object.assign(button(remove, 'button button-quiet'), { type: 'button' })
        removal.addEventListener('click', () => choose(''))
        form.append(removal)
      }
      form.addEventListener('submit', event => {
        event.preventDefault()
        choose(input.value.trim())
      })
    })
    editor.focus()
    if (address === undefined) return
    if (current) range.selectNodeContents(current)
    editor.setSelection(range)
    if (address === '') return editor.removeLink()
    editor.makeLink(/^(?:[a-z][a-z\d+.-]*:|\/|#)/i.test(address) ? address : `https://${address}`)
  }

  const setImage = async () => {
    const range = editor.getSelection()
    const chosen = await ask<HTMLImageElement>(imageText, close, (form, choose) => {
      form.classList.add('images')
      for (const image of images) {
        const choice = Object.assign(button('', 'image-choice'), { type: 'button' })
        choice.append(image.cloneNode())
        choice.addEventListener('click', () => choose(image))
        form.append(choice)
      }
    })
    editor.focus()
    if (!chosen) return
    editor.setSelection(range)
    editor.insertImage(chosen.dataset.full ?? '', { alt: chosen.alt })
  }

  const format = (tag: string) => {
    if (editor.hasFormat(tag)) editor.changeFormat(null, { tag })
    else editor.changeFormat({ tag })
  }

  const set: Record<string, () => unknown> = {
    bold: () => format('B'),
    italic: () => format('I'),
    heading: () => {
      const name = isIn(/(?:^|>)H[1-6]/) ? 'p' : 'h2'
      editor.modifyBlocks(fragment => {
        for (const block of fragment.querySelectorAll('p, h1, h2, h3, h4, h5, h6')) renameElement(block, name)
        return fragment
      })
    },
    list: () => (isIn(/(?:^|>)UL/) ? editor.removeList() : editor.makeUnorderedList()),
    numbers: () => (isIn(/(?:^|>)OL/) ? editor.removeList() : editor.makeOrderedList()),
    quote: () => (isIn(/(?:^|>)BLOCKQUOTE/) ? editor.decreaseQuoteLevel() : editor.increaseQuoteLevel()),
    link: setLink,
    image: setImage,
  }

  const states: Record<string, () => boolean> = {
    bold: () => editor.hasFormat('B'),
    italic: () => editor.hasFormat('I'),
    heading: () => isIn(/(?:^|>)H[1-6]/),
    list: () => isIn(/(?:^|>)UL/),
    numbers: () => isIn(/(?:^|>)OL/),
    quote: () => isIn(/(?:^|>)BLOCKQUOTE/),
    link: () => editor.hasFormat('A'),
  }

  for (const tool of buttons)
    tool.addEventListener('click', () => {
      if (tool === asHtml) return toggle()
      editor.focus()
      set[tool.dataset.set ?? '']?.()
    })
  tools.addEventListener('keydown', event => {
    const step = STEPS[event.key]
    if (!step) return
    event.preventDefault()
    const shownButtons = buttons.filter(({ hidden }) => !hidden)
    const at = shownButtons.findIndex(tool => tool.matches(':focus'))
    const next = shownButtons[(at + step + shownButtons.length) % shownButtons.length]
    for (const tool of shownButtons) tool.tabIndex = tool === next ? 0 : -1
    next?.focus()
  })
  // The Tab key leaves the editor, in lists as well: Ctrl+] and Ctrl+[ change their levels.
  for (const key of ['Tab', 'Shift-Tab']) editor.setKeyHandler(key, null)
  const isMac = /Mac|iP(?:hone|ad)/.test(navigator.userAgent)
  editor.setKeyHandler(`${isMac ? 'Meta' : 'Ctrl'}-k`, (_, event) => {
    event.preventDefault()
    setLink()
  })
  // Formats without a button could not be seen, or taken back.
  for (const key of ['u', 'd', 'Shift-5', 'Shift-6', 'Shift-7'])
    editor.setKeyHandler(`${isMac ? 'Meta' : 'Ctrl'}-${key}`, (_, event) => event.preventDefault())
  for (const type of ['pathChange', 'select', 'input'])
    editor.addEventListener(type, () => {
      for (const tool of buttons) {
        const state = states[tool.dataset.set ?? '']
        if (state) tool.setAttribute('aria-pressed', String(state()))
      }
    })
  editor.addEventListener('input', () => {
    const html = editor.getHTML()
    const value = html === shown?.html ? shown.text : written(html, conventions)
    if (value === text.value) return
    text.value = value
    text.dispatchEvent(new Event('input', { bubbles: true }))
  })
  label.addEventListener('click', () => isVisual() && editor.focus())

  const template = field.querySelector('template')
  const wasFocused = document.activeElement === text
  const canShow = template !== null && show(template.innerHTML)
  note.hidden = canShow
  switchView(canShow)
  if (wasFocused && canShow) editor.focus()
}
