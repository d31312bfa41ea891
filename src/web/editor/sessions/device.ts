/** Browsers, by what only they have in the header: many name others beside themselves. */
const BROWSERS: readonly (readonly [RegExp, string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\bOPR\/|\bOpera\b/, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\bFirefox\/|\bFxiOS\//, 'Firefox'],
  [/\bCriOS\/|Chrom(?:e|ium)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [RegExp, string])[] = [
  [/\biPhone\b/, 'iPhone'],
  [/\biPad\b/, 'iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMac OS X\b|\bMacintosh\b/, 'Mac'],
  [/\bLinux\b/, 'Linux'],
]

const nameIn = (agent: string, names: typeof BROWSERS): string[] =>
  names.filter(([pattern]) => pattern.test(agent)).map(([, name]) => name)

/** Browser and system of a `User-Agent` header, such as `Firefox, Android`; '' if neither is known. No text of the header is kept. */
export function deviceOf(agent = ''): string {
  const [browser = ''] = nameIn(agent, BROWSERS)
  const [system = ''] = nameIn(agent, SYSTEMS)
  return [browser, system].filter(Boolean).join(', ')
}
