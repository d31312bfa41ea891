const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** Tells if an address is one of development, where browsers take no cookies that need https. */
export const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOCAL.includes(hostname)

/** Tells if browsers keep the cookies that a page of an address sets. */
export const isSecure = (url: URL): boolean => url.protocol === 'https:' || isLocal(url)
