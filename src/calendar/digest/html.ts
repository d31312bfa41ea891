import { directionOf } from '../../kit/lib/languages.ts'
import { escapeXml } from '../../kit/lib/xml.ts'
import type { DigestEntry, DigestFrame } from './entries.ts'

// HTML for mail programs: tables, and every style inline, because some drop the element `style`, know no
// flexible boxes and no variables, and give the cells of tables a font of their own. What they drop only adds
// dark colours.

// Outlook falls back to Times if it doesn't have the first of these fonts.
const FONT = 'Segoe UI,-apple-system,Roboto,Arial,sans-serif'
const INK = '#1c2025'
const MUTED = '#59606a'
const ALERT = '#8f2f17'
const LINE = '#e4e1db'

/**
 * The style of tables whose width doesn't depend on their words: only in such tables do GMX and Yahoo break
 * long words.
 */
const FIXED = 'border-collapse:collapse;table-layout:fixed'

/** The dark colours of the classes that elements have in addition to their inline styles. */
const darkStyle = (accent: string): string =>
  `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.b{background:#16181b!important}.c{background:#1e2125!important}.i{color:#eceae6!important}.m{color:#a9afb8!important}
.w{color:#f3a58c!important}.l{border-color:#34383f!important}.a{color:${accent}!important}.t{background:${accent}!important}}`

const cellHtml = (style: string, content: string, className = 'i'): string =>
  `<tr><td class="${className}" style="font:15px/1.5 ${FONT};color:${className === 'm' ? MUTED : INK};${style}">${content}</td></tr>\n`

const linkHtml = (
  { text, address }: { text: string; address: string },
  style: string,
  className = 'a',
): string => `<a class="${className}" href="${escapeXml(address)}" style="${style}">${escapeXml(text)}</a>`

const linesHtml = (text: string): string => text.split('\n').map(escapeXml).join('<br>')

const mutedHtml = (text: string, style = ''): string =>
  `<span class="m" style="color:${MUTED}${style}">${escapeXml(text)}</span>`

/** An event as rows of a table, below its heading unless the event before it has the same heading. */
export function entryHtml(
  { accent }: DigestFrame,
  entry: DigestEntry,
  before: DigestEntry | undefined,
): string {
  const { heading, time, title, address, status, isCanceled, place, notes, teaser, image } = entry
  const headingHtml = `<h2 class="i" style="margin:0;font:bold 18px/1.3 ${FONT};color:${INK}">${escapeXml(heading)}</h2>`
  const timeHtml = mutedHtml(time, ';font-size:14px')
  const statusHtml =
    status && ` · <strong class="w" style="color:${ALERT};font-size:14px">${escapeXml(status)}</strong>`
  const decoration = isCanceled ? 'line-through' : 'none'
  const titleHtml = linkHtml(
    { text: title, address },
    `color:${accent.light};font-size:17px;font-weight:bold;text-decoration:${decoration}`,
  )
  // Without `dir`, text after a place that is written from right to left would be shown before the place.
  const placeHtml = [place && `<span dir="auto">${escapeXml(place)}</span>`, notes && mutedHtml(notes)]
    .filter(Boolean)
    .join(' · ')
  const teaserHtml = teaser && `<br>${mutedHtml(teaser, ';font-size:14px')}`
  const cellContent = `${image ? pictureHtml(image) : ''}${timeHtml}${statusHtml}<br>${titleHtml}${placeHtml && `<br>${placeHtml}`}${teaserHtml}`
  return `${heading === before?.heading ? '' : cellHtml('padding:28px 0 8px', headingHtml)}${cellHtml(`padding:12px 0;border-top:1px solid ${LINE}`, cellContent, 'i l')}`
}

/** An image beside the text that follows it, even in programs that don't know `float`. */
const pictureHtml = ({ url, alt, width, height }: NonNullable<DigestEntry['image']>): string =>
  `<img src="${escapeXml(url)}" alt="${escapeXml(alt)}" width="${width}"${height === undefined ? '' : ` height="${height}"`} align="right" style="float:right;margin:4px 0 8px 14px;border-radius:6px">`

/** A whole document. @param events rows of a table */
export function digestHtml(frame: DigestFrame, events: string): string {
  const { language, title, days, intro, more, empty, footer, links, accent } = frame
  return `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="robots" content="noindex">
<title>${escapeXml(title)}</title>
<style>${darkStyle(accent.dark)}</style>
</head>
<body class="b" style="margin:0;padding:0;background:#f4f2ee">
<div role="main">
<table class="b" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="border-collapse:collapse;background:#f4f2ee"><tr><td align="center">
<!--[if mso]><table role="presentation" width="600" cellpadding="0" cellspacing="0"><tr><td><![endif]-->
<table class="c" role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:600px;${FIXED};background:#fff;text-align:left;word-break:break-word;word-wrap:break-word">
<tr><td class="t" height="6" style="height:6px;font-size:0;line-height:0;background:${accent.light}"></td></tr>
<tr><td style="padding:24px 20px 32px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="${FIXED}">
${[
  cellHtml(
    'padding:0',
    `<h1 class="i" style="margin:0;font:bold 26px/1.25 ${FONT};color:${INK}">${escapeXml(title)}</h1>`,
  ),
  days && cellHtml('padding:4px 0 0', escapeXml(days), 'm'),
  ...intro.map(paragraph => cellHtml('padding:16px 0 0', linesHtml(paragraph))),
  empty && cellHtml('padding:24px 0 0', escapeXml(empty)),
  events,
  more ? cellHtml('padding:20px 0 0', linkHtml(more, `color:${accent.light};font-weight:bold`)) : '',
].join('')}</table>
</td></tr>
<tr><td class="l m" style="padding:20px;border-top:1px solid ${LINE};font:13px/1.6 ${FONT};color:${MUTED}">${footer && `${linesHtml(footer)}<br>`}${links.map(each => linkHtml(each, `color:${MUTED}`, 'm')).join(' · ')}</td></tr>
</table>
<!--[if mso]></td></tr></table><![endif]-->
</td></tr></table>
</div>
</body>
</html>
`
}
