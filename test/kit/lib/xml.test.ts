import { expect, it } from 'vitest'
import { escapeXml } from '../../../src/kit/lib/xml.ts'

it.each([
  [`<a b="c">'&amp;'</a>`, `&lt;a b=&quot;c&quot;&gt;'&amp;amp;'&lt;/a&gt;`],
  ['\u0000a\u0008\u000b\u000c\u000e\u001fb\ufffe\uffff', 'ab'],
  ['\ud83dhalves\ude00', 'halves'],
  ['\t\n\r\u007f\u0085\ufffd🎉', '\t\n\r\u007f\u0085\ufffd🎉'],
])('%j is %j in XML', (text, escaped) => {
  expect(escapeXml(text)).toBe(escaped)
})
