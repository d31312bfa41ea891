const LOCAL = ['localhost', '127.0.0.1', '[::1]']

/** Tells whether an address belongs to local development, which does without https. */
export const isLocal = ({ protocol, hostname }: URL): boolean =>
  protocol === 'http:' && LOCAL.includes(hostname)

/** Tells whether browsers keep the cookies that a page at an address sets. */
export const isSecure = (url: URL): boolean => url.protocol === 'https:' || isLocal(url)
