/**
 * The library for passkeys, loaded when it is first needed: with it, the Worker would take 3 ms longer to start, and 20 ms with
 * the parts that read certificates (asn1.cjs).
 */
export const webauthn = () => import('@simplewebauthn/server')
