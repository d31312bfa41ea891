/**
 * The library for passkeys, loaded when it is first needed: with it, the Worker would take 3 ms longer to start, and 20 ms with
 * the parts that read certificates (no-certificates.cjs).
 */
export const webauthn = () => import('@simplewebauthn/server')
