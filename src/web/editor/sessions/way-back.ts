/** The page of the sign-in, from which one gets to an address of the editor. */
export function signInPath({ pathname, search }: URL): string {
  const isPlain = pathname === '/admin/' || pathname === '/admin'
  return isPlain ? '/admin/sign-in/' : `/admin/sign-in/?${new URLSearchParams({ to: pathname + search })}`
}

const START = '/admin/'
/** Characters: longer ones don't fit into a header everywhere. */
const LONGEST = 2_000

/**
 * The path to go to after the sign-in: one of a page of the editor, whatever was asked for.
 *
 * @param to as it came with the request
 * @param origin of the editor
 */
export function wayBack(to: unknown, origin: string): string {
  if (typeof to !== 'string' || to.length > LONGEST || !URL.canParse(to, origin)) return START
  const url = new URL(to, origin)
  const path = url.pathname + url.search
  return url.origin === origin && /^\/admin\/(?!\/|sign-in\/|link\/)/.test(path) ? path : START
}
