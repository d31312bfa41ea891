// In CommonJS, since a module cannot import a package later without waiting for it. It takes 3 ms of the
// Worker's start, and pages without a query don't need it.
module.exports = (text, options) => require('qs').parse(text, options)
