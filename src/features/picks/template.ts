import { type Html, html, icon } from '../../web/html/html.ts'
import type { Slots } from '../../web/html/slots.ts'
import { filled } from '../../words/words.ts'
import { MAX_PICKS } from './schema.ts'

/** The path of the page of picks. */
export const PICKS_PATH = '/picks/'

/** A heart with which the script keeps what it is on. */
const heart: Html = html`<button class="heart" type="button" aria-pressed="false">${icon('heart')}</button>`

/** What the script (pages.js) needs on every page: addresses, texts, and the heart. */
export const pickTemplate: NonNullable<Slots['pageEnd']> = ({ context, words, dates }) =>
  html`<template id="pick" data-path="${PICKS_PATH}" data-api="${context.api}/picks" data-name="${filled(words.pickName, { name: '{{name}}' })}" data-one="${words.pick}" data-dates="${words.pickDates}" data-most="${MAX_PICKS}" data-full="${filled(words.picksFull, { n: dates.number(MAX_PICKS) })}" data-failed="${words.picksFailed}">${heart}</template>`
