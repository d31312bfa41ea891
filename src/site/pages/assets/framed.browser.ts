import { required } from '../../../kit/lib/required.browser.ts'

// Events in a frame: reports their height to the page around the frame, and nothing else. Any page may know
// the height. The console says why there are no events.

const shown = required(document.querySelector<HTMLElement>('.embed'))
const tell = () =>
  parent.postMessage({ type: 'event-calendar', height: Math.ceil(shown.getBoundingClientRect().height) }, '*')
if (shown.dataset.reason) console.warn(`event-calendar: ${shown.dataset.reason}`)
if (parent !== window) new ResizeObserver(tell).observe(shown)
