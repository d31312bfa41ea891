// Stands in for the packages with which @simplewebauthn/server reads ASN.1 (wrangler.toml, [alias]). They are for
// certificates of authenticators, of which the service asks for none (attestation `none`), and refuses what comes unasked. All
// that is left to be read are the two numbers of a signature (RFC 3279 §2.2.3). With the packages, the Worker takes 7 ms longer
// to start, even if the library is loaded late (CPU of workerd, 36 pairs of starts).

class ECDSASigValue {}

const INTEGER = 2
const SEQUENCE = 48

/** The bytes of the number at a place, and the place after it. Lengths of signatures that are taken are one byte. */
function integerAt(bytes, at) {
  const end = at + 2 + bytes[at + 1]
  if (bytes[at] !== INTEGER || end > bytes.length) throw new TypeError('This is no signature.')
  return { number: bytes.slice(at + 2, end), end }
}

const AsnParser = {
  parse(bytes, type) {
    if (type !== ECDSASigValue) throw new TypeError('Certificates are not read.')
    if (bytes[0] !== SEQUENCE || bytes[1] !== bytes.length - 2) throw new TypeError('This is no signature.')
    const r = integerAt(bytes, 2)
    const s = integerAt(bytes, r.end)
    if (s.end !== bytes.length) throw new TypeError('This is no signature.')
    return { r: r.number, s: s.number }
  },
}

module.exports = { AsnParser, ECDSASigValue }
