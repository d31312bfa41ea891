import { FEATURES } from '../src/features.ts'
import { errorsOfRoute } from '../src/kit/docs/documented-errors.ts'
import { withPatterns } from '../src/kit/http/error-replies.ts'
import { shownCode } from '../src/kit/lib/error-codes.ts'
import { API } from './request.ts'

/** Codes of the state of the service, or of a request to no route. */
const ANYWHERE = new Set([
  'rest_daily_limit_reached',
  'rest_concurrent_changes',
  'rest_being_restored',
  'rest_no_route',
])

const DECLARED = FEATURES.flatMap(({ routes = [] }) => routes).map(route => ({
  methods: route.methods,
  pattern: new RegExp(`^${withPatterns(route.path.replaceAll('.', '\\.'))}/?$`),
  codes: new Set<string>(errorsOfRoute(route).flatMap(([, codes]) => codes.map(shownCode))),
}))

/**
 * Fails for an error that the route of a feature throws and does not declare, so that its documentation lacks
 * it.
 */
export function assertDeclared(method: string, path: string, code: string): void {
  const address = path.replace(API, '').replace(/\?.*$/s, '')
  const route = DECLARED.find(
    ({ methods, pattern }) => methods.some(m => m === method) && pattern.test(address),
  )
  if (route && !route.codes.has(code) && !ANYWHERE.has(code))
    throw new Error(`${method} ${address} does not declare its error ${code}.`)
}
