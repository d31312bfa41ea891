import { expect, it } from 'vitest'
import { htmlToLines } from '../../../../src/kit/lib/ical/lines.ts'

it.each([
  [
    'Tickets: <a href="https://a.example/1?b=1&amp;c=2">book here</a>.',
    'Tickets: book here (https://a.example/1?b=1&c=2).',
  ],
  ['<p><a href="mailto:ann@a.example">Ann</a><br>x</p>', 'Ann (ann@a.example)\nx'],
  ['<a href="https://a.example/1"><b>join </b></a> us', 'join (https://a.example/1) us'],
  // What the text says already is not repeated.
  ['<a href="https://www.a.example/">a.example</a>', 'a.example'],
  ['<a href="https://a.example/1">https://a.example/1</a>', 'https://a.example/1'],
  ['<a href="mailto:ann@a.example">Ann@a.example</a>', 'Ann@a.example'],
  // Nothing to follow.
  ['<a href="https://a.example/1"><img src="x"></a>!', '!'],
  ['<a href="#below">below</a>, <a>nowhere</a>, <a href="tel:+1">call</a>', 'below, nowhere, call'],
  ['<a href="https://a.example/1">open', 'open'],
  ['</a>closed', 'closed'],
])('%s becomes the text %s', (html, text) => {
  expect(htmlToLines(html)).toBe(text)
})
