// Stands in for the packages with which @simplewebauthn/server reads certificates of authenticators (wrangler.toml, [alias]).
// The service asks for none (attestation `none`). With them, the Worker takes 10 ms longer to start, even if the library is
// loaded late (CPU of workerd, median of 40 pairs of starts). An authenticator that sends one unasked is refused.

module.exports = {}
